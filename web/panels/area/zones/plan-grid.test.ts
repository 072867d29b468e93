import assert from 'node:assert/strict';
import { test } from 'node:test';
import { viewerSensors } from '../../../../test/support/viewer-sensors.ts';
import type { Outline } from '../../../scenes/footprint.ts';
import { toUtm } from '../../../shapes/utm.ts';
import { pixelOfIndex, planGrid } from './plan-grid.ts';

const toSquare = (sizeDeg: number): Outline => ({
  type: 'Polygon',
  coordinates: [
    [
      [-122.4, 48.2],
      [-122.4 + sizeDeg, 48.2],
      [-122.4 + sizeDeg, 48.2 + sizeDeg],
      [-122.4, 48.2 + sizeDeg],
      [-122.4, 48.2],
    ],
  ],
});

test('the grid is at multiples of the pixel size, and encloses every corner of the area', () => {
  for (const [size, expectedM] of [
    [0.01, 10],
    [0.3, 40],
  ] as const) {
    const outline = toSquare(size);
    const { zone, pixelM, left, top, width, height } = planGrid(outline, 10);
    assert.equal(pixelM, expectedM);
    assert.ok(width <= 1024 && height <= 1024, `${width} x ${height}`);
    assert.ok(left % pixelM === 0 && top % pixelM === 0);
    for (const [lon, lat] of outline.coordinates[0] as readonly (readonly [number, number])[]) {
      const [x, y] = toUtm(zone, lon, lat);
      assert.ok(x > left && x < left + width * pixelM && y < top && y > top - height * pixelM);
    }
  }
});

test('the pixel size is that of the finest band of the index', () => {
  const sensor = viewerSensors.find(({ dataset }) => dataset === 'sentinel2l2a');
  assert.ok(sensor);
  assert.equal(pixelOfIndex(sensor, 'NDVI'), 10);
  assert.equal(pixelOfIndex(sensor, 'NDRE'), 10);
});
