import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { casesOf } from '../testing/test-size.ts';
import { makeMomentSums, summarize } from './index.ts';
import { sortFloats } from './lloyd.ts';
import { countBins, fromKey, makeSample, percentilesOf, toKey } from './summary.ts';

const close = (got: number, wanted: number, name: string) =>
  assert.ok(Math.abs(got - wanted) < 1e-6, `${name}: ${got} is not ${wanted}`);

test('a summary equals a vector computed with NumPy', () => {
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

test('masked, NaN and infinite pixels do not count; no pixels give null', () => {
  const values = Float32Array.of(5, Number.NaN, 1, Number.POSITIVE_INFINITY, 3, Number.NEGATIVE_INFINITY, 99);
  const mask = Uint8Array.of(1, 1, 1, 1, 1, 1, 0);
  const { count, min, max, average, median } = summarize(values, mask)!;
  assert.deepEqual({ count, min, max, average, median }, { count: 3, min: 1, max: 5, average: 3, median: 3 });
  assert.equal(summarize(values, new Uint8Array(7)), null);
  assert.equal(summarize(Float32Array.of(Number.NaN), null), null);
  assert.equal(summarize(new Float32Array(0), null), null);
});

test('one value has no spread, and neither have equal values, anywhere', () => {
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

test('with huge and tiny values nothing overflows and nothing is lost', () => {
  const { average, variance } = summarize(Float32Array.of(3e38, -3e38, 1e-30, 1e-30), null)!;
  assert.equal(average, Math.fround(1e-30) / 2);
  assert.ok(Math.abs(variance / (Math.fround(3e38) ** 2 / 2) - 1) < 1e-15);
});

test('property: the summary equals the textbook, in any order and in any pieces to the last bit', () => {
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

function percentiles(values: Float32Array, mask: Uint8Array | null, percents: readonly number[]) {
  const sample = makeSample(values, mask);
  return sample.count === 0 ? null : percentilesOf(sample, percents);
}

/** Type 7 by the textbook: sort, then interpolate. */
function bySorting(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const position = (percent / 100) * (sorted.length - 1);
  const rank = Math.floor(position);
  const below = sorted[rank]!;
  return below + (position - rank) * ((sorted[rank + 1] ?? below) - below);
}

test('percentiles equal a vector computed with NumPy', () => {
  const values = Float32Array.of(0.12, 0.34, 0.45, 0.51, 0.58, 0.6, 0.62, 0.66, 0.71, 0.83);
  const wanted = [0.12, 0.318, 0.465, 0.59, 0.65, 0.722, 0.83];
  const got = percentiles(values, null, [0, 10, 25, 50, 75, 90, 100]);
  for (const [i, value] of wanted.entries()) assert.ok(Math.abs(got![i]! - value) < 1e-7, `${got}`);
});

test('masked, NaN and infinite values do not count', () => {
  const values = Float32Array.of(
    5,
    Number.NaN,
    1,
    Number.POSITIVE_INFINITY,
    3,
    Number.NEGATIVE_INFINITY,
    1000,
  );
  const mask = Uint8Array.of(1, 1, 1, 1, 1, 1, 0);
  assert.deepEqual(percentiles(values, mask, [0, 50, 100]), [1, 3, 5]);
});

test('no values give null, one value gives that value', () => {
  assert.equal(percentiles(new Float32Array(0), null, [50]), null);
  assert.equal(percentiles(Float32Array.of(7), Uint8Array.of(0), [50]), null);
  assert.deepEqual(percentiles(Float32Array.of(7), null, [0, 50, 100]), [7, 7, 7]);
});

test('zero has no sign', () => {
  assert.ok(Object.is(percentiles(Float32Array.of(-0, -0), null, [50])![0], 0));
});

test('property: percentiles equal sorting, for any finite float32', () => {
  const value = fc.float({ noNaN: true, noDefaultInfinity: true });
  const percent = fc.double({ min: 0, max: 100, noNaN: true });
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 40 }), percent, (values, at) => {
      const [got] = percentiles(Float32Array.from(values), null, [at])!;
      const wanted = bySorting(values, at);
      assert.ok(Math.abs(got! - wanted) <= 1e-12 * Math.abs(wanted) + 1e-300, `${got} is not ${wanted}`);
    }),
    { numRuns: casesOf(60) },
  );
});

test('many ranks at once give the same values as one by one', () => {
  const values = new Float32Array(5000).map((_, i) => Math.fround(Math.sin(i * i) * 10 ** (i % 9)));
  const sorted = values.toSorted();
  const ranks = Array.from({ length: 300 }, (_, i) => (i * 7919) % values.length);
  const wanted = ranks.map((rank) => sorted[rank]! + 0);
  assert.deepEqual(makeSample(values, null).valuesAt(ranks), wanted);
});

test('a rank outside the sample is an error', () => {
  assert.throws(() => makeSample(Float32Array.of(1, 2), null).valuesAt([2]), RangeError);
});

test('property: percentiles are exact on whole numbers, with a mask', () => {
  const pixel = fc.tuple(fc.integer({ min: -32768, max: 65535 }), fc.boolean());
  fc.assert(
    fc.property(fc.array(pixel, { minLength: 1, maxLength: 200 }), fc.nat(100), (pixels, at) => {
      const present = pixels.filter(([, isData]) => isData).map(([value]) => value);
      const values = Float32Array.from(pixels, ([value]) => value);
      const mask = Uint8Array.from(pixels, ([, isData]) => Number(isData));
      const got = percentiles(values, mask, [at]);
      if (present.length === 0) assert.equal(got, null);
      else assert.equal(got![0], bySorting(present, at));
    }),
    { numRuns: casesOf(60) },
  );
});

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
  test(`${values.length} values are counted in ${bins.bins} bins as in NumPy`, () => {
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

const bitsOf = (value: number) => new Uint32Array(Float32Array.of(value).buffer)[0]!;

test('keys sort like the numbers, and convert back to them', () => {
  const ascending = [-Infinity, -3e38, -1, -1e-45, -0, 0, 1e-45, 1, 1.5, 3e38, Infinity];
  const keys = ascending.map((value) => toKey(bitsOf(value)));
  assert.deepEqual(
    keys,
    keys.toSorted((a, b) => a - b),
  );
  assert.deepEqual(keys.map(fromKey), ascending.map(bitsOf));
});

test('property: sorting equals the built-in sort, also in a part of a buffer', () => {
  fc.assert(
    fc.property(fc.array(fc.float({ noNaN: true }), { maxLength: 50 }), fc.nat(5), (list, skip) => {
      const values = Float32Array.from(list);
      const start = Math.min(skip, values.length);
      const wanted = values.slice();
      wanted.subarray(start).sort();
      sortFloats(values.subarray(start));
      assert.deepEqual(values, wanted);
    }),
    { numRuns: casesOf(200) },
  );
});
