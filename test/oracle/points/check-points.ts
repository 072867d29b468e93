/**
 * Takes a folder of real products into a catalog in memory, asks for values at points in and around every scene as the
 * service does, and compares them with gdallocationinfo's.
 *   npm run node -- test/oracle/points/check-points.ts <folder> [words of view ids]      (or SWATH_SAMPLES=<folder>)
 */

import { resolve } from 'node:path';
import { makeBlockCache } from '../../../src/blocks/index.ts';
import type { Asset, Scene } from '../../../src/catalog/index.ts';
import { isSwathError } from '../../../src/errors.ts';
import { ingestFolder } from '../../../src/ingest/index.ts';
import { makePool } from '../../../src/pool/index.ts';
import type { RenderJobs } from '../../../src/render/index.ts';
import { makePointReader } from '../../../src/render/read-point.ts';
import { stillFiles } from '../../../src/render/scenes/testing/still-files.ts';
import type { Sensor } from '../../../src/sensors/index.ts';
import { parseViewId } from '../../../src/sensors/index.ts';
import { makeOpenSource, toFileHref } from '../../../src/sources/index.ts';
import { HANG_MS } from '../../../src/testing/wait-for.ts';
import { makeMemoryStore } from '../ingest/memory-store.ts';
import type { Found, Position } from './ask-gdal.ts';
import { askGdal } from './ask-gdal.ts';

const [folder = process.env.SWATH_SAMPLES, ...words] = process.argv.slice(2);
if (folder === undefined) {
  console.log('No folder of products was given (argument, or SWATH_SAMPLES): nothing was checked.');
  process.exit(0);
}
const POINTS = 8;
/** Bands of a scene that are asked for: the first, the last, and those between. */
const BANDS = 3;

const root = resolve(folder);
const files = { dataDir: resolve('.nothing-here'), folders: [root] };
const { store, scenes } = makeMemoryStore();
await ingestFolder({
  path: root,
  store,
  open: makeOpenSource(files),
  toHref: (path) => toFileHref(path, files),
});

const blocks = makeBlockCache(64 * 2 ** 20);
const pool = makePool<RenderJobs>({
  script: new URL('../../../src/app/pixel-worker.ts', import.meta.url),
  settings: { files, blocks: blocks.handle },
  onThreadExit: blocks.release,
  threads: 1,
  budgetBytes: 2 ** 28,
  ownerShare: 1,
  maxWaiting: { tile: 16, task: 1 },
  maxWorkerBytes: 2 ** 29,
});
await pool.ready();
const readPoint = makePointReader({
  scenes: store as never,
  compareScene: async (scene) => scene,
  watch: stillFiles,
  pool,
});
const { signal } = new AbortController();

let [compared, empty, outside, moved] = [0, 0, 0, 0];
const faults: string[] = [];
for (const scene of scenes.values()) {
  if (words.length > 0 && !words.some((word) => scene.viewId.includes(word))) continue;
  const { sensor, viewId, sceneName } = parseViewId(scene.viewId);
  for (const [band, asset] of chooseBands(scene, sensor)) {
    const positions = choosePositions(scene, POINTS);
    const image = { path: asset.href, bandIndex: asset.bandIndex, hasLattice: asset.lattice !== undefined };
    const found = askGdal(image, positions);
    for (const [i, point] of positions.entries()) {
      const request = { sensor, viewId, sceneName, bands: band, point, calibrated: false };
      const value = await readPoint(request, {
        owner: 'oracle',
        lane: 'tile',
        timeoutMs: HANG_MS,
        signal,
      }).then(
        ([only = null]) => only,
        (error: unknown) => {
          if (isSwathError(error) && error.code === 'outside-scene') return 'outside' as const;
          throw error;
        },
      );
      const wanted = (found[i] as Found)?.map((stored) => toWanted(stored, asset, sensor)) ?? null;
      const agrees =
        value === 'outside' ? wanted === null || image.hasLattice : wanted?.includes(value) === true;
      if (!agrees) faults.push(`${viewId} ${band} at ${point.lat}, ${point.lon}: ${value}, not ${wanted}`);
      if (value === 'outside') outside += 1;
      else if (value === null) empty += 1;
      else compared += 1;
      if (image.hasLattice && value !== wanted?.[4] && value !== 'outside') moved += 1;
    }
  }
}
await pool.close({ drainMs: 1000 });

console.log(`${compared} values, ${empty} empty pixels and ${outside} positions outside were compared.`);
console.log(`${moved} of those between control points were the value of a neighbour.`);
for (const fault of faults) console.error(fault);
process.exit(faults.length === 0 && compared > 0 ? 0 : 1);

/** Quality bits are moved to one layout before anyone sees them: all other bands are as they are stored. */
function chooseBands({ assets }: Scene, { quality }: Sensor): readonly (readonly [string, Asset])[] {
  const all = Object.entries(assets).filter(([band]) => band !== quality?.band);
  const step = Math.max(1, (all.length - 1) / (BANDS - 1));
  const chosen = Array.from({ length: Math.min(BANDS, all.length) }, (_, i) => all[Math.floor(i * step)]!);
  return chosen;
}

/** Stored numbers of all baselines of Sentinel-2 are made to mean the same, and are at least 1. */
function toWanted(
  stored: number,
  { nodata, offset, scale }: Asset,
  { removesOffset }: Sensor,
): number | null {
  if (stored === nodata || Number.isNaN(stored)) return null;
  if (!removesOffset || offset === 0) return Math.fround(stored);
  return Math.max(1, stored + Math.round(offset / scale));
}

/** Positions all over the box around a scene, some of them outside it; the same in every run. */
function choosePositions({ footprint }: Scene, count: number): readonly Position[] {
  const corners = footprint.coordinates.flat(footprint.type === 'Polygon' ? 1 : 2) as [number, number][];
  const [lons, lats] = [corners.map(([lon]) => lon), corners.map(([, lat]) => lat)];
  const between = (values: readonly number[], part: number): number => {
    const [low, high] = [Math.min(...values), Math.max(...values)];
    return Number((low + (1.1 * part - 0.05) * (high - low)).toFixed(7));
  };
  return Array.from({ length: count }, (_, i) => ({
    lon: between(lons, (0.3 + i * 0.6180339) % 1),
    lat: between(lats, (i + 0.41) / count),
  }));
}
