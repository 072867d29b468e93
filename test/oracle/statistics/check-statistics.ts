/**
 * Asks the running service for statistics of random fields, at both addresses, in the demo world and in real products where
 * there are any, and has GDAL and NumPy compute them again from the stored pixels:
 *   npm run oracle statistics   (SWATH_SAMPLES=<folder of products>, SWATH_DEMO_DATA=<data folder with the demo>)
 * Run by hand, the words `demo` and `samples` choose one of the two. Needs a Python with GDAL: see `findPython`.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { openSqliteStore } from '../../../src/adapters/sqlite/index.ts';
import type { Scene } from '../../../src/catalog/index.ts';
import { sensorByDataset } from '../../../src/sensors/index.ts';
import type { StatisticsDocument } from '../../../src/tasks/index.ts';
import { runSwath, startSwath, waitUntilReady } from '../../support/start-swath.ts';
import { readScenes } from '../../world/serve-products.ts';
import { findPython } from '../tiff/find-python.ts';
import type { AskedOrder } from './ask-fields.ts';
import { askDataset } from './ask-fields.ts';
import { indexFormulas } from './index-formulas.ts';
import { layOutSeries } from './lay-out-series.ts';
import type { RandomField } from './random-fields.ts';

const words = process.argv.slice(2);
const isWanted = (word: string): boolean => words.length === 0 || words.includes(word);
const folder = mkdtempSync(join(tmpdir(), 'swath-statistics-'));
let isRight = true;
try {
  if (isWanted('demo')) isRight = judge(await askFolder('the demo world', await openDemo(), []));
  const samples = process.env.SWATH_SAMPLES;
  if (samples === undefined) {
    console.log('No folder of products was given (SWATH_SAMPLES): only the demo world is compared.');
  } else if (isWanted('samples')) {
    const series = join(folder, 'series');
    console.log(`${layOutSeries(resolve(samples), series)} files of time series have the names of products`);
    const sources = [resolve(samples), ...(existsSync(series) ? [series] : [])];
    isRight = judge(await askFolder('real products', join(folder, 'samples'), sources)) && isRight;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(isRight ? 0 : 1);

/** A data folder with the demo: a copy of one, or a new one. */
async function openDemo(): Promise<string> {
  const dataDir = join(folder, 'demo');
  const known = process.env.SWATH_DEMO_DATA;
  if (known !== undefined) {
    cpSync(known, dataDir, { recursive: true, filter: (path) => !path.endsWith('.lock') });
    return dataDir;
  }
  mkdirSync(dataDir);
  const made = await runSwath(['demo'], { SWATH_DATA: dataDir });
  if (made.status !== 0) throw new Error(made.stdout + made.stderr);
  return dataDir;
}

/** Ingests folders, starts the service and orders all statistics. */
async function askFolder(name: string, dataDir: string, sources: readonly string[]) {
  mkdirSync(dataDir, { recursive: true });
  const env = { SWATH_SOURCES: sources.join(' ') };
  for (const source of sources) {
    const taken = await runSwath(['ingest', 'folder', source], { ...env, SWATH_DATA: dataDir });
    if (taken.status !== 0) throw new Error(taken.stdout + taken.stderr);
  }
  const scenes = await readScenes(dataDir);
  const swath = await startSwath({
    dataDir,
    env: { ...env, SWATH_STATISTICS_KM2: '20000', SWATH_STATISTICS_PER_MINUTE: '0', SWATH_LOG: 'warn' },
  });
  const fields: RandomField[] = [];
  const asked: AskedOrder[] = [];
  const startedMs = performance.now();
  try {
    await waitUntilReady(swath.url);
    for (const dataset of Object.keys(indexFormulas)) {
      for (const found of await askDataset(dataset, { swath, scenes, fields })) asked.push(found);
    }
  } finally {
    await swath.stop();
  }
  console.log(`${name}: ${asked.length} orders in ${((performance.now() - startedMs) / 1_000).toFixed(0)} s`);
  await addCounts(dataDir, asked);
  return { scenes: describeScenes(scenes, dataDir), fields, orders: asked.map(({ order }) => order) };
}

/** The wire does not say how many pixels counted; the stored tasks do. */
async function addCounts(dataDir: string, asked: readonly AskedOrder[]): Promise<void> {
  const store = openSqliteStore(dataDir);
  try {
    for (const { order, taskId } of asked) {
      const json = await store.tasks.findDocument(taskId);
      const document = json === null ? null : (JSON.parse(json) as StatisticsDocument);
      if (document === null) throw new Error(`The task ${taskId} has no document.`);
      const { scenes } = document;
      order.counts = Object.fromEntries(
        scenes.map(({ viewId, values }) => [viewId, values.map((one) => one?.count ?? 0)]),
      );
    }
  } finally {
    await store.close();
  }
}

/** The files of scenes, as the judge opens them. */
function describeScenes(scenes: readonly Scene[], dataDir: string): Readonly<Record<string, object>> {
  const toPath = (href: string): string => (isAbsolute(href) ? href : join(dataDir, href));
  return Object.fromEntries(
    scenes.map(({ viewId, dataset, assets, cloudMask, cloudPercent, acquiredAt }) => {
      const mask =
        cloudMask?.kind === 'polygons'
          ? cloudMask.href
          : cloudMask?.kind === 'flags'
            ? cloudMask.asset.href
            : null;
      const files = Object.fromEntries(
        Object.entries(assets).map(([band, { href, bandIndex }]) => [
          band,
          { path: toPath(href), index: bandIndex },
        ]),
      );
      const described = {
        viewId,
        dataset,
        files,
        cloudPercent,
        date: acquiredAt.slice(0, 10),
        sensor: sensorByDataset(dataset)?.abbreviation,
        clouds_of: { kind: cloudMask?.kind ?? 'none', path: mask === null ? null : toPath(mask) },
      };
      return [viewId, described];
    }),
  );
}

function judge(task: object): boolean {
  const script = resolve(import.meta.dirname, 'judge_statistics.py');
  const { status } = spawnSync(findPython(), ['-B', script], {
    input: JSON.stringify(task),
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  return status === 0;
}
