/**
 * Numbers of many fields: `npm run bench -- bulk`.
 *
 * Makes a tile of 10,980 × 10,980 pixels in the shape of Sentinel-2 and fields of 10 ha in it, and measures NDVI of all of them
 * in every scene on two threads, the whole order with its table: time, CPU time, memory, and how far the predicted end
 * was off at worst; then how the cost grows with scenes and fields. exactextract and rasterstats (installed once below
 * node_modules/.cache) measure a part of it, and what a field in a scene costs is compared: they take each scene by itself,
 * so theirs does not depend on how many there are. `--fields 50000 --scenes 20`; `--part 4` takes a fourth of the tile's side
 * and `--peer-scenes 4` as many scenes for them; `--only compare` leaves the growth out; `--data FOLDER` keeps the tile. Fails
 * when a demand is not met. Needs Linux, python3, and for times on the clock a machine without other work.
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
    part: { type: 'string', default: '4' },
    'peer-scenes': { type: 'string', default: '4' },
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
const peerScenes = Number(values['peer-scenes']);

/** What something took, in seconds. */
type Cost = Pick<EngineCost, 'wallS' | 'cpuS'>;

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
  const scenes = await makeScenes(dataDir, Math.max(sceneCount, peerScenes, 4), SIZE_PX);
  const order = {
    dataDir,
    scenes: scenes.slice(0, sceneCount),
    fields: { count: fieldCount, sizePx: SIZE_PX },
  };
  console.log(`load ${loadavg()[0]?.toFixed(1)}; ${fieldCount} fields of 10 ha, ${sceneCount} scenes, NDVI`);
  printRow('', 'wall s', 'CPU s', 'MB', 'estimate');
  const centres = await measureEngine(order);
  printCost('the whole order, by centres', centres);
  const shares = await measureEngine({ ...order, more: { weights: 'fractions' } });
  printCost('the whole order, by shares of pixels', shares);
  for (const whole of [centres, shares]) {
    demand('15 minutes on two cores', whole.cpuS / 2 <= 900);
    demand('1 GB of memory', whole.maxRssMb <= 1_000);
    demand('the end is predicted within 20 % from a fifth of the work on', (whole.estimateError ?? 1) <= 0.2);
  }
  if (values.only !== 'compare') await measureGrowth(scenes, order.fields, centres.cpuS / sceneCount);
  comparePeers(python, scenes, { centres, shares });
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** How the cost of an order grows. */
async function measureGrowth(
  scenes: readonly Scene[],
  fields: { readonly count: number; readonly sizePx: number },
  perSceneS: number,
): Promise<void> {
  const [two, four] = [
    await measureEngine({ dataDir, scenes: scenes.slice(0, 2), fields }),
    await measureEngine({ dataDir, scenes: scenes.slice(0, 4), fields }),
  ];
  printCost('two scenes', two);
  printCost('four scenes', four);
  demand(
    'linear in scenes: two more cost no more than twice what a scene costs on average',
    four.cpuS - two.cpuS <= 2 * 1.2 * Math.max(perSceneS, two.cpuS / 2),
  );
  const few = await measureEngine({
    dataDir,
    scenes: scenes.slice(0, 4),
    fields: { ...fields, count: Math.ceil(fields.count / 4) },
  });
  printCost('a fourth of the fields, four scenes', few);
  demand('less than linear in fields', four.cpuS < 4 * few.cpuS);
}

/**
 * What a field in a scene costs, beside exactextract and rasterstats. Both use one core and Swath uses two: the demands are
 * of the time on the clock, which a user waits for, and the CPU time stands beside it.
 */
function comparePeers(
  python: string,
  scenes: readonly Scene[],
  { centres, shares }: { readonly centres: Cost; readonly shares: Cost },
): void {
  const sizePx = Math.floor(SIZE_PX / part);
  const fields = makeFields(Math.floor(fieldCount / part ** 2), sizePx);
  const request = { scenes: scenes.slice(0, peerScenes), fields, sizePx };
  console.log(`\nA field in a scene; peers with ${fields.length} fields and ${peerScenes} scenes`);
  const divide = ({ wallS, cpuS }: Cost, count: number): Cost => ({
    wallS: wallS / count,
    cpuS: cpuS / count,
  });
  const ofPeer = (peer: Parameters<typeof measurePeer>[1]): Cost =>
    divide(measurePeer(python, peer, request), fields.length * peerScenes);
  const ofSwath = {
    centres: divide(centres, fieldCount * sceneCount),
    shares: divide(shares, fieldCount * sceneCount),
  };
  const [exact, stack, stats] = [ofPeer('exactextract'), ofPeer('exactextract-stack'), ofPeer('rasterstats')];
  printRow('', 'wall µs', 'of shares', 'centres', 'CPU µs', 'of shares', 'centres');
  for (const [name, cost] of [
    ['Swath, by shares of pixels', ofSwath.shares],
    ['Swath, by centres', ofSwath.centres],
    ['exactextract', exact],
    ['exactextract, all scenes in one call', stack],
    ['rasterstats', stats],
  ] as const)
    printRow(
      name,
      ...(['wallS', 'cpuS'] as const).flatMap((clock) => [
        (1e6 * cost[clock]).toFixed(0),
        (cost[clock] / ofSwath.shares[clock]).toFixed(1),
        (cost[clock] / ofSwath.centres[clock]).toFixed(1),
      ]),
    );
  demand('a tenth of exactextract, by shares of pixels', exact.wallS >= 10 * ofSwath.shares.wallS);
  demand('a twentieth of rasterstats, by centres', stats.wallS >= 20 * ofSwath.centres.wallS);
}
