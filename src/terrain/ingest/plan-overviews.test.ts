import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlannedFile } from './plan-overviews.ts';
import { planOverviews } from './plan-overviews.ts';

const LEVELS = [1800, 900, 450].map((side) => ({ width: side, height: side }));

/** A file of one degree with pixels of a second, as GLO-30 has them. */
const toFile = (west: number, south: number, more: Partial<PlannedFile> = {}): PlannedFile => ({
  bounds: {
    west: west - 1 / 7200,
    south: south + 1 / 7200,
    east: west + 1 - 1 / 7200,
    north: south + 1 + 1 / 7200,
  },
  format: 'tiff',
  resolutionM: 30.9,
  width: 3600,
  height: 3600,
  levels: LEVELS,
  ...more,
});

const square = (side: number): PlannedFile[] =>
  Array.from({ length: side * side }, (_, i) => toFile(i % side, Math.floor(i / side)));

test('a few files with overviews need no mosaic', () => {
  assert.deepEqual(planOverviews(square(4)), []);
  assert.deepEqual(planOverviews([toFile(0, 0, { width: 2000, height: 2000, levels: [] })]), []);
});

test('a large file without overviews, or many files, need mosaics', () => {
  const [single, ...more] = planOverviews([toFile(5, 45, { levels: [] })]);
  assert.deepEqual(more, []);
  assert.ok((single?.pixelDeg as number) <= 4 / 3600 && (single?.pixelDeg as number) > 2 / 3600 - 1e-4);
  assert.ok(planOverviews(square(5)).length > 0);
});

test('mosaics of a continent get coarser until a few cells are left', () => {
  const plans = planOverviews(square(40));
  assert.deepEqual(
    plans.map(({ overview }) => overview),
    plans.map((_, i) => i + 1),
  );
  for (const [i, { pixelDeg, cellPx, cells }] of plans.entries()) {
    for (const { bounds } of cells) assert.ok(Math.abs(bounds.east - bounds.west - cellPx * pixelDeg) < 1e-9);
    const before = plans[i - 1];
    if (before !== undefined) assert.ok(pixelDeg / before.pixelDeg >= 8 && pixelDeg / before.pixelDeg <= 32);
  }
  const last = plans.at(-1);
  assert.ok((last?.cells.length as number) <= 4 && (last?.cells.length as number) >= 1);
  // 10 columns of 4° and 11 rows, which begin at 90° S; none for the half pixel by which files exceed their degree
  assert.equal(plans[0]?.cells.length, 110);
});

test('a model of the whole world has cells all around, also at its ends', () => {
  const files = Array.from({ length: 360 * 170 }, (_, i) =>
    toFile((i % 360) - 180, Math.floor(i / 360) - 85),
  );
  const plans = planOverviews(files);
  const last = plans.at(-1)?.cells ?? [];
  const names = new Set(last.map(({ name }) => name));
  assert.equal(names.size, last.length);
  for (const lon of [-179.5, 0.5, 179.5])
    for (const lat of [-84.5, 0.5, 84.5])
      assert.ok(
        last.some(
          ({ bounds }) =>
            bounds.west <= lon && lon <= bounds.east && bounds.south <= lat && lat <= bounds.north,
        ),
        `${lon} ${lat}`,
      );
});

test('files across the antimeridian have cells on both sides', () => {
  const files = Array.from({ length: 20 }, (_, i) => toFile(170 + i, 60));
  const finest = planOverviews(files)[0]?.cells ?? [];
  assert.ok(finest.some(({ bounds }) => bounds.west === -180));
  assert.ok(finest.some(({ bounds }) => bounds.east === 180));
});

test('a pyramid needs no mosaic: its lower zoom levels are its overviews', () => {
  const side = 256 * 2 ** 12;
  assert.deepEqual(
    planOverviews([toFile(0, 0, { format: 'terrarium', width: side, height: side, levels: [] })]),
    [],
  );
});
