import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Allocate, Kernels } from '../../raster/index.ts';
import { loadKernels } from '../../raster/index.ts';
import { putPlanes } from '../../raster/testing/put-planes.ts';
import { casesOf } from '../../testing/test-size.ts';
import { allocateColumns, allocatePadded, PAD_PX } from './filter-heights.ts';
import type { HeightPlane } from './height-plane.ts';

/**
 * Replaces each known value by the median of the 3 × 3 pixels around it. Beyond an edge the edge is repeated. Unknown
 * pixels do not count and stay unknown; of an even number of known ones it is the mean of the middle two.
 */
function medianOf9(kernels: Kernels, allocate: Allocate, plane: HeightPlane): void {
  const { width, height } = plane;
  const fromAt = padPlane(kernels, allocate, plane);
  const toAt = allocatePadded(allocate, plane, PAD_PX);
  kernels.run.medianOf9(fromAt, toAt, width, height);
  kernels.run.unpadHeights(toAt, width, height, plane.valuesAt, plane.maskAt);
}

/** Replaces each known value by the median of the 5 × 5 pixels around it, in the same way. */
function medianOf25(kernels: Kernels, allocate: Allocate, plane: HeightPlane): void {
  const { width, height } = plane;
  const fromAt = padPlane(kernels, allocate, plane);
  const toAt = allocatePadded(allocate, plane, PAD_PX);
  kernels.run.medianOf25(fromAt, toAt, width, height, allocateColumns(allocate, width));
  kernels.run.unpadHeights(toAt, width, height, plane.valuesAt, plane.maskAt);
}

function padPlane(kernels: Kernels, allocate: Allocate, plane: HeightPlane): number {
  const { valuesAt, maskAt, width, height } = plane;
  const fromAt = allocatePadded(allocate, plane, PAD_PX);
  kernels.run.padHeights(valuesAt, maskAt, width, height, fromAt, PAD_PX);
  kernels.run.repeatEdges(fromAt, width, height);
  return fromAt;
}

const kernels = loadKernels();

interface Plane {
  readonly values: Float32Array;
  readonly mask: Uint8Array;
  readonly width: number;
  readonly height: number;
}

function filter({ values, mask, width, height }: Plane, reachPx: 1 | 2) {
  const put = putPlanes(kernels, [values], mask);
  const plane = { valuesAt: put.at[0]!, maskAt: put.maskAt, width, height };
  (reachPx === 1 ? medianOf9 : medianOf25)(kernels, put.allocate, plane);
  return { values: put.plane(0), mask: put.mask() };
}

const bitsOf = (number: number): number => number.toString(2).replaceAll('0', '').length;

/** By sorting; coordinates beyond an edge are those of the edge. */
function medianAt({ values, mask, width, height }: Plane, x: number, y: number, reachPx: number): number {
  const clamp = (coordinate: number, size: number) => Math.min(Math.max(coordinate, 0), size - 1);
  const known: number[] = [];
  for (let dy = -reachPx; dy <= reachPx; dy++) {
    for (let dx = -reachPx; dx <= reachPx; dx++) {
      const i = clamp(y + dy, height) * width + clamp(x + dx, width);
      if (mask[i] === 1 && Number.isFinite(values[i])) known.push(values[i]!);
    }
  }
  known.sort((a, b) => a - b);
  const [lower, upper] = [known[(known.length - 1) >> 1]!, known[known.length >> 1]!];
  return Math.fround((lower + upper) / 2);
}

const anyPlane = fc
  .tuple(fc.integer({ min: 1, max: 23 }), fc.integer({ min: 1, max: 9 }))
  .chain(([width, height]): fc.Arbitrary<Plane> => {
    const length = { minLength: width * height, maxLength: width * height };
    return fc.record({
      // Few different ones, so that many are equal; halves of their sums are exact.
      values: fc
        .array(fc.integer({ min: -4, max: 8_000 }), length)
        .map((numbers) => Float32Array.from(numbers, (number) => number / 4)),
      mask: fc
        .tuple(fc.constantFrom(1, 3, 50), fc.array(fc.nat(100), length))
        .map(([oneOf, numbers]) =>
          Uint8Array.from(numbers, (number) => Number(oneOf === 1 || number % oneOf > 0)),
        ),
      width: fc.constant(width),
      height: fc.constant(height),
    });
  });

for (const reachPx of [1, 2] as const) {
  test(`property: the median within ${reachPx} px equals that of sorted values, for every size and mask`, () => {
    fc.assert(
      fc.property(anyPlane, (plane) => {
        const got = filter(plane, reachPx);
        assert.deepEqual(got.mask, plane.mask);
        for (const [i, value] of got.values.entries()) {
          const [x, y] = [i % plane.width, Math.floor(i / plane.width)];
          const wanted = plane.mask[i] === 1 ? medianAt(plane, x, y, reachPx) : plane.values[i]!;
          assert.equal(value, wanted + 0, `${x} ${y}`);
        }
      }),
      { numRuns: casesOf(200) },
    );
  });
}

// Networks that find the median of zeros and ones in every order find that of all values.

test('the median of 25 values is correct for a column in every order next to four sorted ones', () => {
  const [orders, heights] = [2 ** 5, 6 ** 4];
  const windows = orders * heights;
  const width = 5 * windows;
  const onesIn = (window: number, column: number) => Math.floor(window / orders / 6 ** (column - 1)) % 6;
  const values = new Float32Array(5 * width).map((_, i) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    const [window, column] = [Math.floor(x / 5), x % 5];
    return column === 0 ? (window >> y) & 1 : Number(y >= 5 - onesIn(window, column));
  });
  const plane = { values, mask: new Uint8Array(values.length).fill(1), width, height: 5 };
  const got = filter(plane, 2).values;
  let bad = 0;
  for (let i = 0; i < windows; i++) {
    const ones = bitsOf(i % orders) + onesIn(i, 1) + onesIn(i, 2) + onesIn(i, 3) + onesIn(i, 4);
    if (got[2 * width + 5 * i + 2] !== Number(ones > 12)) bad++;
  }
  assert.equal(bad, 0);
});

test('the median of nine values is correct in every order', () => {
  const windows = 2 ** 9;
  const width = 3 * windows;
  const values = new Float32Array(3 * width).map((_, i) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    return (Math.floor(x / 3) >> (3 * y + (x % 3))) & 1;
  });
  const plane = { values, mask: new Uint8Array(values.length).fill(1), width, height: 3 };
  const got = filter(plane, 1).values;
  for (let i = 0; i < windows; i++) assert.equal(got[width + 3 * i + 1], Number(bitsOf(i) > 4));
});

test('NaN and infinities are unknown, and the mask marks them', () => {
  const values = Float32Array.of(1, Number.NaN, 3, Number.POSITIVE_INFINITY, 5, 6, 7, 8, 9);
  const plane = { values, mask: new Uint8Array(9).fill(1), width: 3, height: 3 };
  const got = filter(plane, 1);
  assert.deepEqual([...got.mask], [1, 0, 1, 0, 1, 1, 1, 1, 1]);
  // 1 3 5 6 7 8 9
  assert.equal(got.values[4], 6);
});

test('without a mask all values are known', () => {
  const put = putPlanes(kernels, [Float32Array.of(1, 9, 2, 8, 3, 7, 4, 6, 5)], new Uint8Array(9));
  medianOf9(kernels, put.allocate, { valuesAt: put.at[0]!, maskAt: 0, width: 3, height: 3 });
  assert.equal(put.plane(0)[4], 5);
});
