/**
 * Files of whole scenes compared with GDAL: `npm run bench:exports`.
 *
 * The index NDVI of two bands of `--size` 10980 pixels as a compressed GeoTIFF: by gdal_calc with all cores, without
 * smaller copies and without waiting for the disk; and by the pixel threads of a running Swath, with both. They
 * alternate, the first run of each is not counted, and of the others the medians count. Without gdal_calc, only Swath is
 * measured.
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
import { makePlanIndexFile } from '../../src/exports/index.ts';
import { makePool } from '../../src/pool/index.ts';
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
    makeScene(21, { assets: await makeBands(folder, ['B04', 'B08'], Number(values.size)) }),
  );
  await pool.ready();
  const planFile = makePlanIndexFile({
    scenes: { findByViewId: async () => scene } as unknown as SceneStore,
    compareScene: async (found) => found,
    watch: { renew: async () => {} },
    pool,
  });
  const runSwath = async (): Promise<Spent> => {
    const path = join(folder, 'swath.tif');
    const [start, cpu] = [performance.now(), process.cpuUsage()];
    const { viewId } = scene;
    const common = { viewId, sceneName: '', sensor: 'S2', nameAlias: null, area: null };
    const planned = await planFile({ ...common, expressions: 'NDVI' });
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
  const runPeer = (): Spent => {
    rmSync(peerFile, { force: true });
    return runProgram(
      [
        ...[calc ?? '', '--quiet', '-A', join(folder, 'B08.tif'), '-B', join(folder, 'B04.tif')],
        ...[`--outfile=${peerFile}`, '--type=Float32', '--NoDataValue=-9999'],
        '--calc=(A.astype(float32)-B)/(A.astype(float32)+B)',
        ...options.flatMap((option) => ['--co', option]),
      ],
      peerFile,
    );
  };
  const ways: readonly (readonly [name: string, run: () => Spent | Promise<Spent>])[] = [
    ...(calc === null ? [] : ([[`${calc}, ALL_CPUS`, runPeer]] as const)),
    ['Swath, a COG with overviews', runSwath],
  ];
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
  console.log('NDVI of a whole scene'.padEnd(28), cells('wall s', 'CPU s', 'MB'));
  for (const { name, wallS, cpuS, megabytes } of rows)
    console.log(name.padEnd(28), cells(wallS.toFixed(2), cpuS.toFixed(2), megabytes.toFixed(1)));
  const [theirs, ours] = rows;
  if (theirs !== undefined && ours !== undefined) {
    const ratio = (of: (row: Spent) => number): string => `${(of(ours) / of(theirs)).toFixed(2)} ×`;
    const all = [ratio((row) => row.wallS), ratio((row) => row.cpuS), ratio((row) => row.megabytes)];
    console.log('ratio'.padEnd(28), cells(...all));
  }
} finally {
  await pool.close();
  rmSync(folder, { recursive: true });
}
