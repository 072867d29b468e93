/** Files of scenes that are replaced under a service: pixels and ETags must always belong together. */

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openSqliteStore } from '../../../src/adapters/sqlite/index.ts';
import type { Asset } from '../../../src/catalog/index.ts';
import { makeScene } from '../../../src/catalog/testing/make-scene.ts';
import { joinFolder, makeFolderHandle, makeResultCache } from '../../../src/files/index.ts';
import { createCog } from '../../../src/formats/cog/index.ts';
import type { SceneFiles } from '../../../src/ingest/index.ts';
import { aTicket } from '../../../src/pool/testing/run-here.ts';
import type { RenderOptions } from '../../../src/render/index.ts';
import { makeFindContrast } from '../../../src/render/intensity/find-contrast.ts';
import { makeFindIntensity } from '../../../src/render/intensity/find-intensity.ts';
import { DEFAULT_LIMITS } from '../../../src/render/plan/render-plan.ts';
import { makePointReader } from '../../../src/render/read-point.ts';
import { makePictureCache, makeRenderer } from '../../../src/render/renderer.ts';
import { makeCompareScene } from '../../../src/render/scenes/compare-scene.ts';
import { makeFileWatch } from '../../../src/render/scenes/file-watch.ts';
import { sensorByAbbreviation } from '../../../src/sensors/index.ts';
import type { NetworkSources, OpenSourceOptions } from '../../../src/sources/index.ts';
import { makeReadFileStamp } from '../../../src/sources/index.ts';
import { HANG_MS, waitFor } from '../../../src/testing/wait-for.ts';
import { makePoolHere } from '../../support/pool-here.ts';
import { listEntries, openFolders } from './cached-sources.ts';

const root = mkdtempSync(join(tmpdir(), 'swath-replaced-'));
after(() => rmSync(root, { recursive: true, force: true }));

const SIZE = 64;
const TRANSFORM = [500_000, 10, 0, 4_700_000, 0, -10] as const;

/** A picture of one value; equal sizes give files of equal length. */
async function writeImage(path: string, value: number, { size = SIZE, type = 'uint16' as const } = {}) {
  const cog = await createCog(path, {
    width: size,
    height: size,
    bandCount: 1,
    type,
    epsg: 32631,
    transform: [...TRANSFORM],
    nodata: 0,
    compression: 'none',
    predictor: 1,
    blockSize: 16,
  });
  await cog.writeRows([new Uint16Array(size * size).fill(value)], size);
  await cog.finish();
}

const asset: Asset = {
  ...(makeScene(21).assets.B04 as Asset),
  href: 'scenes/B04.tif',
  width: SIZE,
  height: SIZE,
  transform: [...TRANSFORM],
  overviews: [],
  scale: 1,
  offset: 0,
};

interface ServiceOptions {
  readonly dataDir: string;
  readonly network?: NetworkSources;
  /** Folders for headers and ranges of remote files, as another process would open them. */
  readonly caches?: Pick<OpenSourceOptions, 'headers' | 'ranges'>;
  readonly clock: { nowMs: number };
}

/** The service as `start-rendering` builds it, with a clock of the test's and its jobs on this thread. */
function startService({ dataDir, network, caches, clock }: ServiceOptions) {
  const store = openSqliteStore(dataDir);
  const { scenes } = store;
  const { pool, takeJobs } = makePoolHere({
    dataDir,
    ...(network ? { network } : {}),
    ...caches,
  });
  const lines: string[] = [];
  const watch = makeFileWatch({
    scenes,
    readStamp: makeReadFileStamp(dataDir),
    nowMs: () => clock.nowMs,
    async renewFiles({ assets, cloudMask }) {
      const input: SceneFiles = { assets, ...(cloudMask === undefined ? {} : { cloudMask }) };
      return (await pool.run('renew-files', input, { ...aTicket, bytes: 1 })).output;
    },
    onRenewed: () => lines.push('renewed'),
    onUnfit: () => lines.push('unfit'),
    onFailure: (error) => lines.push(String(error)),
  });
  const results = makeResultCache(joinFolder(makeFolderHandle(join(dataDir, 'tile-cache'), 2 ** 24)));
  const compareScene = makeCompareScene({ scenes, watch, nowMs: () => clock.nowMs });
  const common = { scenes, compareScene, watch, pool, timeoutMs: HANG_MS, onForgotten: () => {} };
  const renderer = makeRenderer({
    limits: DEFAULT_LIMITS,
    ...common,
    findContrast: makeFindContrast({ limits: DEFAULT_LIMITS, ...common, store: store.contrasts }),
    pictures: makePictureCache(results),
  });
  const sensor = sensorByAbbreviation('S2');
  assert.ok(sensor);
  const ticket = aTicket;
  const name = { viewId: makeScene(21).viewId, sceneName: '', sensor, bands: 'B04' };
  const options: RenderOptions = {
    format: 'png',
    method: null,
    range: { min: 0, max: 1_000 },
    calibrated: false,
    isComposite: false,
    color: {},
    area: null,
    watermark: null,
  };
  const grid = { epsg: 32631, transform: [...TRANSFORM] as Asset['transform'], width: SIZE, height: SIZE };
  const readPoint = makePointReader(common);
  const findIntensity = makeFindIntensity({ limits: DEFAULT_LIMITS, ...common, store: store.intensities });
  return {
    store,
    takeJobs,
    lines,
    /** What a 304 is decided by. */
    etag: async () => (await renderer.plan({ ...name, grid, options })).etag,
    async draw() {
      const planned = await renderer.plan({ ...name, grid, options });
      const { etag, bytes } = await renderer.render(planned, ticket);
      return { planned: planned.etag, etag, bytes: Buffer.from(bytes).toString('base64') };
    },
    point: () => readPoint({ ...name, calibrated: false, point: POINT }, ticket),
    range: () =>
      findIntensity(
        {
          ...name,
          countsClouds: false,
          onlyOpaque: null,
          calibrated: false,
          within: null,
          area: null,
          rule: { method: 'cc', lowPercent: 0, highPercent: 100, cloudPercent: 0 },
        },
        ticket,
      ),
    async stop() {
      await waitFor(() => results.stats().written > 0);
      await results.settled();
      await store.close();
    },
  };
}

/** Near the middle of the image. */
const POINT = { lat: 42.4487, lon: 3.0038 };

function makeData(name: string): string {
  const dataDir = join(root, name);
  mkdirSync(join(dataDir, 'scenes'), { recursive: true });
  return dataDir;
}

/** Replaces a file as `mv` does: at once, under the same name, with the time of the moved file. */
async function replace(dataDir: string, value: number, more: { size?: number } = {}): Promise<void> {
  const fresh = join(dataDir, 'scenes/new.tif');
  await writeImage(fresh, value, more);
  renameSync(fresh, join(dataDir, asset.href));
}

test('a file replaced under a service: new pixels, ETag, point and range within five seconds, and no old ones again', async () => {
  const dataDir = makeData('local');
  await writeImage(join(dataDir, asset.href), 500);
  const clock = { nowMs: 0 };
  const service = startService({ dataDir, clock });
  // As an older catalog has it: without the state of the file.
  await service.store.scenes.put(makeScene(21, { assets: { B04: asset } }));
  const first = await service.draw();
  assert.deepEqual(await service.draw(), first);
  assert.deepEqual(await service.point(), [500]);
  const { ranges } = await service.range();
  assert.ok(ranges[0]);
  const before = await service.store.scenes.findByViewId(makeScene(21).viewId);
  assert.equal(before?.assets.B04?.stamps?.length, 1, 'the first use writes down the state of the file');

  await replace(dataDir, 900);
  clock.nowMs = 4_000;
  assert.deepEqual(await service.draw(), first, 'cached pictures are right for their ETag');
  clock.nowMs = 5_000;
  await service.etag();
  await waitFor(() => service.lines.length > 0);
  const second = await service.draw();
  assert.notEqual(second.etag, first.etag);
  assert.notEqual(second.bytes, first.bytes);
  assert.equal(await service.etag(), second.etag);
  assert.deepEqual(await service.point(), [900]);
  assert.notDeepEqual((await service.range()).ranges, ranges);
  assert.deepEqual(service.lines, ['renewed']);
  await waitFor(async () => {
    const now = await service.store.scenes.findByViewId(makeScene(21).viewId);
    return now !== null && now.version !== before?.version;
  });
  await service.stop();
});

test('a thread that opens the new file before anybody has looked draws it under its own ETag', async () => {
  const dataDir = makeData('early');
  await writeImage(join(dataDir, asset.href), 500);
  const clock = { nowMs: 0 };
  const service = startService({ dataDir, clock });
  await service.store.scenes.put(makeScene(21, { assets: { B04: asset } }));
  const old = await service.etag();
  await replace(dataDir, 900);
  const drawn = await service.draw();
  assert.equal(drawn.planned, old);
  assert.notEqual(drawn.etag, old);
  assert.equal(await service.etag(), drawn.etag);
  assert.deepEqual(await service.point(), [900]);
  await service.stop();
});

test('pictures cached on disk are not served after a restart when the file was replaced in between', async () => {
  const dataDir = makeData('restart');
  await writeImage(join(dataDir, asset.href), 500);
  const one = startService({ dataDir, clock: { nowMs: 0 } });
  await one.store.scenes.put(makeScene(21, { assets: { B04: asset } }));
  const first = await one.draw();
  await one.stop();
  const two = startService({ dataDir, clock: { nowMs: 0 } });
  assert.deepEqual(await two.draw(), first);
  assert.deepEqual(two.takeJobs(), [], 'it is served from disk');
  await two.store.close();
  await replace(dataDir, 900);
  const three = startService({ dataDir, clock: { nowMs: 0 } });
  const second = await three.draw();
  assert.notEqual(second.etag, first.etag);
  assert.notEqual(second.bytes, first.bytes);
  await three.stop();
});

test('an image of another size is refused, with its own code, until the scene is ingested again', async () => {
  const dataDir = makeData('other');
  await writeImage(join(dataDir, asset.href), 500);
  const clock = { nowMs: 0 };
  const service = startService({ dataDir, clock });
  await service.store.scenes.put(makeScene(21, { assets: { B04: asset } }));
  await service.draw();
  await replace(dataDir, 900, { size: SIZE * 2 });
  clock.nowMs = 70_000;
  for (const ask of [service.draw, service.etag, service.point, service.range]) {
    await assert.rejects(ask(), { tag: 'source-broken', code: 'source-changed', message: /ingested again/ });
  }
  assert.deepEqual(service.lines, ['unfit']);
  const size = { width: SIZE * 2, height: SIZE * 2 };
  await service.store.scenes.put(makeScene(21, { assets: { B04: { ...asset, ...size } } }));
  await service.draw();
  await service.stop();
});

test('a file rewritten in place while it is open is noticed by the read itself', async () => {
  const dataDir = makeData('rewritten');
  const path = join(dataDir, asset.href);
  await writeImage(path, 500);
  const clock = { nowMs: 0 };
  const service = startService({ dataDir, clock });
  await service.store.scenes.put(makeScene(21, { assets: { B04: asset } }));
  assert.deepEqual(await service.point(), [500]);
  await writeImage(join(dataDir, 'scenes/new.tif'), 900);
  // The same inode: a copy onto it.
  writeFileSync(path, readFileSync(join(dataDir, 'scenes/new.tif')));
  utimesSync(path, 1_700_000_000, 1_700_000_000);
  // The block of the point is in memory; the picture reads the others from the file.
  const drawn = await service.draw();
  assert.deepEqual(await service.point(), [900]);
  assert.equal(await service.etag(), drawn.etag);
  assert.deepEqual(service.lines, ['renewed']);
  await service.stop();
});

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

test('a remote file whose ETag changes: what is read next is of the new file, under an ETag of its own', async () => {
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

test('with headers and ranges on disk a restarted service asks for nothing, and notices a replaced file all the same', async () => {
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

test('a file that is replaced within a picture: old blocks on disk and new ones of the store never mix', async () => {
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
