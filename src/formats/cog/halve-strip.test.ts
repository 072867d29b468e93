import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { PixelType } from '../../raster/index.ts';
import { makePixels } from '../../raster/index.ts';
import { casesOf } from '../../testing/test-size.ts';
import { makeHalveStrip } from './halve-strip.ts';
import { makeRowReducer } from './row-reducer.ts';

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

test('strips are halved to the same bits as row by row, whatever they hold', () => {
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

test('a strip that is larger than what goes into the kernels at once is halved in slices', () => {
  const [width, rows] = [4_096, 300];
  const pixels = Float32Array.from({ length: width * rows }, (_, i) => (i % width) + Math.floor(i / width));
  const halved = new Float32Array((width / 2) * (rows / 2));
  makeHalveStrip({ type: 'float32', nodata: -1 })({ pixels, width, rows }, halved, 0);
  for (let i = 0; i < halved.length; i++) {
    const [x, y] = [i % (width / 2), Math.floor(i / (width / 2))];
    assert.equal(halved[i], 2 * x + 0.5 + 2 * y + 0.5);
  }
});
