import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countBins } from './histogram.ts';

/** numpy.histogram(values, bins, range), NumPy 2.4, of values as float32. */
const vectors = [
  {
    values: [-1, -0.95, -0.5, 0, 0.05, 0.1, 0.5, 0.999, 1],
    bins: { min: -1, max: 1, bins: 4 },
    counts: [2, 1, 3, 3],
  },
  {
    values: [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1],
    bins: { min: 0, max: 1, bins: 10 },
    counts: [0, 1, 1, 1, 1, 1, 2, 0, 2, 1],
  },
  {
    values: [0.5, 0.75, 2.25, 2.26, 0.49],
    bins: { min: 0.5, max: 2.25, bins: 7 },
    counts: [1, 1, 0, 0, 0, 0, 1],
  },
] as const;

for (const { values, bins, counts } of vectors) {
  test(`counts ${values.length} values in ${bins.bins} bins as NumPy does`, () => {
    assert.deepEqual(countBins(Float32Array.from(values), bins), counts);
  });
}

test('a value right below an edge counts for the lower bin, even if its distance to the minimum is rounded', () => {
  const below = Float32Array.of(-1.401298464324817e-45);
  assert.deepEqual(countBins(below, { min: -1, max: 1, bins: 2 }), [1, 0]);
  assert.deepEqual(countBins(Float32Array.of(0), { min: -1, max: 1, bins: 2 }), [0, 1]);
});

test('NaN and infinite values are not counted', () => {
  const values = Float32Array.of(Number.NaN, Infinity, -Infinity, 0.5);
  assert.deepEqual(countBins(values, { min: 0, max: 1, bins: 2 }), [0, 1]);
});
