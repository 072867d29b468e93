import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { box } from '../../../catalog/testing/make-scene.ts';
import type { AreaGeometry, LonLatBounds } from '../../../geo/index.ts';
import { areasIntersect } from '../../../geo/index.ts';
import { casesOf } from '../../../testing/test-size.ts';
import { toIndexBoxes } from './scene-search.ts';

test('an area has one box, and across the antimeridian a box on each side', () => {
  assert.deepEqual(toIndexBoxes(box(2, 42, 3, 43)), [{ west: 2, east: 3, south: 42, north: 43 }]);
  const sides = [
    { west: -180, east: -178, south: 0, north: 1 },
    { west: 179, east: 180, south: 0, north: 1 },
  ];
  const cut: AreaGeometry = {
    type: 'MultiPolygon',
    coordinates: [box(179, 0, 180, 1).coordinates, box(-180, 0, -178, 1).coordinates],
  };
  for (const area of [box(179, 0, 182, 1), box(-181, 0, -178, 1), cut]) {
    assert.deepEqual(toIndexBoxes(area), sides);
  }
});

test('the whole world has one box, and so do scattered parts on one side of the antimeridian', () => {
  const world = { west: -180, east: 180, south: -90, north: 90 };
  assert.deepEqual(toIndexBoxes(box(-180, -90, 180, 90)), [world]);
  assert.deepEqual(toIndexBoxes(box(-200, -90, 200, 90)), [world]);
  const scattered: AreaGeometry = {
    type: 'MultiPolygon',
    coordinates: [box(-60, 0, -50, 1).coordinates, box(40, 0, 50, 1).coordinates],
  };
  assert.deepEqual(toIndexBoxes(scattered), [{ west: -60, east: 50, south: 0, north: 1 }]);
});

test('property: areas that meet have boxes that meet, however their longitudes are written', () => {
  const anyBox = fc
    .tuple(
      fc.integer({ min: -370, max: 370 }),
      fc.integer({ min: -3, max: 3 }),
      fc.integer({ min: 1, max: 90 }),
    )
    .map(([west, south, size]) => box(west, south, west + size, south + 2));
  const anyArea = fc.oneof(
    anyBox,
    fc
      .tuple(anyBox, anyBox)
      .map(([a, b]): AreaGeometry => ({ type: 'MultiPolygon', coordinates: [a.coordinates, b.coordinates] })),
  );
  const meet = (a: LonLatBounds, b: LonLatBounds): boolean =>
    a.west <= b.east && b.west <= a.east && a.south <= b.north && b.south <= a.north;
  fc.assert(
    fc.property(anyArea, anyArea, (a, b) => {
      const [ours, theirs] = [toIndexBoxes(a), toIndexBoxes(b)];
      assert.ok(ours.length <= 2);
      for (const { west, east } of ours) assert.ok(-180 <= west && west <= east && east <= 180);
      if (areasIntersect(a, b)) assert.ok(ours.some((one) => theirs.some((other) => meet(one, other))));
    }),
    { numRuns: casesOf(1000) },
  );
});
