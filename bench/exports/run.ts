/**
 * Files of whole scenes compared with GDAL: `npm run bench:exports`.
 *
 * The index NDVI of two bands of `--size` 10980 pixels as a compressed GeoTIFF: by gdal_calc with all cores, without
 * smaller copies and without waiting for the disk; and by the pixel threads of a running Swath, with both. Then three
 * bands as they are, whole and cropped off the borders of blocks, by gdal_translate and by Swath. They alternate, the
 * first run of each is not counted, and of the others the medians count. Without GDAL, only Swath is measured.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { PixelJobs } from '../../src/app/pixel-jobs.ts';
import { makeBlockCache } from '../../src/blocks/index.ts';
import type { SceneStore } from '../../src/catalog/index.ts';
import { toScene } from '../../src/catalog/index.ts';
import { makeScene } from '../../src/catalog/testing/make-scene.ts';
import { planAreaWindow } from '../../src/exports/area/area-window.ts';
import type { PlannedExport } from '../../src/exports/index.ts';
import { makePlanBandsFile, makePlanIndexFile } from '../../src/exports/index.ts';
import { LON_LAT_GRID } from '../../src/geo/index.ts';
import { makePool } from '../../src/pool/index.ts';
import { makePixelMapping } from '../../src/proj/index.ts';
import { makeBands } from './make-bands.ts';

const { values } = parseArgs({
  options: { size: { type: 'string', default: '10980' }, rounds: { type: 'string', default: '3' } },
});

/** What one run took. */
interface Spent {
  readonly wallS: number;
  readonly cpuS: number;
  readonly megabytes: number;
}

/** Runs a program; the shell says what CPU time its children took. */
function runProgram(command: readonly string[], result: string): Spent {
  const start = performance.now();
  const times = execFileSync('sh', ['-c', '"$@" && times', 'sh', ...command], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const wallS = (performance.now() - start) / 1000;
  const [user, system] = [...times.matchAll(/(\d+)m([\d.]+)s/g)]
    .slice(-2)
    .map(([, minutes, seconds]) => 60 * Number(minutes) + Number(seconds)) as [number, number];
  return { wallS, cpuS: user + system, megabytes: statSync(result).size / 1e6 };
}

/** The name of the program, which Debian gives an extension; null when it is not installed. */
const findCalc = (): string | null =>
  ['gdal_calc', 'gdal_calc.py'].find((name) => spawnSync(name, ['--help']).error === undefined) ?? null;

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[numbers.length >> 1] as number;

const folder = mkdtempSync(join(tmpdir(), 'swath-bench-'));
const blocks = makeBlockCache(256 * 2 ** 20);
const pool = makePool<PixelJobs>({
  script: new URL('../../src/app/pixel-worker.ts', import.meta.url),
  settings: { files: { dataDir: folder, folders: [] }, blocks: blocks.handle },
  onThreadExit: blocks.release,
  threads: 2 * availableParallelism(),
  budgetBytes: 2 ** 30,
});
try {
  const scene = toScene(
    makeScene(21, { assets: await makeBands(folder, ['B04', 'B08', 'B03'], Number(values.size)) }),
  );
  await pool.ready();
  const scenes = { findByViewId: async () => scene } as unknown as SceneStore;
  const watch = { check: async () => scene, renew: async () => {} };
  const planIndex = makePlanIndexFile({ scenes, compareScene: async (found) => found, watch, pool });
  const planBands = makePlanBandsFile({ scenes, watch, pool });
  const common = { viewId: scene.viewId, sceneName: '', sensor: 'S2', area: null };
  const runSwath = async (plan: () => Promise<PlannedExport>): Promise<Spent> => {
    const path = join(folder, 'swath.tif');
    const [start, cpu] = [performance.now(), process.cpuUsage()];
    const planned = await plan();
    const ticket = { owner: 'bench', lane: 'task', timeoutMs: 600_000 } as const;
    await planned.write(path, { ticket, onProgress() {} });
    const { user, system } = process.cpuUsage(cpu);
    const wallS = (performance.now() - start) / 1000;
    const megabytes = statSync(path).size / 1e6;
    rmSync(path);
    return { wallS, cpuS: (user + system) / 1e6, megabytes };
  };
  const calc = findCalc();
  if (calc === null) console.log('gdal_calc is not installed: there is nothing to compare with.');
  const peerFile = join(folder, 'peer.tif');
  const options = [
    'COMPRESS=DEFLATE',
    'TILED=YES',
    'BLOCKXSIZE=512',
    'BLOCKYSIZE=512',
    'NUM_THREADS=ALL_CPUS',
  ];
  const runPeer = (command: readonly string[]): Spent => {
    rmSync(peerFile, { force: true });
    return runProgram(command, peerFile);
  };
  const runCalc = (): Spent =>
    runPeer([
      ...[calc ?? '', '--quiet', '-A', join(folder, 'B08.tif'), '-B', join(folder, 'B04.tif')],
      ...[`--outfile=${peerFile}`, '--type=Float32', '--NoDataValue=-9999'],
      '--calc=(A.astype(float32)-B)/(A.astype(float32)+B)',
      ...options.flatMap((option) => ['--co', option]),
    ]);
  await compare('NDVI of a whole scene', [
    ...(calc === null ? [] : ([[`${calc}, ALL_CPUS`, runCalc]] as const)),
    [
      'Swath, a COG with overviews',
      () => runSwath(() => planIndex({ ...common, nameAlias: null, expressions: 'NDVI' })),
    ],
  ]);
  const hasTranslate = spawnSync('gdal_translate', ['--version']).error === undefined;
  const bands = ['B04', 'B03', 'B08'];
  const stack = join(folder, 'stack.vrt');
  if (hasTranslate) {
    execFileSync('gdalbuildvrt', [
      '-q',
      '-separate',
      stack,
      ...bands.map((band) => join(folder, `${band}.tif`)),
    ]);
  }
  const translate = (...part: readonly string[]): Spent =>
    runPeer([
      ...['gdal_translate', '-q', ...part, stack, peerFile],
      ...[...options, 'PREDICTOR=2'].flatMap((option) => ['-co', option]),
    ]);
  const order = { ...common, bands, merge: true, metadata: [] };
  await compare('three whole bands', [
    ...(hasTranslate ? ([['gdal_translate, ALL_CPUS', () => translate()]] as const) : []),
    ['Swath, a COG with overviews', () => runSwath(() => planBands(order))],
  ]);
  const { window, bounds } = cropOf(Number(values.size));
  await compare('a crop off the blocks', [
    ...(hasTranslate
      ? ([['gdal_translate, ALL_CPUS', () => translate('-srcwin', ...window.map(String))]] as const)
      : []),
    [
      'Swath, a COG with overviews',
      () => runSwath(() => planBands({ ...order, area: { kind: 'bounds', bounds } })),
    ],
  ]);

  /** Two thirds of the scene: a window of pixels for GDAL, and the box in degrees that holds it. */
  function cropOf(sizePx: number) {
    const [x, y, side] = [
      Math.round(0.06 * sizePx) + 1,
      Math.round(0.15 * sizePx) + 1,
      Math.round(0.8 * sizePx),
    ];
    const { toTarget } = makePixelMapping(LON_LAT_GRID, scene.assets.B04!);
    const corners = [
      toTarget(x, y),
      toTarget(x + side, y),
      toTarget(x, y + side),
      toTarget(x + side, y + side),
    ];
    const [lons, lats] = [corners.map(([lon]) => lon), corners.map(([, lat]) => lat)];
    const box = {
      minX: Math.min(...lons),
      maxX: Math.max(...lons),
      minY: Math.min(...lats),
      maxY: Math.max(...lats),
    };
    const found = planAreaWindow(scene.assets.B04!, box)!;
    return { window: [found.x, found.y, found.width, found.height], bounds: box };
  }
} finally {
  await pool.close();
  rmSync(folder, { recursive: true });
}

/** Runs all ways in turns and prints their medians, and the ratios of the last to the first. */
async function compare(
  title: string,
  ways: readonly (readonly [name: string, run: () => Spent | Promise<Spent>])[],
): Promise<void> {
  const runs = new Map<string, Spent[]>();
  for (let round = 0; round <= Number(values.rounds); round++) {
    for (const [name, run] of ways) {
      const spent = await run();
      if (round > 0) runs.set(name, [...(runs.get(name) ?? []), spent]);
    }
  }
  const rows = [...runs].map(([name, spent]): Spent & { readonly name: string } => ({
    name,
    wallS: median(spent.map(({ wallS }) => wallS)),
    cpuS: median(spent.map(({ cpuS }) => cpuS)),
    megabytes: median(spent.map(({ megabytes }) => megabytes)),
  }));
  const cells = (...texts: string[]): string => texts.map((text) => text.padStart(8)).join(' ');
  console.log(title.padEnd(28), cells('wall s', 'CPU s', 'MB'));
  for (const { name, wallS, cpuS, megabytes } of rows)
    console.log(name.padEnd(28), cells(wallS.toFixed(2), cpuS.toFixed(2), megabytes.toFixed(1)));
  const [theirs, ours] = rows;
  if (theirs !== undefined && ours !== undefined) {
    const ratio = (of: (row: Spent) => number): string => `${(of(ours) / of(theirs)).toFixed(2)} ×`;
    const all = [ratio((row) => row.wallS), ratio((row) => row.cpuS), ratio((row) => row.megabytes)];
    console.log('ratio'.padEnd(28), cells(...all));
  }
}
