import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findOtsuThreshold } from './otsu.ts';

const range = { min: 0, max: 10 };

test('two groups are separated in the middle of the gap between them', () => {
  const found = findOtsuThreshold([0, 5, 0, 0, 0, 0, 0, 5, 0, 0], range);
  assert.equal(found?.threshold, 4.5);
  assert.equal(found?.separability, 1);
});

test('fewer than two bins with values have no threshold', () => {
  assert.equal(findOtsuThreshold([0, 0, 7, 0], range), null);
  assert.equal(findOtsuThreshold([0, 0], range), null);
  assert.equal(findOtsuThreshold([], range), null);
});

test('the groups have the smallest variance of all possible splits', () => {
  const varianceOf = (values: readonly number[]): number => {
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    return values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  };
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 9 }), { minLength: 2, maxLength: 24 }), (counts) => {
      const values = counts.flatMap((count, bin) => Array.from({ length: count }, () => bin));
      const edges = counts
        .map((_, edge) => edge)
        .filter((edge) => values.some((bin) => bin < edge) && values.some((bin) => bin >= edge));
      const found = findOtsuThreshold(counts, { min: 0, max: counts.length });
      if (edges.length === 0) {
        assert.equal(found, null);
        return;
      }
      const within = (edge: number): number =>
        varianceOf(values.filter((bin) => bin < edge)) + varianceOf(values.filter((bin) => bin >= edge));
      const least = Math.min(...edges.map(within));
      assert.ok(found !== null);
      assert.ok(within(Math.floor(found.threshold)) <= least + 1e-9 * (1 + least), `${found.threshold}`);
      assert.ok(Math.abs(found.separability - (1 - least / varianceOf(values))) < 1e-9);
    }),
  );
});
