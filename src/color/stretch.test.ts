import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Raster } from '../raster/index.ts';
import { loadKernels } from '../raster/index.ts';
import { casesOf } from '../testing/test-size.ts';
import { toLegend } from './legend.ts';
import type { Stretch } from './stretch.ts';
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

test('a stretch from 1218 to 8792 matches a vector computed by hand', () => {
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

test('infinities and values far outside the range are black or white', () => {
  const values = [Number.NEGATIVE_INFINITY, -3.4e38, 3.4e38, Number.POSITIVE_INFINITY];
  assert.deepEqual(greys(values, 0, 1), [0, 0, 255, 255]);
  assert.deepEqual(greys(values, -3e38, 3e38), [0, 0, 255, 255]);
  assert.deepEqual(greys([-1e37, 5e36, 1e37, 2e37], -1e37, 1e37), [0, 191, 255, 255]);
});

test('an empty range is a step, a reversed range inverts', () => {
  assert.deepEqual(greys([4, 5, 6, 5, 7], 5, 5), [0, 0, 255, 0, 255]);
  assert.deepEqual(greys([0, 51, 255, 300, -5], 255, 0), [255, 204, 0, 0, 255]);
});

test('property: a stretch equals the formula in double precision for whole numbers, halves included', () => {
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

const paint = (bands: readonly (readonly number[])[], stretches: readonly Stretch[], mask?: number[]) =>
  toRgba(
    kernels,
    {
      epsg: 3857,
      transform: [0, 1, 0, 0, 0, -1],
      width: bands[0]!.length,
      height: 1,
      bands: bands.map((band) => Float32Array.from(band)),
      mask: Uint8Array.from(mask ?? bands[0]!.map(() => 1)),
    },
    stretches,
  );

/** The formula itself, in double precision; null where rounding decides, that of a value to a float32 included. */
function levelOf(value: number, { min, max, gamma = 1, isDecibel = false }: Stretch): number | null {
  const toLevel = (one: number): number => {
    const linear = isDecibel ? 10 * Math.log10(one) : one;
    return 255 * Math.min(1, Math.max(0, (linear - min) / (max - min))) ** (1 / gamma);
  };
  const level = toLevel(value);
  const isNear = Math.abs(level - Math.floor(level) - 0.5) < 1e-3;
  const rounded = Math.floor(level + 0.5);
  // The distance to the next float32, to which a threshold is rounded: levels of a narrow range lie closer.
  const step = 2 ** -23;
  const isSame = [1 - step, 1 + step].every((part) => Math.floor(toLevel(value * part) + 0.5) === rounded);
  return isNear || !isSame ? null : rounded;
}

test('a level of a hundredth of a decibel is narrower than a float32 step, as a counterexample showed', () => {
  assert.equal(levelOf(1, { min: 0, max: 0.01, gamma: 1.694115128487493, isDecibel: true }), null);
  assert.equal(levelOf(1, { min: 0, max: 1, gamma: 1.694115128487493, isDecibel: true }), 0);
});

test('gamma 2 from 0 to 1 matches a vector computed by hand', () => {
  const { rgba } = paint([[-1, 0, 0.01, 0.04, 0.25, 0.81, 1, 2]], [{ min: 0, max: 1, gamma: 2 }]);
  assert.deepEqual(
    [...rgba].filter((_, i) => i % 4 === 0),
    [0, 0, 26, 51, 128, 230, 255, 255],
  );
});

test('decibels from -20 to 0 match a vector computed by hand', () => {
  const { rgba } = paint([[0, 0.001, 0.01, 0.1, 1, 10]], [{ min: -20, max: 0, isDecibel: true }]);
  assert.deepEqual(
    [...rgba].filter((_, i) => i % 4 === 0),
    [0, 0, 0, 128, 255, 255],
  );
});

test('property: a curve equals the formula in double precision', () => {
  const stretch = fc.record({
    min: fc.double({ min: -5, max: 5, noNaN: true }),
    span: fc.double({ min: 0.01, max: 40, noNaN: true }),
    gamma: fc.double({ min: 0.1, max: 10, noNaN: true }),
    isDecibel: fc.boolean(),
  });
  fc.assert(
    fc.property(
      stretch,
      fc.array(fc.float({ noNaN: true, min: 0, max: 2 }), { minLength: 5 }),
      (one, parts) => {
        const range: Stretch = { ...one, max: one.min + one.span };
        const values = parts.map((part) => {
          const at = one.min + one.span * (part - 0.5);
          return Math.fround(one.isDecibel ? 10 ** (at / 10) : at);
        });
        const { rgba } = paint([values], [range]);
        for (const [i, value] of values.entries()) {
          const expected = levelOf(value, range);
          if (expected !== null) assert.equal(rgba[i * 4], expected, `${value}`);
        }
      },
    ),
  );
});

test('each of three bands may have its own curve, next to a linear one', () => {
  const { rgba, isOpaque } = paint(
    [[0.25], [0.25], [0.25]],
    [
      { min: 0, max: 1, gamma: 2 },
      { min: 0, max: 1 },
      { min: -20, max: 0, isDecibel: true },
    ],
  );
  assert.deepEqual([...rgba], [128, 64, 178, 255]);
  assert.ok(isOpaque);
});

test('masked pixels and NaN are transparent, in lanes and in the tail', () => {
  for (let hole = 0; hole < 7; hole++) {
    const full = Array.from({ length: 7 }, () => 9);
    const holed = full.map((value, i) => (i === hole ? Number.NaN : value));
    const stretches = full.slice(0, 3).map(() => ({ min: 0, max: 9, gamma: 2 }));
    const mask = full.map((_, i) => Number(i !== hole));
    for (const { rgba, isOpaque } of [
      paint([full], stretches.slice(0, 1), mask),
      paint([full, holed, full], stretches),
    ]) {
      assert.ok(!isOpaque);
      for (let i = 0; i < 7; i++)
        assert.deepEqual(
          [...rgba.subarray(i * 4, i * 4 + 4)],
          i === hole ? [0, 0, 0, 0] : [255, 255, 255, 255],
        );
    }
  }
});

test('the legend of a curve has the thresholds of its levels', () => {
  const range = { min: 0.1, max: 0.5, gamma: 2 };
  const { thresholds } = toLegend(null, range);
  for (const level of [1, 17, 128, 255]) {
    const at = thresholds[level - 1]!;
    const { rgba } = paint([[at - 1e-6, at + 1e-6]], [range]);
    assert.deepEqual([rgba[0], rgba[4]], [level - 1, level]);
  }
});

test('a colormap follows the curve, in the picture and in the legend', () => {
  const plan = { kind: 'ramp', colors: '000000555555aaaaaaffffff', range: null } as const;
  const { thresholds } = toLegend(plan, { min: 0, max: 1, gamma: 2 });
  assert.deepEqual(thresholds, [0.0625, 0.25, 0.5625]);
});
