/**
 * Ingests elevation models, asks the running service about them, and compares its answers: heights with gdalwarp, relief
 * with gdaldem, contours with GDAL's, points with bilinear values by NumPy. Tiles are opened with GDAL and, where it is
 * installed, with rasterio. What is compared how is said in each judge_*.py.
 *   npm run oracle terrain      (SWATH_ORACLE_DEMS=<real DEMs or folders of them, joined like those of PATH>)
 *   npm run node -- test/oracle/terrain/check-terrain.ts [words of names]
 * Needs a Python with GDAL and NumPy.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { startSwath } from '../../support/start-swath.ts';
import { findPython } from '../tiff/find-python.ts';
import { makeAskTerrain } from './ask-terrain.ts';
import { choosePoints, chooseTiles, findSpots } from './choose-tiles.ts';
import { describePlan } from './describe-plan.ts';
import type { Job, Row, TileJob } from './judge.ts';
import { judge } from './judge.ts';
import type { DemSource } from './make-sources.ts';
import { makeSources } from './make-sources.ts';
import { openDem } from './serve-dem.ts';
import { writeSlopes } from './write-slopes.ts';

const POINTS = 500;

const folder = mkdtempSync(join(tmpdir(), 'swath-terrain-'));
let bad = 0;
try {
  const python = findPython();
  const real = process.env.SWATH_ORACLE_DEMS;
  if (real === undefined)
    console.log('No real DEMs were given (SWATH_ORACLE_DEMS): generated ones are compared.');
  const sources = await makeSources(folder, { python, real, words: process.argv.slice(2) });
  for (const source of sources) {
    bad += report(source.name, judge(python, await ask(source)));
    rmSync(source.dataDir, { recursive: true });
  }
  console.log(`\n${sources.length} elevation models, ${bad} comparisons disagree`);
  if (sources.length === 0) bad = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(bad === 0 ? 0 : 1);

/** Ingests a model and asks for everything that is compared. */
async function ask(source: DemSource): Promise<Job> {
  const { dataDir } = source;
  const scratch = join(dataDir, 'oracle');
  mkdirSync(scratch, { recursive: true });
  const dem = await openDem(source);
  const { records } = dem;
  const wanted = chooseTiles(records, source.spots.length > 0 ? source.spots : await findSpots(dem));
  const planned = [];
  for (const tile of wanted) {
    const mosaics = await describePlan(dem, tile, dataDir);
    planned.push({ ...tile, mosaics, slopes: tile.hasRelief ? await writeSlopes(dem, tile, scratch) : null });
  }
  await dem.close();
  const swath = await startSwath({
    dataDir,
    env: { SWATH_THREADS: '1', ...(source.folder === undefined ? {} : { SWATH_SOURCES: source.folder }) },
  });
  try {
    const { askTile, askPoint } = makeAskTerrain(swath, scratch);
    const tiles: TileJob[] = [];
    for (const tile of planned) tiles.push({ ...tile, ...(await askTile(tile)) });
    const points = [];
    for (const point of choosePoints(records, POINTS)) {
      points.push({ ...point, heightM: await askPoint(point) });
    }
    const files = records.map(({ href }) => (isAbsolute(href) ? href : join(dataDir, href)));
    return { files, hasSea: source.gaps === 'sea', scratch, tiles, points };
  } finally {
    await swath.stop();
  }
}

/** Prints the table of a model; the number of comparisons that disagree. */
function report(name: string, rows: readonly Row[]): number {
  console.log(`\n${name}`);
  console.log('  comparison                       compared  left out  differ  worst');
  for (const { check, compared, leftOut, differing, worst } of rows) {
    const numbers = [
      String(compared).padStart(10),
      String(leftOut).padStart(10),
      String(differing).padStart(8),
    ];
    console.log(`  ${check.padEnd(31)}${numbers.join('')}  ${worst}${differing > 0 ? '  DISAGREES' : ''}`);
  }
  return rows.filter(({ differing }) => differing > 0).length;
}
