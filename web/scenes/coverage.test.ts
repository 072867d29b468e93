import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coverageOf, coversPoint, isSceneInView } from './coverage.ts';
import type { Outline } from './footprint.ts';

const square = (west: number, south: number, east: number, north: number): Outline => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ],
  ],
});

test('coverage is the part of a view inside an outline', () => {
  assert.equal(coverageOf(square(0, 0, 10, 10), [2, 2, 4, 4]), 1);
  assert.equal(coverageOf(square(0, 0, 10, 10), [-10, 0, 10, 10]), 0.5);
  assert.equal(coverageOf(square(0, 0, 10, 10), [20, 0, 30, 10]), 0);
});

test('a hole is not covered, and every polygon counts', () => {
  const [outer, hole] = [square(0, 0, 10, 10), square(0, 0, 5, 10)] as const;
  const holed = { type: 'Polygon', coordinates: [...outer.coordinates, ...hole.coordinates] } as Outline;
  assert.equal(coverageOf(holed, [0, 0, 10, 10]), 0.5);
  const two = {
    type: 'MultiPolygon',
    coordinates: [square(0, 0, 2, 10).coordinates, square(8, 0, 10, 10).coordinates],
  } as Outline;
  assert.equal(coverageOf(two, [0, 0, 10, 10]), 0.4);
});

test('coverage works for maps dragged around the world and for outlines across the antimeridian', () => {
  assert.equal(coverageOf(square(0, 0, 10, 10), [362, 2, 364, 4]), 1);
  const across: Outline = {
    type: 'Polygon',
    coordinates: [
      [
        [175, 0],
        [-175, 0],
        [-175, 10],
        [175, 10],
        [175, 0],
      ],
    ],
  };
  assert.equal(coverageOf(across, [176, 2, 184, 4]), 1);
  assert.equal(coverageOf(across, [-184, 2, -176, 4]), 1);
  for (const lon of [178, -178, 182, -182, 538]) assert.ok(coversPoint(across, { lon, lat: 5 }), `${lon}`);
  for (const lon of [170, -170, 0]) assert.ok(!coversPoint(across, { lon, lat: 5 }), `${lon}`);
});

test('a scene is in view if it fills much of the view, not if it only touches the edge or is a speck', () => {
  const tile = square(0, 0, 10, 10);
  const fitted = [-1, -1, 11, 11] as const;
  assert.ok(isSceneInView(tile, fitted), 'the view of the scene itself');
  assert.ok(isSceneInView(square(0, 0, 4, 10), fitted), 'data that ends inside of the tile');
  assert.ok(isSceneInView(tile, [2, 2, 3, 3]), 'a field of the scene');
  assert.ok(isSceneInView(tile, [9.8, 2, 10.8, 3]), 'a field at the edge of the data');
  assert.ok(isSceneInView(tile, [359, -1, 371, 11]), 'a map that was dragged around the world');
  assert.ok(!isSceneInView(square(9, 0, 19, 10), fitted), 'the next tile');
  assert.ok(!isSceneInView(square(9, 0, 19, 10), [2, 2, 3, 3]));
  assert.ok(!isSceneInView(square(2, 2, 3, 3), fitted), 'a speck in a wide view');
});
