import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countLevels, toHeights, toHull, valueAt } from './histogram.ts';

/** Pixels of red, green, blue and alpha. */
const toPixels = (...pixels: readonly (readonly number[])[]) => new Uint8ClampedArray(pixels.flat());

test('levels are counted by channel, transparent pixels are not', () => {
  const pixels = toPixels([0, 128, 255, 255], [3, 128, 4, 255], [200, 200, 200, 0]);
  const axes = [
    { min: 0, max: 1 },
    { min: 10, max: 20 },
    { min: -1, max: 1 },
  ];
  const [red, green, blue] = countLevels(pixels, axes);
  assert.equal(red?.counts[0], 2);
  assert.equal(green?.counts[32], 2);
  assert.deepEqual([blue?.counts[1], blue?.counts[63]], [1, 1]);
  for (const histogram of [red, green, blue]) {
    assert.equal(
      histogram?.counts.reduce((sum, count) => sum + count, 0),
      2,
    );
  }
  assert.deepEqual([green?.min, green?.max], [10, 20]);
});

test('the highest bin has the height 1, and a quarter of it half of that', () => {
  assert.deepEqual(toHeights({ min: 0, max: 1, counts: [4, 1, 0] }), [1, 0.5, 0]);
  assert.deepEqual(toHeights({ min: 0, max: 1, counts: [0, 0] }), [0, 0]);
});

test('a quantile is interpolated within its bin', () => {
  const even = { min: 0, max: 100, counts: [5, 5, 5, 5] };
  assert.equal(valueAt(even, 0.5), 50);
  assert.equal(valueAt(even, 0.125), 12.5);
  assert.equal(valueAt({ min: 0, max: 4, counts: [0, 8, 0, 0] }, 0.5), 1.5);
  assert.equal(valueAt({ min: 0, max: 1, counts: [0, 0] }, 0.5), null);
});

test('a hull contains all ranges', () => {
  assert.deepEqual(toHull({ min: 2, max: 3 }, { min: 0, max: 1 }, { min: 2, max: 9 }), { min: 0, max: 9 });
});
