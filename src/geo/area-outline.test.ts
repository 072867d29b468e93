import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { AreaGeometry, LonLat, Ring } from './area.ts';
import { areasIntersect } from './area.ts';
import { outlineBounds, outlineMeets, toOutline } from './area-outline.ts';

const box = (west: number, south: number, east: number, north: number): Ring => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];

test('the bounds of an outline exclude the widest gap between its edges', () => {
  const boundsOf = (...rings: Ring[]) =>
    outlineBounds(toOutline({ type: 'MultiPolygon', coordinates: rings.map((ring) => [ring]) }));
  assert.deepEqual(boundsOf(box(5, 45, 8, 47)), { west: 5, south: 45, east: 8, north: 47 });
  assert.deepEqual(boundsOf(box(-179, 0, 179, 1)), { west: -179, south: 0, east: 179, north: 1 });
  assert.deepEqual(boundsOf(box(-180, -85, 180, 85)), { west: -180, south: -85, east: 180, north: 85 });
  assert.deepEqual(boundsOf(box(170, 0, 180, 5), box(-180, 0, -175, 5)), {
    west: 170,
    south: 0,
    east: 185,
    north: 5,
  });
  assert.deepEqual(boundsOf(box(-180, 0, 0, 5), box(0, 0, 180, 5)), {
    west: -180,
    south: 0,
    east: 180,
    north: 5,
  });
});

const polygon = (...rings: Ring[]): AreaGeometry => ({ type: 'Polygon', coordinates: rings });

test('an area meets a ring that it crosses, contains, or is inside', () => {
  const ring = box(10, 40, 12, 42);
  const cases: readonly (readonly [string, AreaGeometry, boolean])[] = [
    ['crosses', polygon(box(11, 39, 13, 41)), true],
    ['crosses without a vertex in either', polygon(box(9, 40.5, 13, 41)), true],
    ['holds', polygon(box(0, 30, 20, 50)), true],
    ['lies in', polygon(box(10.5, 40.5, 11, 41)), true],
    ['touches', polygon(box(12, 40, 13, 42)), true],
    ['lies apart', polygon(box(12.1, 40, 13, 42)), false],
    ['has it in its hole', polygon(box(0, 30, 20, 50), box(5, 35, 15, 45)), false],
    ['meets with its second part', polygon(box(0, 0, 1, 1), box(10.5, 40.5, 11, 41)), true],
    ['a turn further east', polygon(box(370.5, 40.5, 371, 41)), true],
  ];
  for (const [name, area, wanted] of cases) {
    assert.equal(outlineMeets(toOutline(area), ring), wanted, name);
  }
});

test('meeting a ring agrees with intersecting areas, for any triangle', () => {
  const corner = fc.tuple(fc.integer({ min: -8, max: 8 }), fc.integer({ min: -8, max: 8 }));
  fc.assert(
    fc.property(corner, corner, corner, (a, b, c) => {
      const twice = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
      fc.pre(twice !== 0);
      const triangle = polygon([a, b, c, a] as LonLat[]);
      const ring = box(-2, -3, 3, 1);
      assert.equal(outlineMeets(toOutline(triangle), ring), areasIntersect(triangle, polygon(ring)));
    }),
  );
});
