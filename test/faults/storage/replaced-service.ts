import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
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
import { DEFAULT_LIMITS } from '../../../src/render/plan/plan-inputs.ts';
import { makePointReader } from '../../../src/render/read-point.ts';
import { makePictureCache, makeRenderer } from '../../../src/render/renderer.ts';
import { makeCompareScene, makeFileWatch } from '../../../src/render/scenes/file-watch.ts';
import { sensorByAbbreviation } from '../../../src/sensors/index.ts';
import type { NetworkSources, OpenSourceOptions } from '../../../src/sources/index.ts';
import { makeReadFileStamp } from '../../../src/sources/index.ts';
import { HANG_MS, waitFor } from '../../../src/testing/wait-for.ts';
import { makePoolHere } from '../../support/pool-here.ts';

const root = mkdtempSync(join(tmpdir(), 'swath-replaced-'));
after(() => rmSync(root, { recursive: true, force: true }));

/** Pixels of a side. */
export const SIZE = 64;

const TRANSFORM = [500_000, 10, 0, 4_700_000, 0, -10] as const;

/** A picture of one value; equal sizes give files of equal length. */
export async function writeImage(
  path: string,
  value: number,
  { size = SIZE, type = 'uint16' as const } = {},
) {
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

/** The image of the scene, as its record states it. */
export const asset: Asset = {
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
export function startService({ dataDir, network, caches, clock }: ServiceOptions) {
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

/** A data directory of its own. */
export function makeData(name: string): string {
  const dataDir = join(root, name);
  mkdirSync(join(dataDir, 'scenes'), { recursive: true });
  return dataDir;
}

/** Replaces a file as `mv` does: at once, under the same name, with the time of the moved file. */
export async function replace(dataDir: string, value: number, more: { size?: number } = {}): Promise<void> {
  const fresh = join(dataDir, 'scenes/new.tif');
  await writeImage(fresh, value, more);
  renameSync(fresh, join(dataDir, asset.href));
}
