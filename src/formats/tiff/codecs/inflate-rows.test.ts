import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { isSwathError } from '../../../errors.ts';
import { casesOf } from '../../../testing/test-size.ts';
import { swapSamples } from '../samples/byte-order.ts';
import { decodeFloating, decodeHorizontalBytes } from '../samples/predictor.ts';
import { makeNoise } from '../testing/make-noise.ts';
import type { InflatedRows, InflateRows } from './inflate-rows.ts';
import { inflateRows, toFirstByte } from './inflate-rows.ts';

interface Case {
  readonly width: number;
  readonly rows: number;
  readonly bands: number;
  readonly bits: 8 | 16 | 32 | 64;
  readonly predictor: 1 | 2 | 3;
  readonly isSwapped: boolean;
  readonly level: number;
  readonly isSmooth: boolean;
}

/** A block as stored, and its pixels by way of the plain predictor in TypeScript. */
function makeBlock(one: Case) {
  const { width, rows, bands, bits, level } = one;
  const pixelBytes = (bands * bits) / 8;
  const rowBytes = width * pixelBytes;
  const raw = makeNoise(rowBytes * rows);
  // few different bytes make matches, many make literals
  if (one.isSmooth) for (let i = 0; i < raw.length; i++) raw[i]! &= i % 2 === 0 ? 7 : 1;
  const pixels = toPixels(raw.slice(), one);
  const stored = new Uint8Array(deflateSync(raw, { level }));
  const { predictor, isSwapped } = one;
  const how = { rowBytes, rows, sampleBytes: bits / 8, pixelBytes, predictor, isSwapped };
  return { stored, pixels, how };
}

function toPixels(bytes: Uint8Array, { bits, width, bands, predictor, isSwapped }: Case): Uint8Array {
  if (predictor === 3) return decodeFloating(bytes, width * bands, bands, bits / 8);
  if (isSwapped) swapSamples(bytes, bits / 8);
  if (predictor === 2) decodeHorizontalBytes(bytes, bits, width * bands, bands);
  return bytes;
}

/** Reads on to the wanted row, with only those stored bytes that it needs. */
function readOn(block: ReturnType<typeof makeBlock>, wanted: number, from: InflatedRows | null) {
  const firstByte = toFirstByte(from?.state ?? null);
  const job: InflateRows = {
    ...block.how,
    stored: block.stored.subarray(firstByte),
    firstByte,
    wanted,
    from,
  };
  return inflateRows(job);
}

const sizes = {
  width: fc.integer({ min: 1, max: 70 }),
  rows: fc.integer({ min: 1, max: 60 }),
  level: fc.constantFrom(0, 1, 6),
  isSmooth: fc.boolean(),
  isSwapped: fc.boolean(),
};

const cases: fc.Arbitrary<Case> = fc.oneof(
  fc.record({
    ...sizes,
    bands: fc.integer({ min: 1, max: 9 }),
    bits: fc.constantFrom(8, 16, 32, 64),
    predictor: fc.constantFrom(1, 2),
  }),
  // more than 16 bands are summed in another way; floats of 16 bits come whole
  fc.record({
    ...sizes,
    bands: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 16, max: 18 })),
    bits: fc.constantFrom(32, 64),
    predictor: fc.constant(3),
  }),
);

test('whole blocks of any size are what the plain predictor makes of them', () => {
  fc.assert(
    fc.property(cases, (one) => {
      const block = makeBlock(one);
      const { bytes, rowsReady, state } = readOn(block, one.rows, null);
      assert.deepEqual(bytes, block.pixels);
      assert.deepEqual([rowsReady, state], [one.rows, null]);
    }),
    { numRuns: casesOf(300) },
  );
});

test('rows read bit by bit are the same, in the same memory, and rows given out are never written again', () => {
  fc.assert(
    fc.property(cases, fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 6 }), (one, stops) => {
      const block = makeBlock(one);
      const { rowBytes } = block.how;
      let part: InflatedRows | null = null;
      for (const stop of [...stops.sort((a, b) => a - b), one.rows]) {
        const done: number = part?.rowsReady ?? 0;
        if (stop <= done || stop > one.rows) continue;
        // whatever stood in rows that were given out stays: even what is not theirs
        const before: Uint8Array = part?.bytes.slice(0, done * rowBytes) ?? new Uint8Array(0);
        const next = readOn(block, stop, part);
        if (part !== null) assert.equal(next.bytes, part.bytes);
        assert.deepEqual(next.bytes.subarray(0, before.length), before);
        assert.deepEqual(
          next.bytes.subarray(0, stop * rowBytes),
          block.pixels.subarray(0, stop * rowBytes),
          `to row ${stop}`,
        );
        assert.equal(next.rowsReady, stop);
        part = next;
      }
      assert.equal(part?.state, null);
    }),
    { numRuns: casesOf(400) },
  );
});

const scene: Case = {
  width: 256,
  rows: 256,
  bands: 1,
  bits: 16,
  level: 6,
  predictor: 2,
  isSwapped: false,
  isSmooth: true,
};

const heights: Case = { ...scene, bits: 32, predictor: 3 };

for (const [name, one] of Object.entries({ scene, heights })) {
  test(`a block larger than the window goes on from every row, also into memory that threads share: ${name}`, () => {
    const block = makeBlock(one);
    const bytes = new Uint8Array(new SharedArrayBuffer(block.pixels.length));
    let part: InflatedRows = { bytes, rowsReady: 0, state: null };
    for (let row = 1; row <= one.rows; row++) part = readOn(block, row, part);
    assert.equal(part.bytes, bytes);
    assert.deepEqual(Uint8Array.from(bytes), block.pixels);
  });
}

test('going on needs only the stored bytes from the current deflate block on', () => {
  const block = makeBlock({ ...scene, rows: 512 });
  const part = readOn(block, 400, null);
  assert.ok(toFirstByte(part.state) > block.stored.length / 2);
});

test('a wrong checksum is noticed by who reads the last row, in one go or in parts', () => {
  const block = makeBlock(scene);
  block.stored[block.stored.length - 1]! ^= 1;
  assert.throws(() => readOn(block, scene.rows, null), /its sum is wrong/);
  const part = readOn(block, 100, null);
  assert.throws(() => readOn(block, scene.rows, part), /its sum is wrong/);
});

test('damage after the wanted rows does not matter to them, and damage before does', () => {
  const block = makeBlock(scene);
  const half = { ...block, stored: block.stored.subarray(0, block.stored.length / 2) };
  assert.deepEqual(readOn(half, 100, null).bytes.subarray(0, 51_200), block.pixels.subarray(0, 51_200));
  assert.throws(() => readOn(half, 200, null), /it is cut off/);
});

test('a stream that ends before the block is full is refused, wherever one stops', () => {
  const block = makeBlock({ ...scene, rows: 20 });
  const longer = { ...block, how: { ...block.how, rows: 30 } };
  const isSize = (error: unknown) => isSwathError(error) && error.code === 'tiff-block-size';
  assert.throws(() => readOn(longer, 30, null), isSize);
  assert.throws(() => readOn(longer, 25, null), isSize);
  assert.throws(() => readOn(longer, 30, readOn(longer, 20, null)), isSize);
});

test('a state that is not the block’s own is refused', () => {
  const block = makeBlock(scene);
  const part = readOn(block, 100, null);
  assert.ok(part.state);
  const { state } = part;
  for (const wrong of [
    { ...part, state: null },
    { ...part, rowsReady: 0 },
    { ...part, state: { ...state, outBytes: 0 } },
    { ...part, state: { ...state, outBytes: state.outBytes + 600 } },
    { ...part, state: { ...state, bit: block.stored.length * 8 + 1 } },
    { ...part, state: { ...state, bit: state.headerBit - 1 } },
  ]) {
    const stored = block.stored.subarray(toFirstByte(wrong.state));
    const job = { ...block.how, stored, firstByte: toFirstByte(wrong.state), wanted: 200, from: wrong };
    assert.throws(
      () => inflateRows(job),
      (error) => isSwathError(error) && error.code === 'bad-block-state',
    );
  }
});
