import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Asset } from '../../../src/catalog/index.ts';
import { makeScene } from '../../../src/catalog/testing/make-scene.ts';
import type { NetworkSources } from '../../../src/sources/index.ts';
import { waitFor } from '../../../src/testing/wait-for.ts';
import { listEntries, openFolders } from './cached-sources.ts';
import { asset, makeData, SIZE, startService, writeImage } from './replaced-service.ts';

/** An image on a server of the test's, which can be replaced at any time. */
async function serveImage(dataDir: string, size = SIZE) {
  const path = join(dataDir, 'scenes/served.tif');
  const served = { bytes: new Uint8Array(), etag: '', asked: [] as string[] };
  const replaceBy = async (value: number, etag: string): Promise<void> => {
    await writeImage(path, value, { size });
    served.bytes = readFileSync(path);
    served.etag = etag;
  };
  await replaceBy(500, '"one"');
  const server = createServer((request, response) => {
    const { bytes, etag } = served;
    served.asked.push(request.headers.range ?? '');
    if ((request.headers['if-match'] ?? etag) !== etag) return void response.writeHead(412).end();
    const [, first = '0', last = '0'] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    const [from, to] = [Number(first), Math.min(Number(last), bytes.length - 1)];
    response.writeHead(206, { etag, 'content-range': `bytes ${from}-${to}/${bytes.length}` });
    response.end(bytes.subarray(from, to + 1));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const network: NetworkSources = {
    hosts: ['127.0.0.1'],
    allowHttp: true,
    ports: [port],
    privateNetworks: ['127.0.0.0/8'],
  };
  const stamps = [`${served.bytes.length}-"one"`];
  const href = `http://127.0.0.1:${port}/B04.tif`;
  const remote: Asset = { ...asset, href, stamps, width: size, height: size };
  return { served, network, remote, replaceBy };
}

test('after the ETag of a remote file changes, reads return the new file, under its own ETag', async () => {
  const dataDir = makeData('remote');
  const { served, network, remote, replaceBy } = await serveImage(dataDir);
  const clock = { nowMs: 0 };
  const service = startService({ dataDir, network, clock });
  await service.store.scenes.put(makeScene(21, { assets: { B04: remote } }));
  const first = await service.draw();
  assert.deepEqual(await service.point(), [500]);

  await replaceBy(900, '"two"');
  clock.nowMs = 120_000;
  assert.deepEqual(
    await service.draw(),
    first,
    'cached pictures are right for their ETag, and nothing is requested',
  );
  // Another process finds the file changed when it opens it.
  await service.stop();
  const next = startService({ dataDir, network, clock });
  assert.deepEqual(await next.point(), [900]);
  const second = await next.draw();
  assert.notEqual(second.etag, first.etag);
  assert.notEqual(second.bytes, first.bytes);
  assert.deepEqual(next.lines, ['renewed']);
  // Pictures wait half a second at most for the catalog to be written.
  await waitFor(async () => {
    const scene = await next.store.scenes.findByViewId(makeScene(21).viewId);
    return scene?.assets.B04?.stamps?.[0] === `${served.bytes.length}-"two"`;
  });
  await next.stop();
});

const openCaches = (dataDir: string) => openFolders({ dataDir, rangeBytes: 2 ** 24 });

/** What another process would draw that has never seen the file. */
async function drawAnew(name: string, network: NetworkSources, remote: Asset): Promise<string> {
  const service = startService({ dataDir: makeData(name), network, clock: { nowMs: 0 } });
  await service.store.scenes.put(makeScene(21, { assets: { B04: remote } }));
  const { bytes } = await service.draw();
  await service.stop();
  return bytes;
}

const countEntries = (dataDir: string): number => listEntries(dataDir, 'range-cache').length;

/** Of an image this large, pixels lie beyond what the first request brings: overviews come first. */
const LARGE = 512;

test('with headers and ranges on disk a restarted service sends no request, and still notices a replaced file', async () => {
  const dataDir = makeData('remote-cached');
  const { served, network, remote, replaceBy } = await serveImage(dataDir, LARGE);
  const clock = { nowMs: 0 };
  const one = startService({ dataDir, network, caches: openCaches(dataDir), clock });
  await one.store.scenes.put(makeScene(21, { assets: { B04: remote } }));
  assert.deepEqual(await one.point(), [500]);
  await waitFor(() => countEntries(dataDir) > 0);
  await one.store.close();

  served.asked.splice(0);
  const two = startService({ dataDir, network, caches: openCaches(dataDir), clock });
  assert.deepEqual(await two.point(), [500]);
  // A second later it is confirmed that the file is the same, by one byte.
  assert.deepEqual(
    served.asked.filter((range) => range !== 'bytes=0-0'),
    [],
  );
  await two.store.close();

  await replaceBy(900, '"two"');
  const three = startService({ dataDir, network, caches: openCaches(dataDir), clock });
  const etag = await three.etag();
  // A second after the first read from disk the store says that the file is another one.
  await waitFor(async () => {
    const [value] = (await three.point()) ?? [];
    assert.ok(value === 500 || value === 900);
    return value === 900;
  });
  const drawn = await three.draw();
  assert.notEqual(drawn.etag, etag);
  assert.equal(await three.etag(), drawn.etag);
  assert.deepEqual(three.lines, ['renewed']);
  await three.stop();
});

test('if a file is replaced within a picture, old blocks on disk and new ones of the store never mix', async () => {
  const dataDir = makeData('remote-mixed');
  const { network, remote, replaceBy } = await serveImage(dataDir, LARGE);
  const clock = { nowMs: 0 };
  const one = startService({ dataDir, network, caches: openCaches(dataDir), clock });
  await one.store.scenes.put(makeScene(21, { assets: { B04: remote } }));
  const old = await one.etag();
  // One block of sixteen.
  assert.deepEqual(await one.point(), [500]);
  await waitFor(() => countEntries(dataDir) > 0);
  await one.store.close();

  await replaceBy(900, '"two"');
  const two = startService({ dataDir, network, caches: openCaches(dataDir), clock });
  const drawn = await two.draw();
  assert.equal(drawn.planned, old);
  assert.notEqual(drawn.etag, old);
  assert.deepEqual(await two.point(), [900]);
  const { stamps: _, ...unstamped } = remote;
  assert.equal(drawn.bytes, await drawAnew('remote-new', network, unstamped));
  assert.deepEqual(two.lines, ['renewed']);
  await two.stop();
});
