import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Raster } from '../raster/index.ts';
import { loadKernels } from '../raster/index.ts';
import { casesOf } from '../testing/test-size.ts';
import { toRgba } from './testing/to-rgba.ts';

const kernels = loadKernels();

function raster(bands: readonly (readonly number[])[], mask?: readonly number[]): Raster {
  const width = bands[0]!.length;
  return {
    epsg: 3857,
    transform: [0, 1, 0, 0, 0, -1],
    width,
    height: 1,
    bands: bands.map((band) => Float32Array.from(band)),
    mask: mask ? Uint8Array.from(mask) : new Uint8Array(width).fill(1),
  };
}

const greys = (values: readonly number[], min: number, max: number): number[] => {
  const { rgba } = toRgba(kernels, raster([values]), [{ min, max }]);
  return values.map((_, i) => rgba[i * 4]!);
};

test('a vector computed by hand: 1218 to 8792', () => {
  const values = [1200, 1300, 1500, 1800, 2100, 2600, 3000, 3500, 4200, 9800];
  assert.deepEqual(greys(values, 1218, 8792), [0, 3, 9, 20, 30, 47, 60, 77, 100, 255]);
});

test('one band is grey, three are red, green and blue, each with its own stretch', () => {
  const grey = toRgba(kernels, raster([[51, 204]]), [{ min: 0, max: 255 }]);
  assert.deepEqual([...grey.rgba], [51, 51, 51, 255, 204, 204, 204, 255]);
  const colour = toRgba(kernels, raster([[1], [1], [1]]), [
    { min: 0, max: 1 },
    { min: 0, max: 2 },
    { min: 1, max: 5 },
  ]);
  assert.deepEqual([...colour.rgba], [255, 128, 0, 255]);
  assert.ok(colour.isOpaque);
});

test('masked pixels and NaN are transparent black, in lanes and in the tail', () => {
  for (let hole = 0; hole < 7; hole++) {
    const values = [9, 9, 9, 9, 9, 9, 9];
    const mask = values.map((_, i) => Number(i !== hole));
    const masked = toRgba(kernels, raster([values], mask), [{ min: 0, max: 9 }]);
    const nan = toRgba(
      kernels,
      raster([values, values.map((v, i) => (i === hole ? Number.NaN : v)), values]),
      [
        { min: 0, max: 9 },
        { min: 0, max: 9 },
        { min: 0, max: 9 },
      ],
    );
    for (const { rgba, isOpaque } of [masked, nan]) {
      assert.ok(!isOpaque);
      for (let i = 0; i < 7; i++) {
        const pixel = [...rgba.subarray(i * 4, i * 4 + 4)];
        assert.deepEqual(pixel, i === hole ? [0, 0, 0, 0] : [255, 255, 255, 255]);
      }
    }
  }
});

test('infinities and values far outside are black or full', () => {
  const values = [Number.NEGATIVE_INFINITY, -3.4e38, 3.4e38, Number.POSITIVE_INFINITY];
  assert.deepEqual(greys(values, 0, 1), [0, 0, 255, 255]);
  assert.deepEqual(greys(values, -3e38, 3e38), [0, 0, 255, 255]);
  assert.deepEqual(greys([-1e37, 5e36, 1e37, 2e37], -1e37, 1e37), [0, 191, 255, 255]);
});

test('an empty range is a step, a reversed range inverts', () => {
  assert.deepEqual(greys([4, 5, 6, 5, 7], 5, 5), [0, 0, 255, 0, 255]);
  assert.deepEqual(greys([0, 51, 255, 300, -5], 255, 0), [255, 204, 0, 0, 255]);
});

test('property: equals the formula in double precision on whole numbers, halves included', () => {
  const whole = fc.integer({ min: 0, max: 65535 });
  fc.assert(
    fc.property(fc.array(whole, { minLength: 1, maxLength: 30 }), whole, whole, (values, min, max) => {
      fc.pre(min < max);
      const wanted = values.map((value) =>
        Math.min(255, Math.max(0, Math.floor(((value - min) * 255) / (max - min) + 0.5))),
      );
      assert.deepEqual(greys(values, min, max), wanted);
    }),
    { numRuns: casesOf(500) },
  );
});

test('two bands, a missing stretch or a short mask are refused', () => {
  const range = { min: 0, max: 1 };
  assert.throws(() => toRgba(kernels, raster([[1], [1]]), [range, range]), { code: 'stretch-mismatch' });
  assert.throws(() => toRgba(kernels, raster([[1], [1], [1]]), [range]), { code: 'stretch-mismatch' });
  assert.throws(() => toRgba(kernels, raster([[1, 2]], [1]), [range]), { code: 'stretch-mismatch' });
});
