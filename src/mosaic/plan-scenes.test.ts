import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SceneHit } from '../catalog/index.ts';
import { box } from '../catalog/testing/make-scene.ts';
import { isSwathError } from '../errors.ts';
import type { AreaGeometry, Grid } from '../geo/index.ts';
import { gridBounds, tileGrid } from '../geo/index.ts';
import type { PlannedPicture } from '../render/index.ts';
import { chooseFirst, planComposedGrid, toUnits } from './plan-scenes.ts';

/** One degree at the equator, in hundred pixels. */
const DEGREE: Grid = { epsg: 4326, transform: [10, 0.01, 0, 1, 0, -0.01], width: 100, height: 100 };

const toCandidates = (...footprints: readonly AreaGeometry[]) =>
  footprints.map((footprint, index) => ({ index, hit: { footprint } as SceneHit }));

const chosen = (grid: Grid, ...footprints: readonly AreaGeometry[]): readonly number[] =>
  chooseFirst(toCandidates(...footprints), grid).map(({ index }) => index);

const WHOLE = box(9, -1, 12, 2);

test('the scenes that are read first cover the ground, in their order', () => {
  assert.deepEqual(chosen(DEGREE, WHOLE, WHOLE), [0], 'one that covers all is enough');
  const [left, right] = [box(9, -1, 10.5, 2), box(10.4, -1, 12, 2)];
  assert.deepEqual(chosen(DEGREE, left, left, right, WHOLE), [0, 2]);
  assert.deepEqual(chosen(DEGREE, left, box(20, 20, 21, 21), right), [0, 2], 'scenes elsewhere are left out');
  assert.deepEqual(chosen(DEGREE, left), [0], 'what no scene covers stays open');
});

test('the first job has at most eight scenes, and at least one', () => {
  const stripes = Array.from({ length: 9 }, (_, i) => box(10 + i / 8 - 0.01, -1, 10 + i / 8 + 0.01, 2));
  assert.deepEqual(chosen(DEGREE, ...stripes), [0, 1, 2, 3, 4, 5, 6, 7]);
  // Between the nodes at which footprints are looked up.
  assert.deepEqual(chosen(DEGREE, box(10.01, 0.01, 10.02, 0.02), box(10.03, 0.01, 10.04, 0.02)), [0]);
  assert.deepEqual(chosen(DEGREE), []);
});

test('ground across the antimeridian is covered by scenes on both sides', () => {
  const grid: Grid = { ...DEGREE, transform: [179.5, 0.01, 0, 1, 0, -0.01] };
  const [east, west] = [box(178, -1, 180, 2), box(-180, -1, -178, 2)];
  assert.deepEqual(chosen(grid, east, west, WHOLE), [0, 1]);
});

test('without widened masks and faded edges the grid stays unchanged', () => {
  const composed = planComposedGrid(DEGREE, { dilateM: 0, featherPx: 0 });
  assert.deepEqual(composed, { grid: DEGREE, padPx: 0, dilatePx: 0 });
});

test('masks and edges need as many pixels around the picture as they extend', () => {
  const utm: Grid = { epsg: 32631, transform: [500_000, 20, 0, 4_600_000, 0, -20], width: 10, height: 8 };
  const { grid, padPx, dilatePx } = planComposedGrid(utm, { dilateM: 50, featherPx: 4 });
  assert.deepEqual([dilatePx, padPx], [3, 7]);
  assert.deepEqual([grid.width, grid.height], [24, 22]);
  assert.deepEqual(grid.transform, [500_000 - 140, 20, 0, 4_600_000 + 140, 0, -20]);
  const { minX, maxX } = gridBounds(grid);
  assert.deepEqual([minX, maxX], [499_860, 500_340]);
});

test('metres are metres on the ground, unlike in Web Mercator and degrees', () => {
  // At 60 degrees north the map is stretched by two.
  const north = tileGrid({ z: 10, x: 512, y: 297 });
  const pixelM = north.transform[1];
  const { dilatePx } = planComposedGrid(north, { dilateM: 1_000, featherPx: 0 });
  assert.equal(dilatePx, Math.ceil(1_000 / (pixelM * 0.5)));
  const degrees = planComposedGrid(DEGREE, { dilateM: 3_000, featherPx: 0 });
  assert.equal(degrees.dilatePx, 3, 'a pixel has 1113 m');
});

test('masks that extend too far beyond a picture are refused', () => {
  const fine: Grid = { epsg: 32631, transform: [500_000, 1, 0, 4_600_000, 0, -1], width: 10, height: 10 };
  assert.equal(planComposedGrid(fine, { dilateM: 500, featherPx: 12 }).padPx, 512);
  assert.throws(
    () => planComposedGrid(fine, { dilateM: 501, featherPx: 12 }),
    (error) => isSwathError(error) && error.code === 'mosaic-too-expensive' && /513/.test(error.message),
  );
});

type Stretches = PlannedPicture['plan']['stretches'];
const planOf = (...stretches: Stretches) => ({ stretches }) as PlannedPicture['plan'];

test('scenes of sensors with different ranges are combined as fractions of their range', () => {
  const own = planOf({ kind: 'fixed', min: 100, max: 300 }, { kind: 'fixed', min: 0, max: 1 });
  const front = planOf({ kind: 'fixed', min: 0, max: 1 }, { kind: 'fixed', min: 0, max: 1 });
  const units = toUnits(own, front);
  assert.ok(units !== null);
  const [first, second] = units;
  for (const [stored, fraction] of [
    [100, 0],
    [200, 0.5],
    [300, 1],
    [350, 1.25],
  ] as const)
    assert.ok(Math.abs(stored * first!.mult + first!.add - fraction) < 1e-12);
  assert.deepEqual(second, { mult: 1, add: 0 });
});

test('scenes with the same ranges, measured ones or decibels keep their values', () => {
  const fixed = planOf({ kind: 'fixed', min: 100, max: 300 });
  assert.equal(toUnits(fixed, fixed), null);
  const other = planOf({ kind: 'fixed', min: 0, max: 1 });
  const measured = planOf({ kind: 'measured' } as unknown as Stretches[number]);
  assert.equal(toUnits(measured, other), null);
  assert.equal(toUnits(other, measured), null);
  assert.equal(toUnits(planOf({ kind: 'fixed', min: -20, max: 0, isDecibel: true }), other), null);
});
