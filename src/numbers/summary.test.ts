import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { casesOf } from '../testing/test-size.ts';
import { makeMomentSums, summarize } from './index.ts';

const close = (got: number, wanted: number, name: string) =>
  assert.ok(Math.abs(got - wanted) < 1e-6, `${name}: ${got} is not ${wanted}`);

test('equals a vector computed with NumPy', () => {
  const values = Float32Array.of(0.12, 0.34, 0.45, 0.51, 0.58, 0.6, 0.62, 0.66, 0.71, 0.83);
  const wanted = {
    count: 10,
    min: 0.12,
    max: 0.83,
    average: 0.542,
    std: 0.1908821626030049,
    variance: 0.036436,
    q1: 0.465,
    median: 0.59,
    q3: 0.65,
    p10: 0.318,
    p90: 0.722,
  };
  const got = summarize(values, null);
  assert.ok(got !== null);
  assert.deepEqual(Object.keys(got).sort(), Object.keys(wanted).sort());
  for (const [name, value] of Object.entries(wanted)) close(got[name as keyof typeof got], value, name);
});

test('masked, NaN and infinite pixels do not count; nothing left gives null', () => {
  const values = Float32Array.of(5, Number.NaN, 1, Number.POSITIVE_INFINITY, 3, Number.NEGATIVE_INFINITY, 99);
  const mask = Uint8Array.of(1, 1, 1, 1, 1, 1, 0);
  const { count, min, max, average, median } = summarize(values, mask)!;
  assert.deepEqual({ count, min, max, average, median }, { count: 3, min: 1, max: 5, average: 3, median: 3 });
  assert.equal(summarize(values, new Uint8Array(7)), null);
  assert.equal(summarize(Float32Array.of(Number.NaN), null), null);
  assert.equal(summarize(new Float32Array(0), null), null);
});

test('one value has no spread, and neither have equal ones, wherever they lie', () => {
  for (const value of [0, -0, 7, 0.1, -1e-45, 3.4028234e38]) {
    for (const count of [1, 3, 1000]) {
      const { min, max, average, std, variance } = summarize(new Float32Array(count).fill(value), null)!;
      const same = Math.fround(value) + 0;
      assert.deepEqual([min, max, average, std, variance], [same, same, same, 0, 0]);
    }
  }
});

test('a spread far from zero is not lost to rounding', () => {
  // Population variance of 0, 1, 2, 3 is 1.25, and moving values by a constant does not change it.
  const values = Float32Array.of(8_388_608, 8_388_609, 8_388_610, 8_388_611);
  assert.equal(summarize(values, null)!.variance, 1.25);
  assert.equal(summarize(values, null)!.average, 8_388_609.5);
});

test('huge next to tiny: nothing overflows and nothing is lost', () => {
  const { average, variance } = summarize(Float32Array.of(3e38, -3e38, 1e-30, 1e-30), null)!;
  assert.equal(average, Math.fround(1e-30) / 2);
  assert.ok(Math.abs(variance / (Math.fround(3e38) ** 2 / 2) - 1) < 1e-15);
});

test('property: equals the textbook, in any order and in any pieces to the last bit', () => {
  const value = fc.float({ noNaN: true, min: -1e6, max: 1e6 });
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 60 }), fc.nat(), (list, seed) => {
      const values = Float32Array.from(list);
      const mean = list.reduce((sum, x) => sum + x, 0) / list.length;
      const variance = list.reduce((sum, x) => sum + (x - mean) ** 2, 0) / list.length;
      const whole = summarize(values, null)!;
      const largest = Math.max(...list.map(Math.abs), 1e-30);
      assert.ok(Math.abs(whole.average - mean) <= 1e-12 * largest);
      assert.ok(Math.abs(whole.variance - variance) <= 1e-12 * largest ** 2);

      const at = seed % list.length;
      const turned = Float32Array.from([...list.slice(at), ...list.slice(0, at).reverse()]);
      assert.deepEqual(summarize(turned, null), whole);
      const sums = makeMomentSums();
      sums.add(turned.subarray(at), null);
      sums.add(turned.subarray(0, at), null);
      const { mean: average, std, variance: spread, min, max, count } = sums.finish()!;
      assert.deepEqual(
        { average, std, variance: spread, min, max, count },
        {
          average: whole.average,
          std: whole.std,
          variance: whole.variance,
          min: whole.min,
          max: whole.max,
          count: whole.count,
        },
      );
    }),
    { numRuns: casesOf(100) },
  );
});
