/** The file of a task: its address, its link without a key, parts of it and its headers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { call } from '../service.ts';
import { ADDRESSES, makeFile, order, poll, pollToEnd } from '../tasks.ts';
import { large, read, small } from './task-orders.ts';

test('tasks finished, 303: Location has the address of the file, on both addresses', async () => {
  const { task_id: id } = await order('bandmath', small({ reference: 'done' }));
  await pollToEnd(id);
  for (const [address, expected] of [
    [ADDRESSES.download, { task_type: 'finish', type: 'bandmath' }],
    [ADDRESSES.statistics, { status: 'finished' }],
  ] as const) {
    const response = await poll(id, address);
    assert.equal(response.status, 303);
    const location = response.headers.get('location') ?? '';
    assert.match(location, /^http:\/\/127\.0\.0\.1:\d+\/api\/results\/[0-9a-f-]{36}\/[^/]+\.TIF\?/);
    const body = await read(response);
    assert.deepEqual({ ...body, ...expected, result_url: location, reference: 'done' }, body);
    assert.equal((await call(location, { apiKey: null })).status, 200);
  }
});

test('tasks result_url: null until there is a file, then its address', async () => {
  const { task_id: id } = await order('jpeg', large());
  assert.equal((await read(await poll(id))).result_url, null);
  await call(`/api/${id}`, { method: 'DELETE' });
  const { task_id: done } = await order('bandmath', small());
  const { body, response } = await pollToEnd(done);
  assert.equal(body.result_url, response.headers.get('location'));
});

test('tasks finish: a poll that follows redirects, as most programs do, gets the file', async () => {
  const { task_id: id } = await order('bandmath', small());
  const { response } = await pollToEnd(id);
  const followed = await fetch(response.url);
  assert.equal(followed.status, 200);
  assert.equal(followed.headers.get('content-type'), 'image/tiff');
});

test('tasks link: it works without a key, and only unchanged', async () => {
  const { url, bytes, name, type } = await makeFile('bandmath', small());
  const whole = await call(url, { apiKey: null });
  assert.equal(whole.headers.get('content-length'), String(bytes.length));
  assert.equal(whole.headers.get('content-type'), type);
  assert.equal(
    whole.headers.get('content-disposition'),
    `attachment; filename="${name}"; filename*=UTF-8''${encodeURIComponent(name)}`,
  );
  assert.ok(!url.includes('api_key'));
  for (const wrong of [
    url.replace(/signature=./, (text) => (text.endsWith('A') ? 'signature=B' : 'signature=A')),
    url.replace(/expires=\d/, 'expires=9'),
    url.replace('_B04', '_B05'),
    url.replace(/\?.*/, ''),
  ]) {
    assert.equal((await call(wrong, { apiKey: null })).status, 404, wrong);
  }
});

test('tasks ranges: parts of a file can be read, as GDAL and download managers do', async () => {
  const { url, bytes } = await makeFile('bandmath', small());
  const etag = (await call(url, { apiKey: null })).headers.get('etag') ?? '';
  for (const [range, from, to] of [
    ['bytes=0-15', 0, 16],
    ['bytes=100-', 100, bytes.length],
    ['bytes=-10', bytes.length - 10, bytes.length],
  ] as const) {
    const part = await call(url, { apiKey: null, headers: { range, 'if-range': etag } });
    assert.equal(part.status, 206);
    assert.equal(part.headers.get('content-range'), `bytes ${from}-${to - 1}/${bytes.length}`);
    assert.ok(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(from, to)), range);
  }
  const behind = await call(url, { apiKey: null, headers: { range: `bytes=${bytes.length}-` } });
  assert.equal(behind.status, 416);
  assert.equal(behind.headers.get('content-range'), `bytes */${bytes.length}`);
  const known = await call(url, { apiKey: null, headers: { 'if-none-match': etag } });
  assert.equal(known.status, 304);
});

test('tasks HEAD: the headers of the file without its bytes', async () => {
  const { url, bytes, type } = await makeFile('bandmath', small());
  const head = await call(url, { method: 'HEAD', apiKey: null });
  assert.equal(head.status, 200);
  const names = ['content-length', 'content-type', 'accept-ranges'];
  assert.deepEqual(
    names.map((name) => head.headers.get(name)),
    [String(bytes.length), type, 'bytes'],
  );
  assert.equal((await head.arrayBuffer()).byteLength, 0);
});
