import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseLayer } from './choose-layer.ts';

test('a mosaic is used from twice its pixels on, and the coarsest that is fine enough', () => {
  const dem = { name: 'alps', overviews: [{ pixelDeg: 0.001 }, { pixelDeg: 0.016 }] };
  const overviewAt = (pixelDeg: number): number => chooseLayer(dem, pixelDeg).overview;
  assert.deepEqual([0.0001, 0.0019, 0.002, 0.03, 0.032, 1].map(overviewAt), [0, 0, 1, 1, 2, 2]);
  assert.deepEqual(chooseLayer({ name: 'hill', overviews: [] }, 1), { dem: 'hill', overview: 0 });
});
