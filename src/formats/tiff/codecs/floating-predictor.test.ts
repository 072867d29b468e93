import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { casesOf } from '../../../testing/test-size.ts';
import { decodeFloating, encodeFloating } from '../samples/predictor.ts';
import { makeNoise } from '../testing/make-noise.ts';
import { predictFloats, unpredictFloats } from './floating-predictor.ts';

const cases = fc.record({
  // steps are of 16 samples
  pixels: fc.integer({ min: 1, max: 70 }),
  // more than 16 bands are summed in another way
  stride: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 15, max: 34 })),
  rows: fc.integer({ min: 1, max: 5 }),
  sampleBytes: fc.constantFrom(2, 4, 8),
  first: fc.nat(5000),
});

test('floats of any size, in rows of any length and number of bands, are what plain JavaScript makes of them', () => {
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

test('all bits survive, also those of infinities, of numbers below the normal ones and of NaNs', () => {
  const special = [0x7f80_0000, 0xff80_0000, 0x0000_0001, 0x8000_0000, 0x7fc0_0000, 0x7f80_0001, 0xffff_ffff];
  const floats = new Uint8Array(Uint32Array.from({ length: 35 }, (_, i) => special[i % 7]!).buffer);
  const rows = { rowLength: 35, stride: 1, sampleBytes: 4 } as const;
  assert.deepEqual(unpredictFloats(predictFloats(floats, rows), rows), floats);
});

test('what comes back has a buffer of its own, which the next block does not change, and the input stays', () => {
  const rows = { rowLength: 2, stride: 1, sampleBytes: 4 } as const;
  const stored = Uint8Array.of(0x3f, 0x81, 0xc0, 0x80, 0, 0, 0, 0);
  const floats = unpredictFloats(stored, rows);
  assert.equal(floats.buffer.byteLength, 8);
  unpredictFloats(Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8), rows);
  assert.deepEqual([...new Float32Array(floats.buffer)], [1, -2]);
  assert.deepEqual([...stored], [0x3f, 0x81, 0xc0, 0x80, 0, 0, 0, 0]);
});
