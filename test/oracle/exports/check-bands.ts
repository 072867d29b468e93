/**
 * Orders bands of one product of each sensor of the demo world, of real products where there are any, and of files that
 * GDAL has stored in every way, and has GDAL compare what was made with the files it was made of: every number, the
 * georeference, nodata, overviews, names. What is compared how is said in judge_bands.py.
 *   npm run oracle exports      (SWATH_SAMPLES=<folder of products>)
 *   npm run node -- test/oracle/exports/check-bands.ts [words of view ids]
 * Needs a Python with GDAL and NumPy.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import type { Scene } from '../../../src/catalog/index.ts';
import { isSwathError } from '../../../src/errors.ts';
import { makeBandsHere, makeBandsTools } from '../../../src/exports/bands/testing/bands-here.ts';
import { makeJp2Encoder } from '../../../src/formats/jp2/index.ts';
import { ingestFolder } from '../../../src/ingest/index.ts';
import { aTicket } from '../../../src/pool/testing/run-here.ts';
import { makeOpenSource, toFileHref } from '../../../src/sources/index.ts';
import { makeClimate } from '../../../world/climate/climate.ts';
import { writePart } from '../../../world/demo/demo-part.ts';
import { makeGround } from '../../../world/ground/index.ts';
import { WORLD_SEED } from '../../../world/ground/world.ts';
import { smallProducts } from '../../world/small-products.ts';
import { makeMemoryStore } from '../ingest/memory-store.ts';
import { findPython } from '../tiff/find-python.ts';
import { toWantedOrders } from './bands-orders.ts';
import { makeVariants } from './stored-variants.ts';

const words = process.argv.slice(2);
const samples = process.env.SWATH_SAMPLES;
const folder = mkdtempSync(join(tmpdir(), 'swath-bands-oracle-'));
/** Files of all scenes have absolute paths. */
const tools = makeBandsTools({ dataDir: folder, folders: ['/'] });
let bad = 0;
try {
  const python = findPython();
  bad += await compare('the demo world', await takeIn(await writeWorld()));
  bad += await compare('files stored in every way', await makeVariants(join(folder, 'variants'), python));
  if (samples === undefined) console.log('No folder of products was given (SWATH_SAMPLES).');
  else bad += await compare('real products', await takeIn(resolve(samples)));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(bad === 0 ? 0 : 1);

/** One product of each sensor. */
async function writeWorld(): Promise<string> {
  const climate = makeClimate(WORLD_SEED);
  const world = { climate, ground: makeGround({ seed: WORLD_SEED, climate }) };
  const jp2Encoder = makeJp2Encoder();
  const products = join(folder, 'world');
  for (const { part } of smallProducts) {
    const directory = join(products, part.key);
    mkdirSync(directory, { recursive: true });
    await writePart(part, { world, directory, jp2Encoder });
  }
  return products;
}

async function takeIn(root: string): Promise<readonly Scene[]> {
  const roots = { dataDir: resolve('.nothing-here'), folders: [root] };
  const { store, scenes } = makeMemoryStore();
  await ingestFolder({
    path: root,
    store,
    open: makeOpenSource(roots),
    toHref: (path) => toFileHref(path, roots),
  });
  return [...scenes.values()];
}

/** Orders everything of these scenes and prints the verdicts; the number of comparisons that disagree. */
async function compare(title: string, scenes: readonly Scene[]): Promise<number> {
  let failures = 0;
  let compared = 0;
  for (const scene of scenes) {
    if (words.length > 0 && !words.some((word) => scene.viewId.includes(word))) continue;
    const jobs = await orderAll(scene);
    failures += jobs.filter((job) => job === null).length;
    const script = resolve(import.meta.dirname, 'judge_bands.py');
    const { stdout, status } = spawnSync(findPython(), ['-B', script], {
      input: JSON.stringify(jobs.filter((job) => job !== null)),
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    if (status !== 0) failures++;
    for (const line of stdout.split('\n').filter((text) => text !== '')) {
      if (line.startsWith('ok')) compared += Number(line.slice(3));
      else {
        failures++;
        console.log(`${scene.viewId}: ${line}`);
      }
    }
  }
  console.log(`${title}: ${scenes.length} scenes, ${compared} images agree, ${failures} disagree`);
  return scenes.length === 0 ? 1 : failures;
}

/** Writes all orders of a scene; null for one that was refused. */
async function orderAll(scene: Scene) {
  const out = mkdtempSync(join(folder, 'out-'));
  const here = makeBandsHere(scene, out, { tools });
  const jobs = [];
  for (const { what, order, bounds, ring } of toWantedOrders(scene)) {
    try {
      const planned = await here.plan(order);
      const path = join(out, basename(planned.fileName));
      rmSync(path, { force: true });
      let blocks = 0;
      await planned.write(path, { ticket: aTicket, onProgress: (done) => (blocks = done) });
      if (blocks !== planned.blocks) throw new Error(`${blocks} of ${planned.blocks} blocks`);
      const kept = join(out, `${jobs.length}-${planned.fileName}`);
      spawnSync('mv', [path, kept]);
      jobs.push({
        what,
        path: kept,
        name: planned.fileName,
        bounds,
        ring,
        order: { ...order, area: null },
        estimatedBytes: planned.estimatedBytes,
        sentinel2: scene.dataset.startsWith('sentinel2'),
        bands: order.bands.map((name) => {
          const { href, bandIndex, nodata, sidecars = [], transform, lattice } = scene.assets[name]!;
          return {
            name,
            href,
            band: bandIndex + 1,
            nodata,
            sidecars,
            transform,
            hasPoints: lattice !== undefined,
          };
        }),
      });
    } catch (error) {
      if (!isSwathError(error)) throw error;
      console.log(`${scene.viewId}: ${what} was refused: ${error.code} ${error.message}`);
      jobs.push(null);
    }
  }
  return jobs;
}
