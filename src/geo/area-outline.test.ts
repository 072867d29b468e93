import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outlineBounds, toOutline } from './area-outline.ts';
import type { Ring } from './geometry.ts';

const box = (west: number, south: number, east: number, north: number): Ring => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];

test('the bounds of an outline leave out the widest gap between its edges', () => {
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
