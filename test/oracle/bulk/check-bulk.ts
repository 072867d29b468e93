/**
 * Asks exactextract, rasterstats and NumPy whether the numbers of many fields are right: `npm run oracle bulk`. Random fields on
 * a scene with gaps, measured together, by the centres of pixels and by the shares that fields cover; judge_bulk.py
 * computes NDVI itself and compares every number of every field.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeBulkHere } from '../../../src/bulk/testing/bulk-here.ts';
import type { MultiPolygonGeometry } from '../../../src/geo/index.ts';
import { LON_LAT_GRID } from '../../../src/geo/index.ts';
import { makePixelMapping } from '../../../src/proj/index.ts';
import { makeRandom } from '../../../src/stack/testing/put-scenes.ts';
import { toTestAsset, writeTestScene } from '../../../src/zonal/testing/statistics-here.ts';
import { hasPython, installPython } from '../../support/python-packages.ts';

const PACKAGES = [
  ...['numpy==2.4.6', 'exactextract==0.3.0', 'rasterio==1.4.4', 'rasterstats==0.21.0'],
  ...['shapely==2.2.0', 'geopandas==1.2.0'],
];

if (!hasPython()) {
  console.error('This check needs python3.');
  process.exit(2);
}

const SIDE = 600;
const FIELDS = 1_500;
const band = { width: SIDE, height: SIDE, pixelM: 10 };
const { toTarget } = makePixelMapping(LON_LAT_GRID, toTestAsset('', { width: 1, height: 1, pixelM: 10 }));

type Corner = readonly [col: number, row: number];
/** Polygons of a field in pixels: outer rings turn to the left on the ground, holes to the right. */
type PixelField = readonly (readonly (readonly Corner[])[])[];

function toRing(random: () => number, [col, row]: Corner, size: number): readonly Corner[] {
  const count = 4 + Math.floor(random() * 12);
  return Array.from({ length: count }, (_, i) => {
    const angle = (-2 * Math.PI * (i + 0.3 * random())) / count;
    const radius = size * (0.6 + 0.6 * random());
    return [col + radius * Math.cos(angle), row + radius * Math.sin(angle)] as const;
  });
}

/** Fields of all sizes: smaller than a pixel, with holes, in two parts, at the edges of the image. */
function makeFields(seed: number): readonly PixelField[] {
  const random = makeRandom(seed);
  const one = (size: number): readonly (readonly Corner[])[] => {
    const middle: Corner = [SIDE * random(), SIDE * random()];
    const ring = toRing(random, middle, size);
    const hole = ring
      .map(([col, row]): Corner => [middle[0] + 0.4 * (col - middle[0]), middle[1] + 0.4 * (row - middle[1])])
      .toReversed();
    return random() < 0.3 ? [ring, hole] : [ring];
  };
  return Array.from({ length: FIELDS }, (_, i) => [one([0.3, 2, 8, 18, 18, 60][i % 6] as number)]);
}

const close = (ring: readonly Corner[]): readonly Corner[] => [...ring, ring[0] as Corner];
/** Edges of a field are straight in degrees, and those of the judges in metres: over a pixel that is the same. */
const inShortPieces = (ring: readonly Corner[]): readonly Corner[] =>
  ring.flatMap(([col, row], i): readonly Corner[] => {
    const [toCol, toRow] = ring[i + 1] ?? [col, row];
    const pieces = Math.max(1, Math.ceil(Math.hypot(toCol - col, toRow - row)));
    return Array.from({ length: pieces }, (_, piece) => [
      col + (piece / pieces) * (toCol - col),
      row + (piece / pieces) * (toRow - row),
    ]);
  });
const toGeometry = (field: PixelField): MultiPolygonGeometry => ({
  type: 'MultiPolygon',
  coordinates: field.map((rings) =>
    rings.map((ring) =>
      inShortPieces(close(ring)).map(([col, row]) => toTarget(col, row) as [number, number]),
    ),
  ),
});

const folder = mkdtempSync(join(tmpdir(), 'oracle-bulk-'));
try {
  const random = makeRandom(34);
  const red = new Uint16Array(SIDE * SIDE).map(() => (random() < 0.05 ? 0 : 300 + 4_000 * random()));
  const nir = new Uint16Array(SIDE * SIDE).map(() => (random() < 0.05 ? 0 : 900 + 6_000 * random()));
  const at = (pixels: Uint16Array) => (col: number, row: number) => pixels[row * SIDE + col] as number;
  const scene = await writeTestScene(folder, {
    B04: { ...band, valueAt: at(red) },
    B08: { ...band, valueAt: at(nir) },
  });
  const fields = makeFields(7);
  const geometries = fields.map(toGeometry);
  const bulk = makeBulkHere(folder);
  const measure = async (weights: 'centres' | 'fractions') =>
    (await bulk.measure({ scene, expressions: ['NDVI'], geometries, weights, windowPx: 128 })).map(
      ([own]) => own ?? null,
    );
  writeFileSync(join(folder, 'red.bin'), red);
  writeFileSync(join(folder, 'nir.bin'), nir);
  writeFileSync(
    join(folder, 'fields.json'),
    JSON.stringify({
      side: SIDE,
      fields: fields.map((field) => field.map((rings) => rings.map(close))),
      centres: await measure('centres'),
      fractions: await measure('fractions'),
    }),
  );
  const bin = await installPython('bulk', PACKAGES, console.log);
  const judge = fileURLToPath(new URL('judge_bulk.py', import.meta.url));
  process.exitCode = spawnSync(join(bin, 'python'), [judge, folder], { stdio: 'inherit' }).status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
