/**
 * Makes a product of every kind of the demo world and asks GDAL about each file: does it open, where does it lie, what
 * are its pixels, is it a valid COG. Run by hand: `npm run oracle world`.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeJp2Decoder, makeJp2Encoder } from '../../../src/formats/jp2/index.ts';
import { makeClimate } from '../../../world/climate/climate.ts';
import type { DemoPart } from '../../../world/demo/demo-part.ts';
import { writePart } from '../../../world/demo/demo-part.ts';
import { makeToLocal } from '../../../world/grids/degree-grid.ts';
import { makeGround } from '../../../world/ground/index.ts';
import type { World } from '../../../world/ground/world.ts';
import { WORLD_SEED } from '../../../world/ground/world.ts';
import { readImage } from '../../../world/testing/read-image.ts';
import { smallProducts } from '../../world/small-products.ts';
import { findPython } from '../tiff/find-python.ts';
import { toExpectation } from './expectations.ts';

const judge = fileURLToPath(new URL('judge_world.py', import.meta.url));

interface Verdict {
  readonly gdal: string;
  /** By part, in the order of the table's columns. */
  readonly rows: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly problems: readonly string[];
}

const parts: readonly DemoPart[] = [
  ...smallProducts.map(({ part }) => part),
  { key: 'terrain', cost: 1, kind: 'terrain', plan: { seconds: 3 } },
  { key: 'weather', cost: 1, kind: 'weather', plan: null },
];

/** What our own reader makes of a file, for GDAL to agree with. */
async function describeImage(path: string, jp2Decoder: ReturnType<typeof makeJp2Decoder>) {
  const { width, height, epsg, transform, bands } = await readImage(path, jp2Decoder);
  const hashes = bands.map((pixels) =>
    createHash('sha256')
      .update(new Uint8Array(pixels.buffer, pixels.byteOffset, pixels.byteLength))
      .digest('hex'),
  );
  return { path, width, height, epsg, transform, hashes };
}

/** Side of a cell of 3 seconds of arc, from north to south. */
const CELL_M = 111_200 / 1200;

/** Heights of the ground in the middle of cells of the terrain files, blurred to a cell as theirs are. */
function sampleHeights({ ground }: World) {
  const toLocal = makeToLocal();
  return Array.from({ length: 400 }, (_, i) => {
    // spread over the middle of the world; multiples of 3 seconds of arc
    const longitude = -123 + (40 + (i % 20) * 85) / 1200;
    const latitude = 48.6 - Math.floor(i / 20) * (45 / 1200);
    const [x, y] = toLocal(longitude, latitude);
    return { longitude, latitude, heightM: ground.heightAt(x, y, CELL_M) };
  });
}

const folder = mkdtempSync(join(tmpdir(), 'world-oracle-'));
try {
  const python = findPython();
  const climate = makeClimate(WORLD_SEED);
  const world: World = { climate, ground: makeGround({ seed: WORLD_SEED, climate }) };
  const [jp2Encoder, jp2Decoder] = [makeJp2Encoder(), makeJp2Decoder()];
  const described = [];
  for (const part of parts) {
    const directory = join(folder, part.key);
    mkdirSync(directory);
    await writePart(part, { world, directory, jp2Encoder });
    const paths = globSync('**/*.{tif,TIF,tiff,jp2}', { cwd: directory }).sort();
    const images = [];
    for (const path of paths) images.push(await describeImage(join(directory, path), jp2Decoder));
    described.push({
      key: part.key,
      kind: part.kind,
      folder: directory,
      images,
      expects: toExpectation(part),
    });
  }
  const job = { parts: described, heights: sampleHeights(world) };
  writeFileSync(join(folder, 'job.json'), JSON.stringify(job));
  const run = spawnSync(python, [judge, join(folder, 'job.json')], { encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (run.status !== 0) {
    console.error(run.stderr);
    process.exitCode = 1;
  } else {
    const { gdal, rows, problems }: Verdict = JSON.parse(run.stdout);
    console.table(rows);
    for (const problem of problems.slice(0, 30)) console.error(problem);
    console.log(`GDAL ${gdal}: ${Object.keys(rows).length} products, ${problems.length} problems`);
    if (problems.length > 0 || Object.keys(rows).length !== parts.length) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
