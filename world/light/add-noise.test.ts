import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addNoise } from './add-noise.ts';

const deviationOf = (plane: Float32Array, mean: number): number =>
  Math.sqrt(plane.reduce((sum, value) => sum + (value - mean) ** 2, 0) / plane.length);

test('noise grows with the signal as specified and does not change the mean', () => {
  for (const signal of [0, 0.2, 0.8]) {
    const plane = new Float32Array(50_000).fill(signal);
    addNoise(plane, { dark: 0.001, shot: 4e-6, seed: 3 });
    const mean = plane.reduce((sum, value) => sum + value, 0) / plane.length;
    const expected = Math.sqrt(0.001 ** 2 + 4e-6 * signal);
    assert.ok(Math.abs(mean - signal) < 3e-5);
    assert.ok(Math.abs(deviationOf(plane, mean) / expected - 1) < 0.02);
  }
});

test('the same seed gives the same noise', () => {
  const noisy = (seed: number): Float32Array => {
    const plane = new Float32Array(100).fill(0.3);
    addNoise(plane, { dark: 0.01, shot: 0, seed });
    return plane;
  };
  assert.deepEqual(noisy(1), noisy(1));
  assert.notDeepEqual(noisy(1), noisy(2));
});
