/**
 * Has the running service draw pictures of the demo world, and of real products where there are any, and compares them with
 * the same pictures computed by GDAL, NumPy and matplotlib: every level of every channel may differ by one.
 *   npm run node -- test/oracle/pictures/check-pictures.ts [--write-golden] [words of view ids]   (SWATH_SAMPLES=<folder of products>)
 * Needs a Python with GDAL, and one with matplotlib: see `findPython` and `askMatplotlib`.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { makeJp2Encoder } from '../../../src/formats/jp2/index.ts';
import { makeClimate } from '../../../world/climate/climate.ts';
import { writePart } from '../../../world/demo/demo-part.ts';
import { makeGround } from '../../../world/ground/index.ts';
import { WORLD_SEED } from '../../../world/ground/world.ts';
import { runSwath, startSwath } from '../../support/start-swath.ts';
import { readScenes } from '../../world/serve-products.ts';
import { smallProducts } from '../../world/small-products.ts';
import { askMatplotlib } from '../color/ask-matplotlib.ts';
import { findPython } from '../tiff/find-python.ts';
import type { PictureJob } from './ask-service.ts';
import { askPicture } from './ask-service.ts';
import type { PictureCase } from './picture-cases.ts';
import { sampleCases, worldCases } from './picture-cases.ts';
import { writeGolden } from './write-golden.ts';

const words = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const samples = process.env.SWATH_SAMPLES;
const folder = mkdtempSync(join(tmpdir(), 'swath-pictures-'));
const faults: string[] = [];
let status: number | null = 1;
try {
  const jobs = [...(await drawWorld()), ...(await drawSamples())];
  const script = resolve(import.meta.dirname, 'judge_pictures.py');
  ({ status } = spawnSync(findPython(), ['-B', script], {
    input: JSON.stringify({ jobs, tables: readColormaps() }),
    stdio: ['pipe', 'inherit', 'inherit'],
  }));
  // Nothing is recorded unless all agree.
  if (status === 0 && process.argv.includes('--write-golden'))
    console.log(`${writeGolden(jobs)} bytes of golden pictures written`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const fault of faults) console.error(`REFUSED ${fault}`);
process.exit(faults.length > 0 ? 1 : (status ?? 1));

/** One product of each sensor, and the scene of the small demo. */
async function drawWorld(): Promise<readonly PictureJob[]> {
  const dataDir = join(folder, 'world');
  const products = join(dataDir, 'products');
  const climate = makeClimate(WORLD_SEED);
  const world = { climate, ground: makeGround({ seed: WORLD_SEED, climate }) };
  const jp2Encoder = makeJp2Encoder();
  for (const { part } of smallProducts) {
    const directory = join(products, part.key);
    mkdirSync(directory, { recursive: true });
    await writePart(part, { world, directory, jp2Encoder });
  }
  const made = await runSwath(['demo', '--small'], { SWATH_DATA: dataDir });
  if (made.status !== 0) throw new Error(made.stderr);
  return drawFolder(products, { dataDir, cases: worldCases });
}

async function drawSamples(): Promise<readonly PictureJob[]> {
  if (samples === undefined) {
    console.log('No folder of products was given (SWATH_SAMPLES): only the demo world is compared.');
    return [];
  }
  return drawFolder(resolve(samples), { dataDir: join(folder, 'samples'), cases: sampleCases });
}

interface Drawing {
  readonly dataDir: string;
  readonly cases: readonly PictureCase[];
}

/** Takes a folder in, starts the service and has all pictures drawn. */
async function drawFolder(products: string, { dataDir, cases }: Drawing): Promise<readonly PictureJob[]> {
  const env = { SWATH_DATA: dataDir, SWATH_SOURCES: products };
  mkdirSync(dataDir, { recursive: true });
  const taken = await runSwath(['ingest', 'folder', products], env);
  if (taken.status !== 0) throw new Error(taken.stdout + taken.stderr);
  const scenes = await readScenes(dataDir);
  const swath = await startSwath({ dataDir, env: { SWATH_SOURCES: products, SWATH_THREADS: '1' } });
  const jobs: PictureJob[] = [];
  try {
    for (const wanted of cases) {
      const of = scenes.filter(({ viewId }) => viewId.startsWith(wanted.scenes));
      if (of.length === 0) throw new Error(`There is no scene of ${wanted.scenes} in ${products}.`);
      for (const scene of of) {
        if (words.length > 0 && !words.some((word) => scene.viewId.includes(word))) continue;
        for (const zoom of wanted.zooms ?? [0]) {
          const picture = `${dataDir}-${jobs.length}.png`;
          await askPicture({ swath, scene, wanted, zoom, picture }).then(
            (job) => jobs.push(job),
            (error: Error) => faults.push(error.message),
          );
        }
      }
    }
  } finally {
    await swath.stop();
  }
  return jobs;
}

/** matplotlib's colours, by name and number. */
function readColormaps(): Readonly<Record<string, string>> {
  const { tables } = askMatplotlib([9, 256]);
  return Object.fromEntries(tables.map(({ name, count, colors }) => [`${name} ${count}`, colors]));
}
