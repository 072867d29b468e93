import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coverageOf } from './coverage.ts';
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

test('the part of a view that lies inside of an outline', () => {
  assert.equal(coverageOf(square(0, 0, 10, 10), [2, 2, 4, 4]), 1);
  assert.equal(coverageOf(square(0, 0, 10, 10), [-10, 0, 10, 10]), 0.5);
  assert.equal(coverageOf(square(0, 0, 10, 10), [20, 0, 30, 10]), 0);
});

test('a hole is not covered, each polygon of several counts', () => {
  const [outer, hole] = [square(0, 0, 10, 10), square(0, 0, 5, 10)] as const;
  const holed = { type: 'Polygon', coordinates: [...outer.coordinates, ...hole.coordinates] } as Outline;
  assert.equal(coverageOf(holed, [0, 0, 10, 10]), 0.5);
  const two = {
    type: 'MultiPolygon',
    coordinates: [square(0, 0, 2, 10).coordinates, square(8, 0, 10, 10).coordinates],
  } as Outline;
  assert.equal(coverageOf(two, [0, 0, 10, 10]), 0.4);
});

test('maps that were dragged around the world and outlines across the antimeridian are met', () => {
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
});
