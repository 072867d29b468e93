/** RESAMPLE, each method computed again. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawNative, readBand, tileOf, tilePath } from '../pixels.ts';
import { askRefused } from '../service.ts';

/** Weights of interpolation, as gdalwarp has them; 0 beyond their reach. */
const KERNELS: Readonly<Record<string, (x: number) => number>> = {
  bilinear: (x) => Math.max(0, 1 - x),
  cubic: (x) =>
    x < 1 ? 1.5 * x ** 3 - 2.5 * x ** 2 + 1 : x < 2 ? -0.5 * x ** 3 + 2.5 * x ** 2 - 4 * x + 2 : 0,
  cubicspline: (x) => (x < 1 ? 2 / 3 - x ** 2 + x ** 3 / 2 : x < 2 ? (2 - x) ** 3 / 6 : 0),
  lanczos: (x) =>
    x === 0 ? 1 : x < 3 ? (3 * Math.sin(Math.PI * x) * Math.sin((Math.PI * x) / 3)) / (Math.PI * x) ** 2 : 0,
};
/** What a method makes of the sixteen pixels that lie below one, sorted. */
const CHOICES: Readonly<Record<string, (sorted: readonly number[]) => readonly number[]>> = {
  average: (sorted) => [sorted.reduce((sum, one) => sum + one, 0) / 16],
  max: (sorted) => [sorted[15]!],
  min: (sorted) => [sorted[0]!],
  // Whether of two in the middle the lower, the upper or what is between counts is a matter of taste.
  med: (sorted) => sorted.slice(7, 9),
  q1: (sorted) => sorted.slice(3, 5),
  q3: (sorted) => sorted.slice(11, 13),
  mode(sorted) {
    const counts = new Map<number, number>();
    for (const one of sorted) counts.set(one, (counts.get(one) ?? 0) + 1);
    const max = Math.max(...counts.values());
    return [...counts].filter(([, count]) => count === max).map(([one]) => one);
  },
};

/** A separable kernel at a position in a square image, in pixels from the centre of the first. */
function convolve(values: Float64Array, side: number, kernel: (x: number) => number, x: number, y: number) {
  const reach = [-3, -2, -1, 0, 1, 2, 3];
  let [sum, weights] = [0, 0];
  for (const row of reach.map((step) => Math.floor(y) + step)) {
    for (const column of reach.map((step) => Math.floor(x) + step)) {
      const weight = kernel(Math.abs(x - column)) * kernel(Math.abs(y - row));
      sum += weight * values[row * side + column]!;
      weights += weight;
    }
  }
  return sum / weights;
}

test('tile RESAMPLE: near, bilinear, cubic, cubicspline and lanczos interpolate with their kernels', async () => {
  const band = await readBand('l2a', 'B04');
  const side = band.width;
  for (const [method, kernel] of Object.entries({ near: null, ...KERNELS })) {
    const { rgba, width } = await drawNative('l2a', 'B04', band, `MIN_MAX=0,6000&RESAMPLE=${method}`, 2);
    assert.equal(width, 2 * side);
    for (let row = 8; row < width - 8; row += 3) {
      for (let column = 8; column < width - 8; column += 3) {
        const value =
          kernel === null
            ? band.values[(row >> 1) * side + (column >> 1)]!
            : convolve(band.values, side, kernel, column / 2 - 0.25, row / 2 - 0.25);
        const level = Math.min(Math.max((value / 6000) * 255, 0), 255);
        const found = rgba[4 * (row * width + column)]!;
        if (Math.abs(found - level) > 0.6)
          assert.fail(`${method} at ${column}, ${row}: ${found}, not ${level}`);
      }
    }
  }
  const path = tilePath('l2a', 'B04', tileOf(band, 15));
  assert.equal(await askRefused(path, 400, { query: 'RESAMPLE=nearest' }), 'bad-resample');
});

test('tile RESAMPLE: average, mode, max, min, med, q1 and q3 summarise the source pixels of each pixel', async () => {
  const band = await readBand('l2a', 'B04');
  const side = band.width;
  for (const [method, choose] of Object.entries(CHOICES)) {
    const { rgba, width } = await drawNative('l2a', 'B04', band, `MIN_MAX=0,6000&RESAMPLE=${method}`, 0.25);
    assert.equal(width, side / 4);
    for (let i = 0; i < width * width; i += 1) {
      const [left, top] = [(i % width) * 4, Math.floor(i / width) * 4];
      const below = Array.from(
        { length: 16 },
        (_, k) => band.values[(top + (k >> 2)) * side + left + (k & 3)]!,
      );
      const levels = choose(below.toSorted((a, b) => a - b)).map((value) =>
        Math.min((value / 6000) * 255, 255),
      );
      const found = rgba[4 * i]!;
      const isRight =
        method === 'mode'
          ? levels.some((level) => Math.abs(found - level) <= 0.6)
          : found >= Math.min(...levels) - 0.6 && found <= Math.max(...levels) + 0.6;
      assert.ok(isRight, `${method} at ${i}: ${found}, not ${levels}`);
    }
  }
});
