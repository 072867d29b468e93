/**
 * A process of its own that runs the service of the spec and prints how to reach it; it ends when its standard input does.
 * Files of the spec share it, and leave what others ask for as it is.
 */

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore, prepareDirectory } from '../../src/adapters/sqlite/index.ts';
import { lockFolder } from '../../src/app/open-store.ts';
import type { Scene } from '../../src/catalog/index.ts';
import { makeGridNetcdf } from '../../src/cubes/testing/make-grid-netcdf.ts';
import { DEMO_FOLDER } from '../../src/demo/demo-data.ts';
import { ingestFolder } from '../../src/ingest/index.ts';
import { ingestMoistureFiles } from '../../src/soil-moisture/index.ts';
import { makeOpenSource, toFileHref } from '../../src/sources/index.ts';
import { ingestDem } from '../../src/terrain/index.ts';
import type { DemoPart } from '../../world/demo/demo-part.ts';
import { startSwath, waitUntilReady } from '../support/start-swath.ts';
import { copyParts } from '../world/shared-world.ts';
import type { Key } from './spec-world.ts';
import { MOISTURE, PARTS, TERRAIN } from './spec-world.ts';

/** What the tests need to know of the service. */
export interface SpecService {
  readonly url: string;
  readonly dataDir: string;
  readonly scenes: Readonly<Record<Key, Scene>>;
}

/** Writes the products and takes them in, as `swath ingest folder` does. */
async function fill(dataDir: string): Promise<SpecService['scenes']> {
  const scenes = new Map<Key, Scene>();
  const toFolder = ({ key }: DemoPart): string => join(dataDir, DEMO_FOLDER, key);
  await copyParts([...Object.values(PARTS), TERRAIN], toFolder);
  const roots = { dataDir, folders: [] };
  prepareDirectory(dataDir);
  const store = openSqliteStore(dataDir);
  const open = makeOpenSource(roots);
  for (const [key, part] of Object.entries(PARTS)) {
    const toHref = (path: string): string => toFileHref(path, roots);
    const onBug = (error: unknown): never => assert.fail(String(error));
    const provenance = 'demo';
    await ingestFolder({ path: toFolder(part), store: store.scenes, open, toHref, onBug, provenance });
    const known = new Set([...scenes.values()].map(({ viewId }) => viewId));
    for await (const scene of store.scenes.list()) {
      if (!known.has(scene.viewId)) scenes.set(key as Key, scene);
    }
    assert.ok(scenes.has(key as Key), `${key} was not taken in`);
  }
  const { totals } = await ingestDem({
    from: toFolder(TERRAIN),
    store: store.dems,
    name: 'demo',
    open,
    isAllowedHref: () => false,
    toHref: (path) => toFileHref(path, roots),
    listBucket: () => assert.fail('there is no bucket'),
  });
  assert.equal(totals.ingested, 4);
  await store.close();
  await fillMoisture(dataDir);
  return Object.fromEntries(scenes) as SpecService['scenes'];
}

/** The same on each cell of a grid over the world. */
async function fillMoisture(dataDir: string): Promise<void> {
  const folder = join(dataDir, 'moisture');
  mkdirSync(folder);
  const first = Date.parse(MOISTURE.first) / 86_400_000;
  const bytes = makeGridNetcdf({
    grid: { west: -123, north: 49, lonStep: 0.25, latStep: 0.25, width: 6, height: 6 },
    steps: MOISTURE.days.map((day) => first + day),
    valueAt: (step) => MOISTURE.surface[MOISTURE.days.findIndex((day) => first + day === step)] as number,
  });
  writeFileSync(join(folder, 'moisture.nc'), bytes);
  const { signal } = new AbortController();
  const config = { dataDir, cubes: null, sources: { folders: [] } };
  await ingestMoistureFiles({
    config,
    lockFolder,
    from: folder,
    cube: 'spec',
    variable: null,
    porosity: null,
    signal,
  });
}

const dataDir = mkdtempSync(join(tmpdir(), 'swath-spec-'));
process.on('exit', () => rmSync(dataDir, { recursive: true, force: true }));
const scenes = await fill(dataDir);
const swath = await startSwath({
  dataDir,
  env: {
    SWATH_LOG: 'warn',
    SWATH_WATERMARK: 'Swath preview',
    SWATH_STATISTICS_PER_MINUTE: '0',
    SWATH_WORK_PER_MINUTE: '0',
    SWATH_WRITES_PER_MINUTE: '0',
  },
});
await waitUntilReady(swath.url);
process.stdin.on('end', () => {
  swath.stop().finally(() => process.exit(0));
});
process.stdin.resume();
console.log(JSON.stringify({ url: swath.url, dataDir, scenes } satisfies SpecService));
