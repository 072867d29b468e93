import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { PixelType } from '../../raster/index.ts';
import { makePixels } from '../../raster/index.ts';
import { casesOf } from '../../testing/test-size.ts';
import { makeHalveStrip, makeShareStrip } from './reduce-strip.ts';
import { makeRowReducer, sourceSpan } from './row-reducer.ts';

const anyStrip = fc.record({
  type: fc.constantFrom<PixelType>('uint8', 'uint16', 'int16', 'float32'),
  nodata: fc.constantFrom(null, 0, 7, 255),
  cols: fc.integer({ min: 1, max: 40 }),
  rows: fc.integer({ min: 1, max: 12 }),
});
const anyValue = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: -4, max: 10 }) },
  { weight: 3, arbitrary: fc.double({ min: -1e5, max: 1e5, noNaN: true }) },
  { weight: 2, arbitrary: fc.constantFrom(0, -0, 7, 255, 65_535, -32_768, 32_767) },
  { weight: 1, arbitrary: fc.constantFrom(Number.NaN, Infinity, -Infinity, 3.4e38, 1e-45) },
);

test('halving a strip gives the same bits as row by row, for any content', () => {
  fc.assert(
    fc.property(anyStrip, fc.array(anyValue, { minLength: 1, maxLength: 64 }), (strip, values) => {
      const { type, nodata } = strip;
      const [width, height] = [2 * strip.cols, 2 * strip.rows];
      const pixels = makePixels(type, width * height);
      for (let i = 0; i < pixels.length; i++) pixels[i] = values[(i * 7 + (i >> 3)) % values.length]!;
      const reducer = makeRowReducer('average', { type, nodata, width, height });
      const expected = makePixels(type, strip.cols * strip.rows + 5);
      let at = 5;
      for (let row = 0; row < height; row++) {
        const made = reducer.push(pixels, row * width);
        if (made === null) continue;
        expected.set(made, at);
        at += made.length;
      }
      const halved = makePixels(type, strip.cols * strip.rows + 5);
      makeHalveStrip({ type, nodata })({ pixels, width, rows: height }, halved, 5);
      assert.deepEqual(halved, expected);
    }),
    { numRuns: casesOf(500) },
  );
});

test('a strip too large for the kernels is halved in slices', () => {
  const [width, rows] = [4_096, 300];
  const pixels = new Float32Array(width * rows).map((_, i) => (i % width) + Math.floor(i / width));
  const halved = new Float32Array((width / 2) * (rows / 2));
  makeHalveStrip({ type: 'float32', nodata: -1 })({ pixels, width, rows }, halved, 0);
  for (let i = 0; i < halved.length; i++) {
    const [x, y] = [i % (width / 2), Math.floor(i / (width / 2))];
    assert.equal(halved[i], 2 * x + 0.5 + 2 * y + 0.5);
  }
});

const anyImage = fc.record({
  type: fc.constantFrom('uint8' as const, 'uint16' as const, 'int16' as const),
  nodata: fc.constantFrom(null, 0, 7, 255),
  width: fc.integer({ min: 1, max: 61 }),
  height: fc.integer({ min: 1, max: 33 }),
  strip: fc.integer({ min: 1, max: 9 }),
  part: fc.tuple(fc.nat(), fc.nat(), fc.nat(), fc.nat()),
});
const anySample = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: -4, max: 10 }) },
  { weight: 3, arbitrary: fc.integer({ min: -32_768, max: 65_535 }) },
  { weight: 2, arbitrary: fc.constantFrom(0, 7, 255, 65_535, -32_768, 32_767) },
);

/** A span of a length: any, from two numbers. */
function spanOf(length: number, one: number, other: number) {
  const [start, end] = [one % length, other % length].sort((a, b) => a - b) as [number, number];
  return { start, end: end + 1 };
}

test('strips from any part of an image equal those of the row reducer', () => {
  fc.assert(
    fc.property(anyImage, fc.array(anySample, { minLength: 1, maxLength: 64 }), (image, values) => {
      const { type, nodata, width, height, strip } = image;
      const [a, b, c, d] = image.part;
      const part = {
        columns: spanOf(Math.ceil(width / 2), a, b),
        rows: spanOf(Math.ceil(height / 2), c, d),
      };
      const [columns, rows] = [sourceSpan(part.columns, width), sourceSpan(part.rows, height)];
      const cols = columns.end - columns.start;
      const pixels = makePixels(type, cols * (rows.end - rows.start));
      for (let i = 0; i < pixels.length; i++) pixels[i] = values[(i * 7 + (i >> 3)) % values.length]!;
      const reducer = makeRowReducer('average', { type, nodata, width, height, part });
      const expected: number[] = [];
      for (let start = 0; start < pixels.length; start += cols) {
        expected.push(...(reducer.push(pixels, start) ?? []));
      }
      const share = makeShareStrip({ type, nodata, width, height, part });
      const made: number[] = [];
      for (let start = 0; start < pixels.length; start += strip * cols) {
        const taken = pixels.subarray(start, start + strip * cols);
        made.push(...share(taken, taken.length / cols));
      }
      assert.deepEqual(made, expected);
    }),
    { numRuns: casesOf(1_000) },
  );
});

test('a strip too large for the kernels is reduced in slices', () => {
  const [width, height] = [4_095, 301];
  const pixels = new Uint16Array(width * height).map((_, i) => (i * 7_919) % 4_001);
  const part = { columns: { start: 0, end: 2_048 }, rows: { start: 0, end: 151 } };
  const image = { type: 'uint16', nodata: 0, width, height } as const;
  const reducer = makeRowReducer('average', image);
  const made = makeShareStrip({ ...image, part })(pixels, height);
  let at = 0;
  for (let row = 0; row < height; row++) {
    const expected = reducer.push(pixels, row * width);
    if (expected === null) continue;
    assert.deepEqual(made.subarray(at, at + 2_048), expected);
    at += 2_048;
  }
  assert.equal(at, made.length);
});
