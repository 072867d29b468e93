import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { summarize } from '../numbers/index.ts';
import { loadKernels } from '../raster/index.ts';
import { casesOf } from '../testing/test-size.ts';
import { CLOUD_FLAGS, makeCollectedValues, measureValues } from './collect-values.ts';

const kernels = loadKernels();

/** Copies bytes into the kernels' memory. */
function put(allocate: (bytes: number) => number, array: Uint8Array | Float32Array | Uint32Array): number {
  const at = allocate(array.byteLength);
  new Uint8Array(kernels.buffer(), at, array.byteLength).set(
    new Uint8Array(array.buffer, array.byteOffset, array.byteLength),
  );
  return at;
}

interface Pixels {
  readonly mask: Uint8Array;
  readonly flags: Uint8Array;
  readonly spans: readonly (readonly [number, number])[];
}

/** One pixel after the other. */
function collectPlainly(values: Float32Array, { mask, flags, spans }: Pixels) {
  const found: number[] = [];
  let [validPx, cloudPx] = [0, 0];
  for (const [from, until] of spans) {
    for (let i = from; i < until; i += 1) {
      const flag = flags[i] as number;
      if (mask[i] === 0 || (flag & CLOUD_FLAGS.noData) !== 0) continue;
      validPx += 1;
      if ((flag & CLOUD_FLAGS.counted) !== 0) cloudPx += 1;
      if ((flag & CLOUD_FLAGS.masked) === 0) found.push(values[i] as number);
    }
  }
  return { found, validPx, cloudPx };
}

const length = 120;
const rareOr = (often: number, rare: number): fc.Arbitrary<number> =>
  fc.oneof({ weight: 30, arbitrary: fc.constant(often) }, { weight: 1, arbitrary: fc.constant(rare) });
const bytes = (arbitrary: fc.Arbitrary<number>) =>
  fc.array(arbitrary, { minLength: length, maxLength: length }).map((list) => Uint8Array.from(list));
const anySpans = fc
  .uniqueArray(fc.nat(length), { maxLength: 8 })
  .map((ends) => ends.sort((a, b) => a - b))
  .map((ends) => ends.flatMap((end, i) => (i % 2 === 1 ? [[ends[i - 1] as number, end] as const] : [])));
const anyPixels: fc.Arbitrary<Pixels> = fc.record({
  mask: bytes(fc.oneof(rareOr(1, 0), fc.nat(1))),
  flags: bytes(fc.oneof({ weight: 20, arbitrary: fc.constant(0) }, fc.nat(7))),
  spans: anySpans,
});

test('property: the collected values equal those found by visiting each pixel of the spans, piece by piece', () => {
  const values = new Float32Array(length).map((_, i) => i + 0.5);
  fc.assert(
    fc.property(fc.array(anyPixels, { minLength: 1, maxLength: 3 }), (pieces) => {
      const allocate = kernels.begin();
      const collected = makeCollectedValues(kernels, allocate, pieces.length * length);
      const valuesAt = put(allocate, values);
      const wanted = { found: [] as number[], validPx: 0, cloudPx: 0 };
      for (const piece of pieces) {
        collected.add({
          valuesAt,
          maskAt: put(allocate, piece.mask),
          flagsAt: piece.flags.some((flag) => flag !== 0) ? put(allocate, piece.flags) : 0,
          spansAt: put(allocate, Uint32Array.from(piece.spans.flat())),
          spanCount: piece.spans.length,
        });
        const { found, validPx, cloudPx } = collectPlainly(values, piece);
        wanted.found.push(...found);
        wanted.validPx += validPx;
        wanted.cloudPx += cloudPx;
      }
      const { count, validPx, cloudPx } = collected;
      const found = [...new Float32Array(kernels.buffer(), collected.valuesAt, count)];
      assert.deepEqual({ found, validPx, cloudPx }, wanted);
    }),
    { numRuns: casesOf(300) },
  );
});

function measure(values: Float32Array) {
  const allocate = kernels.begin();
  const valuesAt = allocate(4 * values.length);
  new Float32Array(kernels.buffer(), valuesAt, values.length).set(values);
  return measureValues(kernels, allocate, { valuesAt, count: values.length });
}

/** The same values again and again: more than the kernels of few values take. */
const repeated = (values: Float32Array): Float32Array =>
  new Float32Array(values.length === 0 ? 0 : 17_000).map((_, i) => values[i % values.length] as number);

const equals = (values: Float32Array) => {
  assert.deepEqual(measure(values), summarize(values, null));
  assert.deepEqual(measure(repeated(values)), summarize(repeated(values), null));
};

test('property: statistics in the kernels equal those in JavaScript to the last bit, for any bits', () => {
  const anyBits = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
  fc.assert(
    fc.property(fc.array(anyBits, { maxLength: 70 }), (bits) => {
      equals(new Float32Array(Int32Array.from(bits).buffer));
    }),
    { numRuns: casesOf(100) },
  );
});

test('property: they are also equal for many close values and for few distinct ones', () => {
  const options = { step: fc.constantFrom(0, 1e-7, 1e-4, 0.01, 300), seed: fc.nat(), count: fc.nat(5000) };
  fc.assert(
    fc.property(fc.record(options), ({ step, seed, count }) => {
      let state = seed;
      const values = new Float32Array(count).map(() => {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
        return ((state >> 20) % 500) * step + (seed % 3) - 1;
      });
      equals(values);
    }),
    { numRuns: casesOf(60) },
  );
});

/** Numbers of one block of kernels/block-sums.ts: exponents from the base on, and mantissas of any bits or all ones. */
interface Block {
  readonly base: number;
  readonly span: number;
  readonly areFull: boolean;
  readonly signs: 'plus' | 'minus' | 'both';
  readonly seed: number;
}

const BLOCK = 4_096;

function fillBlock(words: Uint32Array, { base, span, areFull, signs, seed }: Block): void {
  let state = seed;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return Math.floor(((state >>> 0) / 2 ** 32) * below);
  };
  for (let i = 0; i < words.length; i += 1) {
    // Mostly the greatest ones, whose sums are the largest; one in a hundred is the smallest.
    const exponent = Math.min(254, base + (next(100) === 0 ? 0 : areFull ? span : next(span + 1)));
    const sign = signs === 'both' ? next(2) : signs === 'minus' ? 1 : 0;
    const mantissa = areFull ? 0x7fffff : next(0x800000);
    words[i] = next(50) === 0 ? sign * 0x80000000 : sign * 0x80000000 + exponent * 0x800000 + mantissa;
  }
}

test('property: blocks of values between few powers of two are added up as exactly as others', () => {
  const anyBlock: fc.Arbitrary<Block> = fc.record({
    base: fc.oneof(fc.nat(254), fc.constantFrom(0, 1, 107, 120, 230, 231)),
    span: fc.oneof(fc.nat(25), fc.constantFrom(18, 19, 20)),
    areFull: fc.boolean(),
    signs: fc.constantFrom('plus', 'minus', 'both'),
    seed: fc.nat(),
  });
  const blocks = fc.array(anyBlock, { minLength: 5, maxLength: 7 });
  fc.assert(
    fc.property(blocks, fc.nat(70), (list, rest) => {
      const words = new Uint32Array(list.length * BLOCK - rest);
      for (const [i, block] of list.entries()) fillBlock(words.subarray(i * BLOCK, (i + 1) * BLOCK), block);
      const values = new Float32Array(words.buffer);
      assert.deepEqual(measure(values), summarize(values, null));
    }),
    { numRuns: casesOf(60) },
  );
});

test('both zeros count as zero, NaN and infinities do not count, and no values give null', () => {
  equals(Float32Array.of(0, -0, 0, -0, -0));
  equals(Float32Array.of(-0));
  equals(Float32Array.of(1, 0, -0, 5, -0, 2));
  equals(Float32Array.of(Number.NaN, 1, Number.POSITIVE_INFINITY, 2, 3, Number.NEGATIVE_INFINITY));
  equals(Float32Array.of(-3.4028234e38, 3.4028234e38, 1e-45, -1e-45, 1.1754944e-38));
  assert.equal(measure(new Float32Array(0)), null);
  assert.equal(measure(Float32Array.of(Number.NaN, Number.NEGATIVE_INFINITY)), null);
});

test('data left in memory by earlier work does not affect the result', () => {
  const allocate = kernels.begin();
  const at = allocate(4_000_000);
  new Uint8Array(kernels.buffer(), at, 4_000_000).fill(7);
  equals(new Float32Array(1001).map((_, i) => Math.sin(i)));
});
