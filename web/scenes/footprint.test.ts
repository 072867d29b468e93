import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseOutline, toBox } from './footprint.ts';

const ring = (west: number, south: number, east: number, north: number): [number, number][] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];

test('polygons and multi-polygons have a bounding box', () => {
  assert.deepEqual(
    toBox({ type: 'Polygon', coordinates: [ring(1.8, 42.4, 3.1, 43.3)] }),
    [1.8, 42.4, 3.1, 43.3],
  );
  const two = { type: 'MultiPolygon', coordinates: [[ring(1, 2, 3, 4)], [ring(5, 6, 7, 8)]] } as const;
  assert.deepEqual(toBox(two), [1, 2, 7, 8]);
});

test('an outline across the antimeridian gets a narrow box', () => {
  assert.deepEqual(
    toBox({ type: 'MultiPolygon', coordinates: [[ring(179, 1, 180, 2)], [ring(-180, 1, -179, 2)]] }),
    [179, 1, 181, 2],
  );
});

test('foreign members of an outline are dropped', () => {
  const outline = parseOutline({ type: 'Polygon', coordinates: [ring(1, 2, 3, 4)], crs: { type: 'name' } });
  assert.deepEqual(outline, { type: 'Polygon', coordinates: [ring(1, 2, 3, 4)] });
});

test('anything but an outline is null', () => {
  const bad = [
    null,
    'POLYGON',
    {},
    { type: 'Point', coordinates: [1, 2] },
    { type: 'Polygon', coordinates: [] },
    { type: 'Polygon', coordinates: [[[1, 2]]] },
    { type: 'Polygon', coordinates: [ring(1, 2, Number.NaN, 4)] },
    { type: 'MultiPolygon', coordinates: [ring(1, 2, 3, 4)] },
    { type: 'MultiPolygon', coordinates: 'x' },
  ];
  for (const value of bad) assert.equal(parseOutline(value), null, JSON.stringify(value));
});
