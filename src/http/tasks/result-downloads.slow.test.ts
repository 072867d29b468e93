import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readlinkSync } from 'node:fs';
import { truncate } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { listLiveFiles } from '../../../test/support/live-files.ts';
import { notFound, unavailable } from '../../errors.ts';
import type { BlobStore } from '../../objects/index.ts';
import { openBlobs } from '../../objects/index.ts';
import { FAKE_BUCKET, startFakeS3 } from '../../sources/testing/fake-s3.ts';
import { waitFor } from '../../testing/wait-for.ts';
import { makeTestServer } from '../server/testing/make-test-server.ts';
import { openRawClient } from '../server/testing/raw-client.ts';
import type { ResultOptions } from './testing/published-result.ts';
import { BYTES, KEY, makeLink, makeResults, readBytes, scratch } from './testing/published-result.ts';

/** The same on a real connection. */
async function serveResults(t: TestContext, options: ResultOptions = {}) {
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

test('a download over a connection works whole, in ranges and with HEAD, and closes the file', async (t) => {
  const { origin, dataDir } = await serveResults(t);
  const whole = await fetch(origin + makeLink());
  assert.ok((await readBytes(whole)).equals(BYTES));
  const part = await fetch(origin + makeLink(), { headers: { range: 'bytes=-5' } });
  assert.ok((await readBytes(part)).equals(BYTES.subarray(-5)));
  const head = await fetch(origin + makeLink(), { method: 'HEAD' });
  assert.equal(head.headers.get('content-length'), String(BYTES.length));
  await waitFor(() => countOpen(dataDir) === 0);
});

test('a client that does not read holds only a few chunks, and its file is closed when it disconnects', async (t) => {
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

test('a read error in the middle of a file breaks the connection, and the log says why', async (t) => {
  const { origin, dataDir, lines } = await serveResults(t);
  const response = await fetch(origin + makeLink());
  const path = listLiveFiles(join(dataDir, 'results')).find((name) => name.endsWith(KEY)) ?? '';
  await truncate(path, 8_000_000);
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
  test(`downloads from ${where} that end or that clients abort log nothing but requests`, async (t) => {
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

test('a client that disconnects during the download is not logged as a failure', async (t) => {
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

test('the file is closed if the client disconnects while it is being opened', async (t) => {
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

test('a client that disconnects while the storage is being read is not logged as a failure', async (t) => {
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
