import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { truncate, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { after, test } from 'node:test';
import { notFound, unavailable } from '../../errors.ts';
import type { BlobStore } from '../../objects/index.ts';
import { openBlobs } from '../../objects/index.ts';
import { FAKE_BUCKET, startFakeS3 } from '../../sources/testing/fake-s3.ts';
import { waitFor } from '../../testing/wait-for.ts';
import { makeTestServer } from '../server/testing/make-test-server.ts';
import { openRawClient } from '../server/testing/raw-client.ts';
import { makeTestApp, readError } from '../testing/make-test-app.ts';
import type { StoredResult } from './result.ts';
import { makeResultLinks } from './result.ts';

const scratch = mkdtempSync(join(tmpdir(), 'swath-results-'));
after(() => rmSync(scratch, { recursive: true }));

const ID = '0b6f0f6e-6f8e-4a2e-9d6a-0c6f1f6f0001';
const NAME = 'S2 поле (NDVI).tif';
const KEY = `${ID}.1`;
/** More than the buffers of a connection hold. */
const BYTES = randomBytes(20_000_000);
const links = makeResultLinks({ secret: 'a-secret-for-tests' });
const makeLink = (more: Partial<{ id: string; fileName: string; leftMs: number }> = {}): string => {
  const { id = ID, fileName = NAME, leftMs = 86_400_000 } = more;
  return links.sign({ id, fileName }, Date.now() + leftMs);
};

interface Options {
  readonly blobs?: BlobStore;
  readonly bytes?: Buffer;
  readonly redirects?: boolean;
  readonly isActiveKey?: (id: string) => Promise<boolean>;
}

/** The whole table of routes over one published result. */
async function makeResults({ bytes = BYTES, redirects = false, ...options }: Options = {}) {
  const dataDir = mkdtempSync(join(scratch, 'data-'));
  const blobs = options.blobs ?? openBlobs({ dataDir, bucketHref: null });
  const staged = await blobs.stage(KEY);
  await writeFile(staged.path, bytes);
  const { etag } = await staged.publish({ contentType: 'image/tiff' });
  const stored: StoredResult = {
    owner: 'a1',
    blobKey: KEY,
    fileName: NAME,
    contentType: 'image/tiff',
    bytes: bytes.length,
    etag,
  };
  const asked: string[] = [];
  const findResult = async (id: string) => {
    asked.push(id);
    return id === ID ? stored : null;
  };
  const testApp = makeTestApp({
    results: {
      findResult,
      isActiveKey: options.isActiveKey ?? (async () => true),
      blobs,
      readLinks: async () => links,
      redirects,
    },
  });
  const get = (link = makeLink(), headers: Record<string, string> = {}, method = 'GET') =>
    testApp.call(link, { key: null, headers, method });
  return { ...testApp, get, blobs, stored, asked, dataDir };
}

const readBytes = async (response: Response): Promise<Buffer> => Buffer.from(await response.arrayBuffer());

test('a link gives the whole file without a key, with all that a client wants to know', async () => {
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

test('ranges and conditions are answered as they are planned', async () => {
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

test('a link that is not ours is 404 before anything is looked up, an expired one 410', async () => {
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

test('the links to what a key ordered end with the key, whatever asks for them', async () => {
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

test('a result that is gone, or whose file is, is 404', async () => {
  const { get, blobs } = await makeResults({ bytes: Buffer.from('abc') });
  const unknown = await get(makeLink({ id: 'another' }));
  assert.deepEqual([unknown.status, (await readError(unknown)).code], [404, 'unknown-result']);
  await blobs.remove(KEY);
  const gone = await get();
  assert.deepEqual([gone.status, (await readError(gone)).code], [404, 'result-gone']);
  assert.equal((await get(makeLink(), {}, 'HEAD')).status, 404);
});

test('a storage that does not answer is 503 with a time, and a line in the log', async () => {
  const { get, blobs, lines } = await makeResults({ bytes: Buffer.from('abc') });
  blobs.read = () =>
    Promise.reject(unavailable('results-unavailable', 'Not now.', { details: { retryAfterS: 30 } }));
  const response = await get();
  assert.deepEqual([response.status, response.headers.get('retry-after')], [503, '30']);
  assert.ok(lines.some((line) => JSON.stringify(line).includes('the storage of results failed')));
});

test('the time that clients may cache a file ends with the link', async () => {
  const { get } = await makeResults({ bytes: Buffer.from('abc') });
  const response = await get(makeLink({ leftMs: 60_000 }));
  assert.equal(await response.text(), 'abc');
  const seconds = /max-age=(\d+)$/.exec(response.headers.get('cache-control') ?? '');
  assert.ok(Number(seconds?.[1]) > 30 && Number(seconds?.[1]) <= 61, `${seconds}`);
});

test('with the setting, clients are sent to the bucket; HEAD is answered here', async (t) => {
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

test('a file that another node stores is 503 with a code of its own, unless it was copied here', async () => {
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

test('with the setting but without a bucket, files are sent', async () => {
  const { get } = await makeResults({ bytes: Buffer.from('abc'), redirects: true });
  assert.equal(await (await get()).text(), 'abc');
});

/** The same on a real connection. */
async function serveResults(t: TestContext, options: Options = {}) {
  const results = await makeResults(options);
  const server = await makeTestServer({ app: results.app, routes: results.table });
  t.after(() => server.close(0));
  return { ...results, server, origin: `http://127.0.0.1:${server.port}` };
}

/** How many files below a folder this process has open. */
const countOpen = (folder: string): number =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(join('/proc/self/fd', fd)).startsWith(folder);
    } catch {
      return false;
    }
  }).length;

test('over a connection: whole, in ranges and HEAD, and the file is closed', async (t) => {
  const { origin, dataDir } = await serveResults(t);
  const whole = await fetch(origin + makeLink());
  assert.ok((await readBytes(whole)).equals(BYTES));
  const part = await fetch(origin + makeLink(), { headers: { range: 'bytes=-5' } });
  assert.ok((await readBytes(part)).equals(BYTES.subarray(-5)));
  const head = await fetch(origin + makeLink(), { method: 'HEAD' });
  assert.equal(head.headers.get('content-length'), String(BYTES.length));
  await waitFor(() => countOpen(dataDir) === 0);
});

test('a client that does not read holds a few chunks, and its file is closed when it leaves', async (t) => {
  const { server, blobs, dataDir } = await serveResults(t);
  let chunks = 0;
  const { read } = blobs;
  blobs.read = async (...given) =>
    (await read(...given)).pipeThrough(
      new TransformStream({
        transform(chunk: Uint8Array<ArrayBuffer>, controller) {
          chunks += 1;
          controller.enqueue(chunk);
        },
      }),
    );
  const client = await openRawClient(server.port, { reads: false });
  client.send(`GET ${makeLink()} HTTP/1.1\r\nHost: x\r\n\r\n`);
  await waitFor(() => chunks > 0);
  let before = -1;
  // Until the buffers of the system are full.
  await waitFor(() => {
    const isStill = before === chunks;
    before = chunks;
    return isStill;
  });
  assert.ok(chunks * 262_144 < 0.8 * BYTES.length, `${chunks} chunks`);
  assert.equal(countOpen(dataDir), 1);
  client.socket.destroy();
  await waitFor(() => countOpen(dataDir) === 0);
});

test('a file that cannot be read to its end breaks the connection, and the log says why', async (t) => {
  const { origin, dataDir, lines } = await serveResults(t);
  const response = await fetch(origin + makeLink());
  const [path = ''] = readdirSync(join(dataDir, 'results'), { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith(KEY),
  );
  await truncate(join(dataDir, 'results', path), 8_000_000);
  await assert.rejects(response.arrayBuffer());
  assert.ok(lines.some((line) => JSON.stringify(line).includes('an answer broke off')));
  await waitFor(() => countOpen(dataDir) === 0);
});

/** Lines of the log that are not those of answered requests. */
const findComplaints = (lines: readonly object[]): readonly string[] =>
  lines.map((line) => JSON.stringify(line)).filter((line) => !line.includes('"text":"request"'));

/** Asks on a connection of its own, and closes that as soon as so much of the body has come. */
async function download(port: number, headers: string, leaveAfter: number): Promise<void> {
  const socket = connect({ host: '127.0.0.1', port });
  socket.write(`GET ${makeLink()} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`);
  let text = '';
  let bodyBytes = 0;
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    const end = text.indexOf('\r\n\r\n');
    if (end < 0) {
      text += chunk.toString('latin1');
      const bodyAt = text.indexOf('\r\n\r\n');
      if (bodyAt >= 0) bodyBytes = text.length - bodyAt - 4;
    } else bodyBytes += chunk.length;
    if (bodyBytes >= leaveAfter && text.includes('\r\n\r\n')) break;
  }
  assert.ok(bodyBytes >= leaveAfter, `${bodyBytes} bytes came`);
  socket.destroy();
}

const makeBucket = async (t: TestContext): Promise<BlobStore> => {
  const fake = await startFakeS3();
  t.after(() => fake.stop());
  const dataDir = mkdtempSync(join(scratch, 'data-'));
  return openBlobs({ dataDir, bucketHref: `s3://${FAKE_BUCKET}/x`, network: fake.network });
};
const STORES = { 'the data directory': () => undefined, 'a bucket': makeBucket } as const;

for (const [where, open] of Object.entries(STORES)) {
  test(`downloads from ${where} that end, and those that clients leave, log nothing but requests`, async (t) => {
    for (const bytes of [Buffer.alloc(0), Buffer.from('abc'), randomBytes(300_000), BYTES]) {
      const blobs = await open(t);
      const served = await serveResults(t, { bytes, ...(blobs === undefined ? {} : { blobs }) });
      const { server, origin, lines, dataDir } = served;
      const large = bytes === BYTES;
      const range = bytes.length === 0 ? '' : 'Range: bytes=1-\r\n';
      for (let i = 0; i < (large ? 4 : 20); i += 1) {
        await download(server.port, '', bytes.length);
        await download(server.port, range, Math.max(0, bytes.length - 1));
        await download(server.port, '', 0);
        await download(server.port, range, Math.floor(bytes.length / 2));
        const whole = await fetch(origin + makeLink());
        assert.ok((await readBytes(whole)).equals(bytes));
        await fetch(origin + makeLink(), { method: 'HEAD' });
      }
      await waitFor(() => countOpen(dataDir) === 0);
      await server.close(0);
      assert.deepEqual(findComplaints(lines), []);
    }
  });
}

test('a client that leaves while the rest of its file is read is not logged as a failure', async (t) => {
  const { server, blobs, lines } = await serveResults(t, { bytes: Buffer.from('abc') });
  const { promise: asked, resolve: ask } = Promise.withResolvers<AbortSignal | undefined>();
  const { promise: left, resolve: leave } = Promise.withResolvers<void>();
  let isOver = false;
  blobs.read = async (_key, _range, signal) =>
    new ReadableStream(
      {
        async pull() {
          ask(signal);
          await left;
          isOver = true;
          throw unavailable('results-unavailable', 'Too late.');
        },
      },
      { highWaterMark: 0 },
    );
  const client = await openRawClient(server.port);
  client.send(`GET ${makeLink()} HTTP/1.1\r\nHost: x\r\n\r\n`);
  const signal = await asked;
  client.socket.destroy();
  await waitFor(() => signal?.aborted === true);
  leave();
  await waitFor(() => isOver);
  await server.close(0);
  assert.deepEqual(findComplaints(lines), []);
});

test('a client that leaves while its file is being opened leaves it closed', async (t) => {
  const { server, blobs, lines, dataDir } = await serveResults(t);
  const { promise: asked, resolve } = Promise.withResolvers<AbortSignal | undefined>();
  const { promise: left, resolve: leave } = Promise.withResolvers<void>();
  const { read } = blobs;
  blobs.read = async (key, range, signal) => {
    const stream = await read(key, range);
    resolve(signal);
    await left;
    return stream;
  };
  const client = await openRawClient(server.port);
  client.send(`GET ${makeLink()} HTTP/1.1\r\nHost: x\r\n\r\n`);
  const signal = await asked;
  client.socket.destroy();
  await waitFor(() => signal?.aborted === true);
  assert.equal(countOpen(dataDir), 1);
  leave();
  await waitFor(() => countOpen(dataDir) === 0);
  assert.ok(!JSON.stringify(lines).includes('broke off'));
});

test('a client that leaves while the storage is asked is no failure', async (t) => {
  const { server, blobs, lines } = await serveResults(t, { bytes: Buffer.from('abc') });
  const { promise: asked, resolve } = Promise.withResolvers<AbortSignal | undefined>();
  const { promise: left, resolve: leave } = Promise.withResolvers<void>();
  blobs.read = async (_key, _range, signal) => {
    resolve(signal);
    await left;
    throw notFound('result-gone', 'Too late.');
  };
  const client = await openRawClient(server.port);
  client.send(`GET ${makeLink()} HTTP/1.1\r\nHost: x\r\n\r\n`);
  const signal = await asked;
  client.socket.destroy();
  await waitFor(() => signal?.aborted === true);
  leave();
  await waitFor(() => lines.some((line) => JSON.stringify(line).includes('"text":"request"')));
  assert.ok(!JSON.stringify(lines).includes('failed'));
});
