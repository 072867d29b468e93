import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { loadKernels } from '../raster/index.ts';
import { casesOf } from '../testing/test-size.ts';
import type { ColorPlan, RampPlan, StepsPlan } from './index.ts';
import { paintValues } from './testing/paint-values.ts';

const kernels = loadKernels();
const HOLE = '00000000';

/** As many different colours as requested. */
const colorsOf = (count: number): string =>
  Array.from({ length: count }, (_, i) => (i * 257 + 1).toString(16).padStart(6, '0')).join('');

const ramp = (count: number, min: number, max: number): RampPlan => ({
  kind: 'ramp',
  colors: colorsOf(count),
  range: { min, max },
});
const steps = (thresholds: readonly number[]): StepsPlan => ({
  kind: 'steps',
  colors: colorsOf(thresholds.length + 1),
  thresholds,
  thresholdsOf: 'values',
});

/** Which colour of the plan each pixel has; null where it is transparent. */
function indexesOf(plan: ColorPlan, values: readonly number[], options = {}): (number | null)[] {
  const { pixels } = paintValues(kernels, plan, values, options);
  return pixels.map((pixel) => {
    if (pixel === HOLE) return null;
    assert.ok(pixel.endsWith('ff'));
    return plan.colors.match(/.{6}/g)!.indexOf(pixel.slice(0, 6));
  });
}

test('five colours from -1 to 1 match a vector computed by hand', () => {
  assert.deepEqual(indexesOf(ramp(5, -1, 1), [-0.6001, -0.6, 0, 0.2, 1]), [0, 1, 2, 3, 4]);
});

test('thresholds match a vector computed by hand, as in numpy.digitize', () => {
  const indexes = indexesOf(steps([0, 0.2, 0.5]), [-0.1, 0, 0.1, 0.2, 0.5, 0.9]);
  assert.deepEqual(indexes, [0, 1, 1, 2, 3, 3]);
});

test('256 colours over 0 to 255 match the legend', () => {
  const values = [0, 0.996, 0.99609375, 1, 128, 254.0038, 254.00390625, 255];
  assert.deepEqual(indexesOf(ramp(256, 0, 255), values), [0, 0, 1, 1, 128, 254, 255, 255]);
});

test('values beyond the range and infinities get the end colours; NaN and masked pixels are transparent', () => {
  const values = [
    Number.NEGATIVE_INFINITY,
    -3.4e38,
    -5,
    5,
    3.4e38,
    Number.POSITIVE_INFINITY,
    Number.NaN,
    0.5,
  ];
  const mask = [1, 1, 1, 1, 1, 1, 1, 0];
  for (const plan of [ramp(4, 0, 1), steps([0, 0.5, 1]), ramp(4, -3e38, 3e38), steps([-3.4e38, 0, 1e-40])]) {
    const indexes = indexesOf(plan, values, { mask });
    assert.deepEqual([indexes[0], indexes[5], indexes[6], indexes[7]], [0, 3, null, null]);
  }
  assert.deepEqual(indexesOf(ramp(4, 0, 1), values, { mask }), [0, 0, 0, 3, 3, 3, null, null]);
});

test('a hole is transparent anywhere in a picture of any length, in lanes and in the tail', () => {
  for (let count = 1; count < 11; count++) {
    for (let hole = 0; hole < count; hole++) {
      const mask = Array.from({ length: count }, (_, i) => Number(i !== hole));
      const { pixels, isOpaque, palette } = paintValues(kernels, ramp(3, 0, 1), Array(count).fill(0.5), {
        mask,
      });
      assert.ok(!isOpaque);
      assert.equal(palette?.length, 4 * 4);
      assert.deepEqual(
        pixels,
        mask.map((seen) => (seen === 1 ? '000102ff' : HOLE)),
      );
    }
    const { isOpaque, palette } = paintValues(kernels, ramp(3, 0, 1), Array(count).fill(0.5));
    assert.ok(isOpaque);
    assert.equal(palette?.length, 3 * 4);
  }
});

test('with 256 colours, holes get the index of a colour that the picture does not use', () => {
  const values = Array.from({ length: 256 }, (_, i) => i);
  const without7 = values.filter((value) => value !== 7);
  const holed = paintValues(kernels, ramp(256, 0, 256), [...without7, Number.NaN]);
  assert.equal(holed.palette?.length, 1024);
  assert.deepEqual([...holed.palette!.subarray(28, 32)], [0, 0, 0, 0]);
  assert.equal(holed.indexes?.at(-1), 7);
  assert.ok(!holed.isOpaque);
  const opaque = paintValues(kernels, ramp(256, 0, 256), values);
  assert.ok(opaque.isOpaque);
  assert.deepEqual([...opaque.indexes!], values);
  assert.ok(opaque.palette?.every((level, i) => i % 4 !== 3 || level === 255));
});

test('with 256 colours in use, two of them equal, holes get one of the two indexes', () => {
  const values = Array.from({ length: 256 }, (_, i) => i);
  const colors = colorsOf(256);
  const plan: RampPlan = {
    ...ramp(256, 0, 256),
    colors: colors.slice(0, 255 * 6) + colors.slice(9 * 6, 10 * 6),
  };
  const { pixels, palette } = paintValues(kernels, plan, [...values, Number.NaN]);
  assert.equal(palette?.length, 1024);
  assert.equal(pixels.at(-1), HOLE);
  assert.deepEqual(
    pixels.slice(0, 256),
    plan.colors.match(/.{6}/g)!.map((color) => `${color}ff`),
  );
});

test('with 256 colours in use and holes, the picture is RGBA', () => {
  const values = Array.from({ length: 256 }, (_, i) => i);
  const mask = [...values.map(() => 1), 0, 1];
  const { pixels, palette, isOpaque } = paintValues(kernels, ramp(256, 0, 256), [...values, 3, Number.NaN], {
    mask,
  });
  assert.equal(palette, null);
  assert.ok(!isOpaque);
  assert.deepEqual(pixels.slice(256), [HOLE, HOLE]);
  const colors = colorsOf(256).match(/.{6}/g)!;
  assert.deepEqual(
    pixels.slice(0, 256),
    colors.map((color) => `${color}ff`),
  );
});

test('a plan without a range uses the contrast; an empty contrast is a step, a reversed one inverts', () => {
  const open: RampPlan = { ...ramp(4, 0, 1), range: null };
  assert.deepEqual(
    indexesOf(open, [99, 100, 150, 175, 200], { contrast: { min: 100, max: 200 } }),
    [0, 0, 2, 3, 3],
  );
  assert.deepEqual(indexesOf(open, [4, 5, 6], { contrast: { min: 5, max: 5 } }), [0, 0, 3]);
  assert.deepEqual(indexesOf(open, [-1, 0, 1], { contrast: { min: 0, max: 0 } }), [0, 0, 3]);
  assert.deepEqual(indexesOf(open, [-1, 10, 60, 300], { contrast: { min: 200, max: 0 } }), [3, 3, 2, 0]);
  const parts: StepsPlan = { ...steps([0.25, 1]), thresholdsOf: 'contrast' };
  assert.deepEqual(
    indexesOf(parts, [0, 49, 50, 199, 200], { contrast: { min: 0, max: 200 } }),
    [0, 0, 1, 1, 2],
  );
});

test('the shift is applied to stored values', () => {
  const shift = -1000;
  assert.deepEqual(indexesOf(ramp(4, 0, 400), [1000, 1100, 1399], { shift }), [0, 1, 3]);
  assert.deepEqual(indexesOf(steps([0, 100]), [999, 1000, 1100], { shift }), [0, 1, 2]);
  const values: ColorPlan = { kind: 'values', colors: colorsOf(2), values: [5, 0] };
  assert.deepEqual(indexesOf(values, [1000, 1005, 5], { shift }), [1, 0, null]);
  const bits: ColorPlan = { kind: 'bits', colors: colorsOf(1), bits: [[0]] };
  assert.deepEqual(indexesOf(bits, [1001, 1002, 1], { shift }), [0, null, null]);
});

test('a palette of values colours the listed whole numbers, and everything else is transparent', () => {
  const plan: ColorPlan = { kind: 'values', colors: colorsOf(5), values: [11, 0, -3, 16777216, 1] };
  const seen = [11, 0, -3, 16777216, 1, -0];
  assert.deepEqual(indexesOf(plan, seen), [0, 1, 2, 3, 4, 1]);
  const { isOpaque, palette } = paintValues(kernels, plan, seen);
  assert.ok(isOpaque);
  assert.equal(palette?.length, 20);
  const unseen = [
    0.5,
    1.0000001,
    10.999999,
    12,
    -1,
    16777218,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ];
  assert.deepEqual(
    indexesOf(plan, unseen),
    unseen.map(() => null),
  );
  assert.ok(!paintValues(kernels, plan, [11, 12]).isOpaque);
});

test('a palette of all 256 values is opaque, with an index for holes, or RGBA if none is left', () => {
  const values = Array.from({ length: 256 }, (_, i) => i);
  const plan: ColorPlan = { kind: 'values', colors: colorsOf(256), values };
  const opaque = paintValues(kernels, plan, values);
  assert.ok(opaque.isOpaque);
  assert.equal(opaque.palette?.length, 1024);
  assert.deepEqual(indexesOf(plan, values), values);

  // Not listed, masked, not a number; 7 is not in the picture and 0 is, the index that holes are first painted with.
  const holes = [256, -1, 0.5, Number.NaN, 3, Number.POSITIVE_INFINITY];
  const mask = [...values.slice(1).map(() => 1), 1, 1, 1, 1, 0, 1];
  const without7 = values.filter((value) => value !== 7);
  const holed = paintValues(kernels, plan, [...without7, ...holes], { mask });
  assert.equal(holed.palette?.length, 1024);
  assert.ok(!holed.isOpaque);
  assert.deepEqual(indexesOf(plan, [...without7, ...holes], { mask }), [
    ...without7,
    ...holes.map(() => null),
  ]);

  const full = paintValues(kernels, plan, [...values, ...holes], { mask: [1, ...mask] });
  assert.equal(full.palette, null);
  assert.ok(!full.isOpaque);
  assert.deepEqual(indexesOf(plan, [...values, ...holes], { mask: [1, ...mask] }), [
    ...values,
    ...holes.map(() => null),
  ]);
  const shift = -1000;
  const stored = values.map((value) => value + 1000);
  assert.deepEqual(indexesOf(plan, [...stored, 5], { shift }), [...values, null]);
});

test('a palette of 256 values, two with the same colour, needs no RGBA', () => {
  const values = Array.from({ length: 256 }, (_, i) => i);
  const colors = colorsOf(256).slice(0, 255 * 6) + colorsOf(1);
  const { pixels, palette } = paintValues(kernels, { kind: 'values', colors, values }, [...values, 256]);
  assert.equal(palette?.length, 1024);
  assert.deepEqual(pixels, [...colors.match(/.{6}/g)!.map((color) => `${color}ff`), HOLE]);
});

test('a palette of bits uses the first entry whose bits are all 1', () => {
  const plan: ColorPlan = {
    kind: 'bits',
    colors: colorsOf(5),
    bits: [[15, 14], [13, 12], [11, 10], [5, 4], [0]],
  };
  // clear, cloud, cloud and cirrus, cirrus, cloud medium, water, snow, fill
  const values = [20480, 53248, 61440, 28672, 36864, 21616, 23632, 1];
  assert.deepEqual(indexesOf(plan, values), [null, 0, 0, 1, null, 3, 2, 4]);
  const none = [Number.NaN, -1, 65536, 49152.5, Number.POSITIVE_INFINITY];
  assert.deepEqual(
    indexesOf(plan, none),
    none.map(() => null),
  );
  assert.deepEqual(indexesOf(plan, [65535, 65535], { mask: [1, 0] }), [0, null]);
  assert.ok(paintValues(kernels, plan, [65535, 1]).isOpaque);
});

const float = fc.float({ noNaN: true, noDefaultInfinity: true });

test('property: the index is the number of thresholds that are not above the value', () => {
  const near = fc.integer({ min: -2000, max: 2000 }).map((whole) => Math.fround(whole / 1000));
  const number = fc.oneof(float, near, fc.integer({ min: -300, max: 300 }));
  fc.assert(
    fc.property(
      fc.array(number, { maxLength: 255 }),
      fc.array(number, { maxLength: 40 }),
      (limits, others) => {
        const thresholds = limits.map(Math.fround).sort((a, b) => a - b);
        const values = [...thresholds, ...others.map(Math.fround), Number.POSITIVE_INFINITY];
        const wanted = values.map((value) => thresholds.filter((threshold) => threshold <= value).length);
        assert.deepEqual(indexesOf(steps(thresholds), values), wanted);
      },
    ),
    { numRuns: casesOf(300) },
  );
});

test('property: the index in a ramp is the floor of the fraction, for whole numbers', () => {
  const whole = fc.integer({ min: -30_000, max: 30_000 });
  fc.assert(
    fc.property(
      fc.array(whole, { minLength: 1, maxLength: 30 }),
      whole,
      whole,
      fc.integer({ min: 1, max: 255 }),
      (values, min, max, count) => {
        fc.pre(min < max);
        // Thresholds are at least 1/255 from every other whole number: more than the rounding of float32 here.
        const wanted = values.map((value) => {
          const part = Number((BigInt(value - min) * BigInt(count)) / BigInt(max - min));
          return Math.min(count - 1, Math.max(0, value < min ? 0 : part));
        });
        const indexes = indexesOf(ramp(count, min, max), values);
        assert.deepEqual(indexes, wanted);
      },
    ),
    { numRuns: casesOf(500) },
  );
});
