import assert from 'node:assert/strict';
import { test } from 'node:test';
import { combineLayers } from './combine-layers.ts';

test('each scene has the same weight, and a pixel is the mean of the scenes that show it', () => {
  const { scores, values } = combineLayers([
    Float32Array.of(1, 3, Number.NaN, Number.NaN),
    Float32Array.of(100, 300, 200, Number.NaN),
  ]);
  // The second has the mean 200 and the deviation 81.65.
  const z = 100 / Math.sqrt(20_000 / 3);
  for (const [i, expected] of [(-1 - z) / 2, (1 + z) / 2, 0, Number.NaN].entries())
    assert.ok(Math.abs(scores[i]! - expected) < 1e-6 || (Number.isNaN(scores[i]) && i === 3), `${scores}`);
  assert.deepEqual([...values], [50.5, 151.5, 200, Number.NaN]);
});

test('a scene of one value does not affect zones', () => {
  assert.deepEqual([...combineLayers([Float32Array.of(7, 7, 7)]).scores], [0, 0, 0]);
});
