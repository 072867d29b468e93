import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toContourFeatures } from './contour-features.ts';
import { makeHeightGrid } from './testing/make-height-grid.ts';
import { traceContours } from './trace-contours.ts';

test('lines become one MultiLineString per height, from the lowest up', () => {
  // A roof: every height has a line on both sides of the ridge.
  const roof = makeHeightGrid(9, 3, (x) => 12 - 3 * Math.abs(x - 4));
  const lines = traceContours(roof, { intervalM: 5, maxPoints: 1000 });
  const toLonLat = (x: number, y: number) => [10 + x / 3, 50 - y / 3] as const;
  assert.deepEqual(toContourFeatures(lines, toLonLat), {
    type: 'FeatureCollection',
    features: [
      {
        type: 'Feature',
        properties: { ele: 5, index: false },
        geometry: {
          type: 'MultiLineString',
          coordinates: [
            [
              [12.2777778, 49.8333333],
              [12.2777778, 49.1666667],
            ],
            [
              [10.7222222, 49.1666667],
              [10.7222222, 49.8333333],
            ],
          ],
        },
      },
      {
        type: 'Feature',
        properties: { ele: 10, index: false },
        geometry: {
          type: 'MultiLineString',
          coordinates: [
            [
              [11.7222222, 49.8333333],
              [11.7222222, 49.1666667],
            ],
            [
              [11.2777778, 49.1666667],
              [11.2777778, 49.8333333],
            ],
          ],
        },
      },
    ],
  });
});

test('lines that rounding makes a point are left out, with their feature', () => {
  const slope = makeHeightGrid(2, 2, (x) => 10 * x + 1);
  const lines = traceContours(slope, { intervalM: 5, maxPoints: 100 });
  assert.equal(lines.length, 2);
  assert.deepEqual(toContourFeatures(lines, (x, y) => [x / 1e9, -y / 1e9]).features, []);
  assert.deepEqual(toContourFeatures([], () => [0, 0]).features, []);
});
