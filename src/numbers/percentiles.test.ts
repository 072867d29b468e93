import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { casesOf } from '../testing/test-size.ts';
import { makeSample } from './order-statistics.ts';
import { percentilesOf } from './percentiles.ts';

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

test('equals a vector computed with NumPy', () => {
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

test('nothing to count gives null, one value gives that value', () => {
  assert.equal(percentiles(new Float32Array(0), null, [50]), null);
  assert.equal(percentiles(Float32Array.of(7), Uint8Array.of(0), [50]), null);
  assert.deepEqual(percentiles(Float32Array.of(7), null, [0, 50, 100]), [7, 7, 7]);
});

test('zero has no sign', () => {
  assert.ok(Object.is(percentiles(Float32Array.of(-0, -0), null, [50])![0], 0));
});

test('property: equals sorting, for any finite float32', () => {
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
  const values = Float32Array.from({ length: 5000 }, (_, i) => Math.fround(Math.sin(i * i) * 10 ** (i % 9)));
  const sorted = values.toSorted();
  const ranks = Array.from({ length: 300 }, (_, i) => (i * 7919) % values.length);
  const wanted = ranks.map((rank) => sorted[rank]! + 0);
  assert.deepEqual(makeSample(values, null).valuesAt(ranks), wanted);
});

test('a rank outside the sample is an error', () => {
  assert.throws(() => makeSample(Float32Array.of(1, 2), null).valuesAt([2]), RangeError);
});

test('property: exact on whole numbers, with a mask', () => {
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
