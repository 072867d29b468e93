/**
 * Compares our areas with GEOS (which are valid), GDAL (their masks) and an equal-area projection (their size):
 * `npm run oracle areas`. Needs a Python with GDAL and NumPy. A seed may be given as an argument.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { parseArea, rasterizeArea } from '../../../src/areas/index.ts';
import type { AreaGeometry, Grid } from '../../../src/geo/index.ts';
import { areaKm2, toOutline } from '../../../src/geo/index.ts';
import { makeProjection } from '../../../src/proj/index.ts';
import { casesOf } from '../../../src/testing/test-size.ts';
import { findPython } from '../tiff/find-python.ts';
import { anyGeometry, anyStar } from './any-area.ts';

const RINGS = 5_000;
/** What the design allows. */
const MAX_OFF_PX = 0.1;
const MAX_SIZE_OFF = 1e-6;

const seed = Number(process.argv[2] ?? 7);
const judged = fc.sample(anyGeometry, { numRuns: casesOf(RINGS), seed });

interface Case {
  readonly name: string;
  readonly geometry: AreaGeometry;
  readonly grid: Grid;
}

/** Locations where projections are easy and where they bend, at fine and coarse pixels. */
const locations: readonly [epsg: number, lon: number, lat: number, pixel: number][] = [
  [3857, 3.01, 42.5, 19],
  [3857, -73, 81, 600],
  [3857, 20, 5, 40_000],
  [4326, 100.3, -33, 0.0001],
  [4326, 10, 0, 0.3],
  [32631, 3.01, 42.5, 10],
  [32633, 12.2, 65, 60],
  [32733, 17.9, -20, 500],
  [32635, 27, 50, 10_000],
  [3413, -45, 82, 1000],
  [3035, 10, 52, 5000],
];

const cases = locations.flatMap(([epsg, lon, lat, pixel], i): Case[] => {
  const size = 200;
  const degreesPerPixel = epsg === 4326 ? pixel : pixel / 111_320;
  const [x, y] = makeProjection(4326, epsg).forward(lon, lat);
  const transform = [x - (size / 2) * pixel, pixel, 0, y + (size / 2) * pixel, 0, -pixel] as const;
  const stars = fc.sample(anyStar(lon, lat, degreesPerPixel * 90), { numRuns: 12, seed: seed + i });
  return stars.map((geometry) => ({
    name: `EPSG:${epsg} at ${lat}, ${pixel}`,
    geometry,
    grid: { epsg, transform, width: size, height: size },
  }));
});
const masks = cases.map(({ geometry, grid }) => rasterizeArea(toOutline(parseArea(geometry).geometry), grid));

const work = {
  valid: judged,
  rasters: cases.map(({ geometry, grid }, i) => ({
    ...grid,
    geometry,
    mask: Buffer.from(masks[i]!).toString('base64'),
  })),
  sizes: cases.map(({ geometry }) => geometry),
};
const script = fileURLToPath(new URL('judge_areas.py', import.meta.url));
const answers = JSON.parse(
  execFileSync(findPython(), [script], { input: JSON.stringify(work), encoding: 'utf8', maxBuffer: 2 ** 28 }),
) as {
  version: string;
  valid: { isValid: boolean; overlap: number | null }[];
  rasters: { inside: number; differing: number; worstPx: number }[];
  sizes: number[];
};
console.log(`GDAL ${answers.version}, seed ${seed}`);
process.exitCode = [compareValidity(), compareRasters(), compareSizes()].every(Boolean) ? 0 : 1;

function compareValidity(): boolean {
  let [valid, shared, wrong] = [0, 0, 0];
  for (const [i, geometry] of judged.entries()) {
    const { isValid, overlap } = answers.valid[i]!;
    const rule = ruleOf(geometry);
    if (isValid) valid++;
    // GEOS rejects a MultiPolygon whose polygons share edges but no ground; we accept it as neighbouring fields.
    const areNeighbours = rule === null && geometry.type === 'MultiPolygon' && overlap === 0;
    if (areNeighbours && !isValid) shared++;
    else if ((rule === null) !== isValid) {
      wrong++;
      if (wrong <= 5)
        console.log(`  GEOS ${isValid ? 'valid' : 'invalid'}, ours ${rule}: ${JSON.stringify(geometry)}`);
    }
  }
  console.log(`${judged.length} geometries, ${valid} valid, ${shared} neighbours, ${wrong} disagreements`);
  return wrong === 0 && valid > judged.length / 20;
}

function ruleOf(geometry: unknown): string | null {
  try {
    parseArea(geometry);
    return null;
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}

function compareRasters(): boolean {
  const names = [...new Set(cases.map(({ name }) => name))];
  let isGood = true;
  console.log('grid                            pixels inside  differing  farthest from the outline (px)');
  for (const name of names) {
    const rows = answers.rasters.filter((_, i) => cases[i]!.name === name);
    const sum = (value: (row: (typeof rows)[number]) => number) =>
      rows.reduce((total, row) => total + value(row), 0);
    const worst = Math.max(...rows.map(({ worstPx }) => worstPx));
    const inside = sum((row) => row.inside);
    const isFine = worst <= MAX_OFF_PX && inside > 1000;
    isGood &&= isFine;
    const counts = `${String(inside).padStart(13)}${String(sum((row) => row.differing)).padStart(11)}`;
    console.log(`${name.padEnd(32)}${counts}  ${worst.toExponential(1)}${isFine ? '' : '  MISMATCH'}`);
  }
  return isGood;
}

function compareSizes(): boolean {
  const off = cases.map(({ geometry }, i) => Math.abs(areaKm2(geometry) / answers.sizes[i]! - 1));
  const worst = Math.max(...off);
  const isFine = worst <= MAX_SIZE_OFF;
  console.log(`${cases.length} sizes, worst off by ${worst.toExponential(1)}${isFine ? '' : '  MISMATCH'}`);
  return isFine;
}
