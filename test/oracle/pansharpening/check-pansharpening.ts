/**
 * Draws sharpened tiles of real Landsat 8 products as the service does and compares them with GDAL's warps and the
 * formulas in NumPy: every level of every channel may differ by one.
 *   npm run node -- test/oracle/pansharpening/check-pansharpening.ts <folder>      (or SWATH_SAMPLES=<folder>)
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { makeBlockCache } from '../../../src/blocks/index.ts';
import type { Scene } from '../../../src/catalog/index.ts';
import type { Tile } from '../../../src/geo/index.ts';
import { applyAffine, tileAt, tileGrid } from '../../../src/geo/index.ts';
import { ingestFolder } from '../../../src/ingest/index.ts';
import { makePool } from '../../../src/pool/index.ts';
import { projectBounds } from '../../../src/proj/index.ts';
import type { RenderJobs } from '../../../src/render/index.ts';
import { makeFindContrast } from '../../../src/render/intensity/find-contrast.ts';
import { planDetailSamples } from '../../../src/render/pansharpening/find-details.ts';
import type { RenderOptions } from '../../../src/render/pictures/plan-picture.ts';
import { planPicture } from '../../../src/render/pictures/plan-picture.ts';
import { defaultOptions } from '../../../src/render/pictures/testing/default-options.ts';
import { DEFAULT_LIMITS } from '../../../src/render/plan/plan-inputs.ts';
import { sensorByAbbreviation } from '../../../src/sensors/index.ts';
import { makeOpenSource, toFileHref } from '../../../src/sources/index.ts';
import { makeMemoryStore } from '../ingest/memory-store.ts';
import { findPython } from '../tiff/find-python.ts';

const folder = process.argv[2] ?? process.env.SWATH_SAMPLES;
if (folder === undefined) {
  console.log('No folder of products was given (argument, or SWATH_SAMPLES): nothing was checked.');
  process.exit(0);
}
const root = resolve(folder);
const files = { dataDir: resolve('.nothing-here'), folders: [root] };
const { store, scenes } = makeMemoryStore();
await ingestFolder({
  path: root,
  store,
  open: makeOpenSource(files),
  toHref: (path) => toFileHref(path, files),
});
const sharpenable = [...scenes.values()].filter(
  ({ viewId, assets }) =>
    viewId.startsWith('L8/') && ['B2', 'B3', 'B4', 'B5', 'B8'].every((band) => band in assets),
);
if (sharpenable.length === 0) throw new Error(`${root} holds no Landsat 8 product with a panchromatic band.`);

/** The tile in the middle of a scene whose pixels are smaller than panchromatic ones, so that full images are read. */
function middleTile({ assets }: Scene): Tile {
  const { B8: pan } = assets;
  if (pan === undefined) throw new Error('no panchromatic band');
  const [x, y] = applyAffine(pan.transform, pan.width / 2, pan.height / 2);
  const bounds = projectBounds({ minX: x, minY: y, maxX: x + 1, maxY: y + 1 }, pan.epsg, 3857);
  if (bounds === null) throw new Error('not in Web Mercator');
  const zoom = Math.ceil(Math.log2((2 * 20037508.34) / 256 / pan.transform[1]));
  return tileAt(zoom, bounds.minX, bounds.minY);
}

interface Case {
  readonly bands: string;
  readonly options: Partial<RenderOptions>;
}
const stored = { min: 5_000, max: 30_000 };
const reflectances = { min: 0, max: 0.3 };
const cases: readonly Case[] = (['near', 'bilinear', 'cubic', 'lanczos'] as const).flatMap((method) => [
  { bands: 'B4,B3,B2', options: { method, range: stored } },
  { bands: 'B5,B4,B3', options: { method, range: reflectances, calibrated: true } },
  { bands: 'B5', options: { method, range: stored } },
  { bands: 'B4', options: { method, range: reflectances, calibrated: true } },
  { bands: '(B5-B4)/(B5+B4)', options: { method, range: { min: -0.3, max: 0.6 } } },
]);

const blocks = makeBlockCache(64 * 2 ** 20);
const pool = makePool<RenderJobs>({
  script: new URL('../../../src/app/pixel-worker.ts', import.meta.url),
  settings: { files, blocks: blocks.handle },
  onThreadExit: blocks.release,
  threads: 1,
  budgetBytes: 2 ** 30,
  maxWaiting: { tile: 100, task: 100 },
  ownerShare: 1,
});
const out = mkdtempSync(join(tmpdir(), 'swath-pansharpening-'));
let status: number | null = 1;
try {
  const sensor = sensorByAbbreviation('L8');
  if (sensor === null) throw new Error('no sensor');
  const ticket = {
    owner: 'oracle',
    lane: 'tile',
    timeoutMs: 60_000,
    signal: AbortSignal.timeout(300_000),
  } as const;
  const findContrast = makeFindContrast({
    limits: DEFAULT_LIMITS,
    store: { find: async () => null, put: async () => undefined },
    pool,
    onForgotten: (error) => {
      throw error;
    },
  });
  const jobs: object[] = [];
  for (const scene of sharpenable) {
    const grid = tileGrid(middleTile(scene));
    for (const { bands, options } of cases) {
      const wanted = { ...defaultOptions, format: 'png', isSharpened: true, ...options } as const;
      const plan = planPicture({ sensor, bands, grid, options: wanted }, scene);
      const contrast = await findContrast({ plan, scene }, ticket);
      const input = { plan, contrast, outline: null };
      const { output } = await pool.run('draw', input, { ...ticket, bytes: plan.bytes });
      const picture = join(out, `${jobs.length}.png`);
      writeFileSync(picture, output.bytes);
      const hrefs = Object.fromEntries(Object.entries(scene.assets).map(([band, { href }]) => [band, href]));
      const samples = planDetailSamples(plan, scene).map((sample) => sample.grid);
      const { method, range, calibrated } = wanted;
      jobs.push({ viewId: scene.viewId, bands, method, range, calibrated, hrefs, grid, samples, picture });
    }
  }
  const script = resolve(import.meta.dirname, 'gdal_pansharpening.py');
  ({ status } = spawnSync(findPython(), [script], {
    input: JSON.stringify(jobs),
    stdio: ['pipe', 'inherit', 'inherit'],
  }));
} finally {
  await pool.close();
  rmSync(out, { recursive: true, force: true });
}
process.exit(status ?? 1);
