/**
 * Numbers of many fields: `npm run bench -- bulk`.
 *
 * Makes a tile of 10,980 × 10,980 pixels in the shape of Sentinel-2 and fields of 10 ha in it, and measures NDVI of all of them
 * in every scene on two threads, the whole order with its table: time, CPU time, memory, and how far the predicted end
 * was off at worst. Then a part of it, compared with exactextract and rasterstats (installed once below
 * node_modules/.cache), and how the cost grows with scenes and fields. `--fields 50000 --scenes 20`;
 * `--part 2` takes half of the tile's side; `--data FOLDER` keeps the tile. Fails when a demand is not met. Needs Linux and
 * python3.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Scene } from '../../src/catalog/index.ts';
import { installPython } from '../../test/support/python-packages.ts';
import { demand, printRow } from '../exports/report.ts';
import { EPSG, TRANSFORM } from '../tiles/make-band.ts';
import type { PixelField } from './make-tile.ts';
import { makeFields, makeScenes, toMetres } from './make-tile.ts';
import type { EngineCost } from './measure-engine.ts';
import { measureEngine } from './measure-engine.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    fields: { type: 'string', default: '50000' },
    scenes: { type: 'string', default: '20' },
    part: { type: 'string', default: '2' },
    only: { type: 'string' },
  },
});
const PACKAGES = [
  ...['numpy==2.4.6', 'exactextract==0.3.0', 'rasterio==1.4.4', 'rasterstats==0.21.0'],
  ...['shapely==2.2.0', 'geopandas==1.2.0'],
];
const SIZE_PX = 10_980;
const work = mkdtempSync(join(tmpdir(), 'swath-bench-bulk-'));
const dataDir = values.data === undefined ? work : resolve(values.data);
const [fieldCount, sceneCount, part] = [Number(values.fields), Number(values.scenes), Number(values.part)];

const printCost = (name: string, { wallS, cpuS, maxRssMb, estimateError }: EngineCost): void =>
  printRow(
    name,
    wallS.toFixed(1),
    cpuS.toFixed(1),
    maxRssMb.toFixed(0),
    estimateError === null ? '–' : `${Math.round(100 * estimateError)} %`,
  );

/** What a peer takes for fields in a square of the tile. */
function measurePeer(
  python: string,
  peer: 'exactextract' | 'exactextract-stack' | 'rasterstats',
  { scenes, fields, sizePx }: { scenes: readonly Scene[]; fields: readonly PixelField[]; sizePx: number },
): Cost & { readonly mean: number } {
  const path = join(work, 'order.json');
  writeFileSync(
    path,
    JSON.stringify({
      x: TRANSFORM[0],
      y: TRANSFORM[3],
      epsg: EPSG,
      sizePx,
      scenes: scenes.map(({ assets }) =>
        ['B04', 'B08'].map((band) => join(dataDir, assets[band]?.href ?? '')),
      ),
      fields: fields.map(({ corners }) => corners.map(([col, row]) => toMetres(col, row))),
    }),
  );
  const script = fileURLToPath(new URL('peer.py', import.meta.url));
  const { status, stdout, stderr } = spawnSync(python, [script, peer, path], {
    encoding: 'utf8',
    env: { ...process.env, OMP_NUM_THREADS: '1' },
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Cost & { mean: number };
}

try {
  const python = join(await installPython('bulk', PACKAGES, console.log), 'python');
  const scenes = await makeScenes(dataDir, Math.max(sceneCount, 4), SIZE_PX);
  if (values.only !== 'compare') await measureWhole(scenes);
  await comparePart(python, scenes);
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** The whole order, and how its cost grows. */
async function measureWhole(scenes: readonly Scene[]): Promise<void> {
  console.log(`load ${loadavg()[0]?.toFixed(1)}; ${fieldCount} fields of 10 ha, ${sceneCount} scenes, NDVI`);
  printRow('', 'wall s', 'CPU s', 'MB', 'estimate');

  const fields = makeFields(fieldCount, SIZE_PX);
  const whole = await measureEngine({ dataDir, scenes: scenes.slice(0, sceneCount), fields });
  printCost('the whole order, by centres', whole);
  const perScene = whole.cpuS / sceneCount;
  demand('15 minutes on two cores', whole.cpuS / 2 <= 900);
  demand('1 GB of memory', whole.maxRssMb <= 1_000);
  demand('the end is predicted within 20 % from a fifth of the work on', (whole.estimateError ?? 1) <= 0.2);

  const [two, four] = [
    await measureEngine({ dataDir, scenes: scenes.slice(0, 2), fields }),
    await measureEngine({ dataDir, scenes: scenes.slice(0, 4), fields }),
  ];
  printCost('two scenes', two);
  printCost('four scenes', four);
  demand(
    'linear in scenes: two more cost no more than twice what a scene costs on average',
    four.cpuS - two.cpuS <= 2 * 1.2 * Math.max(perScene, two.cpuS / 2),
  );
  const few = await measureEngine({
    dataDir,
    scenes: scenes.slice(0, 4),
    fields: makeFields(Math.ceil(fieldCount / 4), SIZE_PX),
  });
  printCost('a fourth of the fields, four scenes', few);
  demand('less than linear in fields', four.cpuS < 4 * few.cpuS);
}

type Cost = Pick<EngineCost, 'wallS' | 'cpuS'>;

const average = (a: Cost, b: Cost): Cost => ({ wallS: (a.wallS + b.wallS) / 2, cpuS: (a.cpuS + b.cpuS) / 2 });

/**
 * A part of the fields in all scenes, beside exactextract and rasterstats. Both use one core and Swath uses two: the demands
 * are of the time on the clock, which a user waits for, and the CPU time stands beside it.
 */
async function comparePart(python: string, scenes: readonly Scene[]): Promise<void> {
  const sizePx = Math.floor(SIZE_PX / part);
  const fields = makeFields(Math.floor(fieldCount / part ** 2), sizePx);
  const request = { scenes: scenes.slice(0, sceneCount), fields, sizePx };
  console.log(`\n${fields.length} fields in a square of ${sizePx} pixels, ${sceneCount} scenes`);
  const measure = (weights: 'centres' | 'fractions') =>
    measureEngine({ dataDir, ...request, more: { weights } });
  const before = { centres: await measure('centres'), shares: await measure('fractions') };
  const exact = measurePeer(python, 'exactextract', request);
  const stack = measurePeer(python, 'exactextract-stack', request);
  const stats = measurePeer(python, 'rasterstats', request);
  const centres = average(before.centres, await measure('centres'));
  const shares = average(before.shares, await measure('fractions'));
  printRow('', 'wall s', 'of shares', 'centres', 'CPU s', 'of shares', 'centres');
  const print = (name: string, cost: Cost): void =>
    printRow(
      name,
      ...(['wallS', 'cpuS'] as const).flatMap((clock) => [
        cost[clock].toFixed(1),
        (cost[clock] / shares[clock]).toFixed(1),
        (cost[clock] / centres[clock]).toFixed(1),
      ]),
    );
  print('Swath, by shares of pixels', shares);
  print('Swath, by centres', centres);
  print('exactextract', exact);
  print('exactextract, all scenes in one call', stack);
  print('rasterstats', stats);
  demand('a tenth of exactextract, by shares of pixels', exact.wallS >= 10 * shares.wallS);
  demand('a twentieth of rasterstats, by centres', stats.wallS >= 20 * centres.wallS);
}
