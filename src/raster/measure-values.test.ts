import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { toStatistics } from '../stats/index.ts';
import { casesOf } from '../testing/test-size.ts';
import { loadKernels, measureValues } from './index.ts';

const kernels = loadKernels();

function measure(values: Float32Array) {
  const allocate = kernels.begin();
  const valuesAt = allocate(4 * values.length);
  new Float32Array(kernels.buffer(), valuesAt, values.length).set(values);
  return measureValues(kernels, allocate, { valuesAt, count: values.length });
}

const equals = (values: Float32Array) => assert.deepEqual(measure(values), toStatistics(values, null));

test('property: statistics in the kernels equal those in JavaScript to the last bit, for any bits', () => {
  const anyBits = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
  fc.assert(
    fc.property(fc.array(anyBits, { maxLength: 70 }), (bits) => {
      equals(new Float32Array(Int32Array.from(bits).buffer));
    }),
    { numRuns: casesOf(300) },
  );
});

test('property: so do those of many values close to each other, and of few different ones', () => {
  const options = { step: fc.constantFrom(0, 1e-7, 1e-4, 0.01, 300), seed: fc.nat(), count: fc.nat(5000) };
  fc.assert(
    fc.property(fc.record(options), ({ step, seed, count }) => {
      let state = seed;
      const values = Float32Array.from({ length: count }, () => {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
        return ((state >> 20) % 500) * step + (seed % 3) - 1;
      });
      equals(values);
    }),
    { numRuns: casesOf(60) },
  );
});

test('both zeros are zero; NaN and infinities do not count; nothing left gives null', () => {
  equals(Float32Array.of(0, -0, 0, -0, -0));
  equals(Float32Array.of(-0));
  equals(Float32Array.of(1, 0, -0, 5, -0, 2));
  equals(Float32Array.of(Number.NaN, 1, Number.POSITIVE_INFINITY, 2, 3, Number.NEGATIVE_INFINITY));
  equals(Float32Array.of(-3.4028234e38, 3.4028234e38, 1e-45, -1e-45, 1.1754944e-38));
  assert.equal(measure(new Float32Array(0)), null);
  assert.equal(measure(Float32Array.of(Number.NaN, Number.NEGATIVE_INFINITY)), null);
});

test('what earlier work left in the memory does not count', () => {
  const allocate = kernels.begin();
  const at = allocate(4_000_000);
  new Uint8Array(kernels.buffer(), at, 4_000_000).fill(7);
  equals(Float32Array.from({ length: 1001 }, (_, i) => Math.sin(i)));
});
