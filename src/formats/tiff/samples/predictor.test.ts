import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { casesOf } from '../../../testing/test-size.ts';
import { makeNoise } from '../testing/make-noise.ts';
import {
  decodeFloating,
  decodeHorizontal,
  decodeHorizontalBytes,
  encodeFloating,
  encodeHorizontal,
  predictFloats,
  unpredictFloats,
} from './predictor.ts';

test('predictor 2 stores differences to the left neighbour and starts again in each row', () => {
  const samples = Uint8Array.of(10, 12, 11, 200, 100, 100);
  encodeHorizontal(samples, 3, 1);
  assert.deepEqual([...samples], [10, 2, 255, 200, 156, 0]);
  decodeHorizontal(samples, 3, 1);
  assert.deepEqual([...samples], [10, 12, 11, 200, 100, 100]);
});

test('predictor 2 uses the difference within the same band', () => {
  const samples = Int16Array.of(1, -5, 4, -7, 0, -7);
  encodeHorizontal(samples, 6, 2);
  assert.deepEqual([...samples], [1, -5, 3, -2, -4, 0]);
});

test('predictor 2 wraps around at both ends of the type', () => {
  const samples = Uint16Array.of(65_535, 0, 65_535);
  encodeHorizontal(samples, 3, 1);
  assert.deepEqual([...samples], [65_535, 1, 65_535]);
  decodeHorizontal(samples, 3, 1);
  assert.deepEqual([...samples], [65_535, 0, 65_535]);
});

test('predictor 2 stays exact for long rows of 32-bit samples', () => {
  // without wrapping, the running sum would leave the whole numbers of a double after 2²¹ samples
  const samples = new Uint32Array(2 ** 22 + 1).fill(0xffff_fff1);
  decodeHorizontal(samples, samples.length, 1);
  assert.equal(samples.at(-1), Number((BigInt(0xffff_fff1) * BigInt(samples.length)) & 0xffff_ffffn));
});

test('predictor 2 adds samples of 64 bits exactly, and wraps', () => {
  const samples = BigUint64Array.of(2n ** 63n, 5n, 2n ** 63n, 2n ** 64n - 1n, 1n, 3n);
  decodeHorizontalBytes(new Uint8Array(samples.buffer), 64, 6, 2);
  assert.deepEqual([...samples], [2n ** 63n, 5n, 0n, 4n, 1n, 7n]);
});

test('predictor 3 supports floats of 16 and 64 bits', () => {
  // 1 is 3c 00 and -2 is c0 00; as planes 3c c0 00 00, as differences 3c 84 40 00
  const halves = decodeFloating(Uint8Array.of(0x3c, 0x84, 0x40, 0), 2, 1, 2);
  assert.deepEqual([...new Uint16Array(halves.buffer)], [0x3c00, 0xc000]);
  // one pixel of 1.5: 3f f8 and zeros
  const doubles = decodeFloating(Uint8Array.of(0x3f, 0xb9, 0x08, 0, 0, 0, 0, 0), 1, 1, 8);
  assert.deepEqual([...new Float64Array(doubles.buffer)], [1.5]);
});

test('predictor 3 stores planes of bytes, most significant first, and then differences', () => {
  // 1 is 3f 80 00 00 and -2 is c0 00 00 00
  const stored = encodeFloating(new Uint8Array(Float32Array.of(1, -2).buffer), 2, 1);
  assert.deepEqual([...stored], [0x3f, 0x81, 0xc0, 0x80, 0, 0, 0, 0]);
  assert.deepEqual([...new Float32Array(decodeFloating(stored, 2, 1).buffer)], [1, -2]);
});

test('predictors 2 and 3 restore any rows and bands', () => {
  const cases = fc.record({
    stride: fc.integer({ min: 1, max: 5 }),
    pixels: fc.integer({ min: 1, max: 9 }),
    rows: fc.integer({ min: 1, max: 4 }),
    seed: fc.uint8Array({ minLength: 16, maxLength: 16 }),
  });
  fc.assert(
    fc.property(cases, ({ stride, pixels, rows, seed }) => {
      const rowLength = stride * pixels;
      const bytes = new Uint8Array(rowLength * rows * 4).map((_, i) => seed[i % 16]! + i * 31);
      for (const make of [Uint8Array, Uint16Array, Int16Array, Uint32Array]) {
        const original = new make(bytes.buffer.slice(0, rowLength * rows * make.BYTES_PER_ELEMENT));
        const samples = original.slice();
        encodeHorizontal(samples, rowLength, stride);
        decodeHorizontal(samples, rowLength, stride);
        assert.deepEqual(samples, original);
      }
      assert.deepEqual(decodeFloating(encodeFloating(bytes, rowLength, stride), rowLength, stride), bytes);
    }),
  );
});

const cases = fc.record({
  // steps are of 16 samples
  pixels: fc.integer({ min: 1, max: 70 }),
  // more than 16 bands are summed in another way
  stride: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 15, max: 34 })),
  rows: fc.integer({ min: 1, max: 5 }),
  sampleBytes: fc.constantFrom(2, 4, 8),
  first: fc.nat(5000),
});

test('floats of any size, row length and band count match plain JavaScript', () => {
  const noise = makeNoise(5000 + 70 * 34 * 5 * 8);
  fc.assert(
    fc.property(cases, ({ pixels, stride, rows, sampleBytes, first }) => {
      const rowLength = pixels * stride;
      const bytes = noise.slice(first, first + rowLength * rows * sampleBytes);
      const floats = unpredictFloats(bytes, { rowLength, stride, sampleBytes });
      assert.deepEqual(floats, decodeFloating(bytes.slice(), rowLength, stride, sampleBytes));
      const stored = predictFloats(bytes, { rowLength, stride, sampleBytes });
      assert.deepEqual(stored, encodeFloating(bytes, rowLength, stride, sampleBytes));
    }),
    { numRuns: casesOf(500) },
  );
});

test('all bits survive, also those of infinities, subnormal numbers and NaNs', () => {
  const special = [0x7f80_0000, 0xff80_0000, 0x0000_0001, 0x8000_0000, 0x7fc0_0000, 0x7f80_0001, 0xffff_ffff];
  const floats = new Uint8Array(new Uint32Array(35).map((_, i) => special[i % 7]!).buffer);
  const rows = { rowLength: 35, stride: 1, sampleBytes: 4 } as const;
  assert.deepEqual(unpredictFloats(predictFloats(floats, rows), rows), floats);
});

test('the result has its own buffer, which the next block does not change, and the input stays unchanged', () => {
  const rows = { rowLength: 2, stride: 1, sampleBytes: 4 } as const;
  const stored = Uint8Array.of(0x3f, 0x81, 0xc0, 0x80, 0, 0, 0, 0);
  const floats = unpredictFloats(stored, rows);
  assert.equal(floats.buffer.byteLength, 8);
  unpredictFloats(Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8), rows);
  assert.deepEqual([...new Float32Array(floats.buffer)], [1, -2]);
  assert.deepEqual([...stored], [0x3f, 0x81, 0xc0, 0x80, 0, 0, 0, 0]);
});
