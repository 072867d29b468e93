import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contourIntervalM } from './contour-interval.ts';

/** Metres a pixel at the equator, in tiles of 256 pixels at zoom 0. */
const PIXEL_M = 156_543.03;

test('intervals shrink with the zoom level, and are the same beyond the table', () => {
  const intervals = Array.from({ length: 23 }, (_, zoom) => contourIntervalM(zoom));
  assert.deepEqual(
    intervals,
    intervals.toSorted((one, other) => other - one),
  );
  assert.deepEqual(
    [15, 14, 13, 12, 1].map((zoom) => contourIntervalM(zoom)),
    [5, 10, 20, 50, 2000],
  );
  assert.deepEqual([contourIntervalM(22), contourIntervalM(14.9), contourIntervalM(-1)], [5, 10, 2000]);
});

test('on a slope of 10° lines are 5 to 8 pixels apart, where pixels are fine enough for slopes', () => {
  for (let zoom = 10; zoom <= 15; zoom++) {
    const spacingPx = contourIntervalM(zoom) / (Math.tan(Math.PI / 18) * (PIXEL_M / 2 ** zoom));
    assert.ok(spacingPx > 5 && spacingPx < 8, `${spacingPx} pixels at zoom ${zoom}`);
  }
});
