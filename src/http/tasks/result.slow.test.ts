import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { unavailable } from '../../errors.ts';
import { openBlobs } from '../../objects/index.ts';
import { FAKE_BUCKET, startFakeS3 } from '../../sources/testing/fake-s3.ts';
import { readError } from '../testing/make-test-app.ts';
import { BYTES, ID, KEY, makeLink, makeResults, readBytes, scratch } from './testing/published-result.ts';

test('a link serves the whole file without a key, with all headers that clients need', async () => {
  const { get, stored } = await makeResults();
  const response = await get();
  assert.equal(response.status, 200);
  assert.ok((await readBytes(response)).equals(BYTES));
  const { headers } = response;
  assert.equal(headers.get('content-length'), String(BYTES.length));
  assert.equal(headers.get('content-type'), 'image/tiff');
  assert.equal(
    headers.get('content-disposition'),
    `attachment; filename="S2 ____ (NDVI).tif"; filename*=UTF-8''S2%20%D0%BF%D0%BE%D0%BB%D0%B5%20%28NDVI%29.tif`,
  );
  assert.equal(headers.get('etag'), `"${stored.etag}"`);
  assert.equal(headers.get('accept-ranges'), 'bytes');
  assert.equal(headers.get('cache-control'), 'private, no-transform, max-age=3600');
  assert.equal(headers.get('access-control-allow-origin'), '*');
  assert.match(
    headers.get('access-control-expose-headers') ?? '',
    /accept-ranges, content-disposition.*content-range/,
  );
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
});

test('HEAD has the same headers, and reads nothing', async () => {
  const { get, blobs } = await makeResults();
  const whole = await get();
  await whole.body?.cancel();
  blobs.read = () => assert.fail('the file is read');
  const head = await get(makeLink(), { range: 'bytes=0-9' }, 'HEAD');
  assert.equal(head.status, 200);
  assert.equal(await head.text(), '');
  const names = [
    'content-length',
    'content-type',
    'content-disposition',
    'etag',
    'accept-ranges',
    'cache-control',
  ];
  for (const name of names) assert.equal(head.headers.get(name), whole.headers.get(name), name);
});

test('ranges and conditional requests are answered', async () => {
  const { get, stored } = await makeResults();
  const part = await get(makeLink(), { range: 'bytes=100-299' });
  assert.equal(part.status, 206);
  assert.ok((await readBytes(part)).equals(BYTES.subarray(100, 300)));
  assert.equal(part.headers.get('content-range'), `bytes 100-299/${BYTES.length}`);
  assert.equal(part.headers.get('content-length'), '200');
  assert.equal(part.headers.get('etag'), `"${stored.etag}"`);
  const tail = await get(makeLink(), { range: 'bytes=-300000', 'if-range': `"${stored.etag}"` });
  assert.ok((await readBytes(tail)).equals(BYTES.subarray(-300_000)));

  const known = await get(makeLink(), { 'if-none-match': `"${stored.etag}"` });
  assert.deepEqual([known.status, await known.text(), known.headers.get('content-length')], [304, '', null]);
  assert.equal(known.headers.get('etag'), `"${stored.etag}"`);

  const behind = await get(makeLink(), { range: `bytes=${BYTES.length}-` });
  assert.equal(behind.status, 416);
  assert.equal(behind.headers.get('content-range'), `bytes */${BYTES.length}`);
  assert.equal((await readError(behind)).code, 'no-such-range');

  const other = await get(makeLink(), { 'if-match': '"other"' });
  assert.deepEqual([other.status, (await readError(other)).code], [412, 'other-state']);
});

test('a link with a wrong signature is 404 before any lookup, an expired one is 410', async () => {
  const { get, asked } = await makeResults();
  const link = makeLink();
  const wrong = [
    link.replace(ID, ID.replace('1', '2')),
    link.replace('S2', 'S3'),
    link.replace(/expires=\d+/, 'expires=9999999999'),
    link.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A')),
    link.replace(/&signature.*/, ''),
    link.replace(/\?.*/, ''),
    makeLink({ leftMs: -60_000 }).replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A')),
  ];
  for (const address of wrong) {
    const response = await get(address);
    assert.deepEqual([response.status, (await readError(response)).code], [404, 'unknown-result'], address);
    assert.equal((await get(address, {}, 'HEAD')).status, 404);
  }
  const expired = await get(makeLink({ leftMs: -1_000 }));
  assert.deepEqual([expired.status, (await readError(expired)).code], [410, 'link-expired']);
  assert.equal(expired.headers.get('cache-control'), 'no-store');
  assert.deepEqual(asked, []);
});

test('revoking a key revokes the links to its results, for every kind of request', async () => {
  const active = new Set(['a1']);
  const { get } = await makeResults({ isActiveKey: async (id) => active.has(id) });
  const before = await get();
  assert.equal(before.status, 200);
  await before.body?.cancel();
  const etag = before.headers.get('etag') ?? '';
  active.delete('a1');
  for (const headers of [{}, { range: 'bytes=0-9' }, { 'if-none-match': etag }]) {
    const after = await get(makeLink(), headers);
    assert.deepEqual([after.status, (await readError(after)).code], [410, 'link-revoked']);
  }
  assert.equal((await get(makeLink(), {}, 'HEAD')).status, 410);
});

test('a deleted result, or one whose file is gone, is 404', async () => {
  const { get, blobs } = await makeResults({ bytes: Buffer.from('abc') });
  const unknown = await get(makeLink({ id: 'another' }));
  assert.deepEqual([unknown.status, (await readError(unknown)).code], [404, 'unknown-result']);
  await blobs.remove(KEY);
  const gone = await get();
  assert.deepEqual([gone.status, (await readError(gone)).code], [404, 'result-gone']);
  assert.equal((await get(makeLink(), {}, 'HEAD')).status, 404);
});

test('an unavailable storage is 503 with Retry-After, and is logged', async () => {
  const { get, blobs, lines } = await makeResults({ bytes: Buffer.from('abc') });
  blobs.read = () =>
    Promise.reject(unavailable('results-unavailable', 'Not now.', { details: { retryAfterS: 30 } }));
  const response = await get();
  assert.deepEqual([response.status, response.headers.get('retry-after')], [503, '30']);
  assert.ok(lines.some((line) => JSON.stringify(line).includes('the storage of results failed')));
});

test('clients may cache a file no longer than its link is valid', async () => {
  const { get } = await makeResults({ bytes: Buffer.from('abc') });
  const response = await get(makeLink({ leftMs: 60_000 }));
  assert.equal(await response.text(), 'abc');
  const seconds = /max-age=(\d+)$/.exec(response.headers.get('cache-control') ?? '');
  assert.ok(Number(seconds?.[1]) > 30 && Number(seconds?.[1]) <= 61, `${seconds}`);
});

test('with the setting, clients are redirected to the bucket; HEAD is answered here', async (t) => {
  const fake = await startFakeS3();
  t.after(() => fake.stop());
  const dataDir = mkdtempSync(join(scratch, 'data-'));
  const blobs = openBlobs({ dataDir, bucketHref: `s3://${FAKE_BUCKET}/x`, network: fake.network });
  const { get, stored } = await makeResults({ blobs, bytes: Buffer.from('abcdef'), redirects: true });
  const answer = await get(makeLink(), { range: 'bytes=1-2' });
  assert.deepEqual([answer.status, answer.headers.get('cache-control')], [302, 'no-store']);
  const location = answer.headers.get('location') ?? '';
  const seconds = Number(new URL(location).searchParams.get('X-Amz-Expires'));
  assert.equal(seconds, 600);
  const followed = await fetch(location, { headers: { range: 'bytes=1-2' } });
  assert.deepEqual([followed.status, await followed.text()], [206, 'bc']);
  assert.equal(followed.headers.get('etag'), `"${stored.etag}"`);
  assert.match(followed.headers.get('content-disposition') ?? '', /^attachment; filename="S2 /);
  const head = await get(makeLink(), {}, 'HEAD');
  assert.deepEqual([head.status, head.headers.get('content-length')], [200, '6']);
  assert.equal(head.headers.get('etag'), `"${stored.etag}"`);
});

test('a file on another node is 503 with its own code, unless it was copied here', async () => {
  const { get, stored, blobs } = await makeResults({ bytes: Buffer.from('abc') });
  Object.assign(stored, { storeId: 'another' });
  assert.equal(await (await get()).text(), 'abc');
  await blobs.remove(KEY);
  const refused = await get();
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '2']);
  assert.equal((await readError(refused)).code, 'result-on-another-node');
  assert.equal((await get(makeLink(), {}, 'HEAD')).status, 503);
  Object.assign(stored, { storeId: await blobs.identify() });
  const gone = await get();
  assert.deepEqual([gone.status, (await readError(gone)).code], [404, 'result-gone']);
  assert.equal((await get(makeLink(), {}, 'HEAD')).status, 404);
});

test('with the setting but without a bucket, files are sent directly', async () => {
  const { get } = await makeResults({ bytes: Buffer.from('abc'), redirects: true });
  assert.equal(await (await get()).text(), 'abc');
});
