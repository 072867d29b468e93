import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toScene } from '../../catalog/index.ts';
import { makeScene } from '../../catalog/testing/make-scene.ts';
import type { WarpPlan } from '../../raster/index.ts';
import { sensorByAbbreviation } from '../../sensors/index.ts';
import { findSpeckleNoise, padSpeckleWindow } from './speckle.ts';

const levelSize = { width: 100, height: 80 };
const warp = { levelSize } as WarpPlan;
const sensor = sensorByAbbreviation('S1')!;
const sceneOf = (product: string) =>
  toScene(
    makeScene(1, { viewId: `S1/S1A_${product}_1SDV_20180716T004042_20180716T004107_022812_02792A_FD5B` }),
  );

test('the variation of speckle follows from mode, product and the number of pixels merged into one', () => {
  const noiseOf = (product: string, fullWidth = 100) =>
    findSpeckleNoise({ scene: sceneOf(product), sensor, band: 'VV' }, warp, fullWidth);
  assert.equal(noiseOf('IW_GRDH'), 1 / 4.4);
  assert.equal(noiseOf('EW_GRDM'), 1 / 10.7);
  assert.equal(noiseOf('IW_GRDH', 400), 1 / (16 * 4.4));
  const other = sensorByAbbreviation('S2')!;
  assert.equal(findSpeckleNoise({ scene: sceneOf('IW_GRDH'), sensor: other, band: 'B04' }, warp, 100), null);
});

test('a window has three extra pixels on each side, as far as the image has them', () => {
  const pad = (x: number, y: number, width: number, height: number) =>
    padSpeckleWindow({ window: { x, y, width, height }, levelSize });
  assert.deepEqual(pad(10, 20, 5, 6), { x: 7, y: 17, width: 11, height: 12 });
  assert.deepEqual(pad(0, 1, 100, 79), { x: 0, y: 0, width: 100, height: 80 });
});
