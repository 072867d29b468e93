import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Scene } from '../catalog/index.ts';
import type { MultiPolygonGeometry } from '../geo/index.ts';
import { LON_LAT_GRID } from '../geo/index.ts';
import { makePixelMapping } from '../proj/index.ts';
import { makeRandom } from '../stack/testing/put-scenes.ts';
import type { Measured } from '../zonal/index.ts';
import { toMeasuredArea } from '../zonal/measuring.ts';
import {
  makeMeasureHere,
  planTestScene,
  toTestArea,
  toTestAsset,
  writeTestScene,
} from '../zonal/testing/statistics-here.ts';
import { makeBulkHere } from './testing/bulk-here.ts';

const SIDE = 200;
const fine = { width: SIDE, height: SIDE, pixelM: 10 };
const coarse = { width: SIDE / 2, height: SIDE / 2, pixelM: 20 };
const CLASSES = [4, 9, 8, 10, 3, 7, 1, 0, 11, 5];

let folder = '';
let scene: Scene;
let alone: ReturnType<typeof makeMeasureHere>;
let bulk: ReturnType<typeof makeBulkHere>;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bulk-test-'));
  alone = makeMeasureHere(folder);
  bulk = makeBulkHere(folder);
  const random = makeRandom(34);
  scene = await writeTestScene(
    folder,
    {
      // A tenth of the pixels, and a corner, have no data.
      B04: {
        ...fine,
        valueAt: (col, row) => (random() < 0.1 || col + row < 50 ? 0 : 500 + 3_000 * random()),
      },
      B08: { ...fine, valueAt: () => 1 + 6_000 * random() },
      B11: { ...coarse, valueAt: () => 1_000 + 3_000 * random() },
      SCL: {
        ...coarse,
        valueAt: (col, row) => CLASSES[(Math.floor(col / 9) + Math.floor(row / 7)) % 10] as number,
      },
    },
    {
      viewId: 'S2L2A/31/T/DH/2026/6/2/0',
      dataset: 'sentinel2l2a',
      cloudMask: { kind: 'classes', band: 'SCL' },
    },
  );
});
after(() => rm(folder, { recursive: true, force: true }));

const { toTarget } = makePixelMapping(LON_LAT_GRID, toTestAsset('', { width: 1, height: 1, pixelM: 10 }));

/** A ring around a point, in pixels of 10 m. */
function toRing(col: number, row: number, radii: readonly number[], isHole = false): [number, number][] {
  const turn = isHole ? 1 : -1;
  const ring = radii.map((radius, i) => {
    const angle = (turn * 2 * Math.PI * i) / radii.length;
    return toTarget(col + radius * Math.cos(angle), row + radius * Math.sin(angle)) as [number, number];
  });
  return [...ring, ring[0] as [number, number]];
}

/** Fields of all sizes: smaller than a pixel, with holes and in parts, across windows, beyond the image, and outside of it. */
function makeFields(count: number, seed: number): readonly MultiPolygonGeometry[] {
  const random = makeRandom(seed);
  const one = (size: number) => {
    const [col, row] = [-20 + random() * (SIDE + 40), -20 + random() * (SIDE + 40)];
    const radii = Array.from({ length: 5 + Math.floor(random() * 8) }, () => size * (0.7 + 0.6 * random()));
    const hole = radii.map((radius) => radius * 0.4);
    return [toRing(col, row, radii), ...(size > 5 && random() < 0.3 ? [toRing(col, row, hole, true)] : [])];
  };
  return Array.from({ length: count }, (_, i) => {
    const size = [0.2, 3, 12, 12, 25, 90][i % 6] as number;
    return { type: 'MultiPolygon', coordinates: i % 11 === 0 ? [one(size), one(2)] : [one(size)] };
  });
}

const expressions = ['NDVI', 'B04', 'B08-B11', 'B08'];

/** Whether an area has a pixel in the image: one next to it touches none. */
const hasPixel = (one: Measured | undefined): boolean =>
  one !== undefined && !(one.isTouched && one.validPx === 0);

const withPixels = (found: readonly (readonly (Measured | null)[])[]) =>
  found.map((own) => own.map((one) => (hasPixel(one ?? undefined) ? one : null)));

/** The same numbers, by the statistics of single areas; null where they have none. */
async function measureOneByOne(
  geometries: readonly MultiPolygonGeometry[],
  more: { masksClouds?: boolean; level?: 1 | 2 | 3 | 4 } = {},
): Promise<readonly (readonly (Measured | null)[])[]> {
  const measured: (readonly (Measured | null)[])[] = [];
  // One after the other: they share the kernels' memory.
  for (const geometry of geometries) {
    const area = toMeasuredArea(geometry);
    const isOutside = planTestScene({ scene, expressions, area }) === null;
    const found = isOutside ? [] : await alone({ scene, expressions, area, classified: scene, ...more });
    measured.push(expressions.map((_, i) => (hasPixel(found[i]) ? (found[i] as Measured) : null)));
  }
  return measured;
}

const options = [
  {},
  { masksClouds: true },
  { level: 3 },
  { masksClouds: true, level: 4 },
] as const satisfies readonly { masksClouds?: boolean; level?: 1 | 2 | 3 | 4 }[];
for (const [i, option] of options.entries()) {
  test(`fields together have the numbers that each has alone, to the last bit: ${JSON.stringify(option)}`, async () => {
    const geometries = makeFields(54, 100 + i);
    const found = await bulk.measure({ scene, expressions, geometries, classified: scene, ...option });
    const wanted = await measureOneByOne(geometries, option);
    assert.deepEqual(withPixels(found), wanted);
    const all = found.flat();
    assert.ok(all.some((one) => one === null) && all.some((one) => one?.isTouched === true));
    assert.ok(all.filter((one) => one?.statistics != null).length > 90, 'most fields have numbers');
    assert.ok(bulk.asked.some(({ kind }) => kind === 'merge-shapes'));
  });
}

test('large fields are measured like single areas, with the same numbers', async () => {
  const geometries = makeFields(24, 7);
  const found = await bulk.measure({ scene, expressions, geometries, classified: scene, largePx: 1_000 });
  assert.deepEqual(withPixels(found), await measureOneByOne(geometries));
  assert.ok(bulk.asked.some(({ kind }) => kind === 'scene-statistics'));
});

test('with pixel shares, numbers do not depend on windows; a field of whole pixels has the numbers of its centres', async () => {
  const geometries = makeFields(30, 9);
  const request = { scene, expressions, geometries, classified: scene, weights: 'fractions' } as const;
  const small = await bulk.measure(request);
  const large = await bulk.measure({ ...request, windowPx: 1_024 });
  for (const [i, own] of small.flat().entries()) {
    const other = large.flat()[i];
    assert.equal(own?.statistics?.median, other?.statistics?.median);
    const [count, wanted] = [own?.statistics?.count ?? 0, other?.statistics?.count ?? 0];
    assert.ok(Math.abs(count - wanted) < 1e-6 * (1 + wanted), `${count} is not ${wanted}`);
  }
  assert.ok(small.flat().filter((one) => one?.statistics != null).length > 60);
  const square = { ...request, geometries: [toTestArea([60, 60, 80, 75]).geometry], expressions: ['B04'] };
  const [[shares]] = (await bulk.measure(square)) as [[Measured]];
  const [[centres]] = (await bulk.measure({ ...square, weights: 'centres' })) as [[Measured]];
  assert.ok(Math.abs(shares.validPx - centres.validPx) < 1e-3);
  assert.ok(Math.abs((shares.statistics?.average ?? 0) - (centres.statistics?.average ?? 1)) < 1e-6);
});

test('each window is read once, whatever the number of fields, and only where fields are', async () => {
  const windowsOf = async (geometries: readonly MultiPolygonGeometry[]) => {
    const before = bulk.asked.length;
    await bulk.measure({ scene, expressions: ['NDVI'], geometries });
    return bulk.asked.slice(before).filter(({ kind }) => kind === 'measure-window').length;
  };
  const near = Array.from(
    { length: 40 },
    (_, i): MultiPolygonGeometry => ({
      type: 'MultiPolygon',
      coordinates: [[toRing(10 + i, 20, [4, 4, 4, 4])]],
    }),
  );
  assert.equal(await windowsOf(near.slice(0, 3)), 1);
  assert.equal(await windowsOf(near), 1);
  assert.equal(await windowsOf(makeFields(200, 3)), 16);
});

test('without fields nothing is read', async () => {
  const before = bulk.asked.length;
  assert.deepEqual(await bulk.measure({ scene, expressions, geometries: [] }), []);
  assert.equal(bulk.asked.length, before);
});
