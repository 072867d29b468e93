import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { loadKernels } from '../raster/index.ts';
import { casesOf } from '../testing/test-size.ts';
import { dilateMask, distanceToEdge } from './index.ts';
import { makeRandom, put } from './testing/put-scenes.ts';

const kernels = loadKernels();

interface Mask {
  readonly mask: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Masks from nearly empty to nearly full. */
const anyMask: fc.Arbitrary<Mask> = fc
  .record({
    seed: fc.nat(),
    width: fc.integer({ min: 1, max: 40 }),
    height: fc.integer({ min: 1, max: 24 }),
    share: fc.constantFrom(0, 0.005, 0.05, 0.5, 0.95, 0.995, 1),
  })
  .map(({ seed, width, height, share }) => {
    const random = makeRandom(seed);
    return {
      width,
      height,
      mask: new Uint8Array(width * height).map(() => Number(random() < share)),
    };
  });

/** Squared distance of a pixel to the nearest of those that are wanted; infinite without any. */
function squareTo(isWanted: (x: number, y: number) => boolean, [x, y]: [number, number], size: Mask): number {
  let least = Number.POSITIVE_INFINITY;
  // One more on each side, for what lies around the picture.
  for (let row = -1; row <= size.height; row++)
    for (let col = -1; col <= size.width; col++)
      if (isWanted(col, row)) least = Math.min(least, (col - x) ** 2 + (row - y) ** 2);
  return least;
}

const isInside = ({ width, height }: Mask, x: number, y: number): boolean =>
  x >= 0 && y >= 0 && x < width && y < height;

const dilate = ({ mask, width, height }: Mask, radiusPx: number, flag = 1): Uint8Array => {
  const allocate = kernels.begin();
  const maskAt = put(kernels, allocate, mask);
  dilateMask(kernels, allocate, { maskAt, width, height, radiusPx, flag });
  return new Uint8Array(kernels.buffer(), maskAt, mask.length).slice();
};

const measure = ({ mask, width, height }: Mask, maxPx: number, isOutsideUnset?: boolean): Float32Array => {
  const allocate = kernels.begin();
  const maskAt = put(kernels, allocate, mask);
  const outside = isOutsideUnset === undefined ? {} : { isOutsideUnset };
  const at = distanceToEdge(kernels, allocate, { maskAt, width, height, maxPx, ...outside });
  return new Float32Array(kernels.buffer(), at, mask.length).slice();
};

test('property: exactly the pixels within the radius of a cloud become clouds', () => {
  const anyRadius = fc.oneof(
    fc.constantFrom(0, 0.9, 1, Math.SQRT2, 2, 5, Number.POSITIVE_INFINITY),
    fc.double({ min: 0, max: 60, noNaN: true }),
  );
  fc.assert(
    fc.property(anyMask, anyRadius, (mask, radiusPx) => {
      const got = dilate(mask, radiusPx);
      const isCloud = (x: number, y: number) => isInside(mask, x, y) && mask.mask[y * mask.width + x] === 1;
      for (const [i, has] of got.entries()) {
        const square = squareTo(isCloud, [i % mask.width, Math.floor(i / mask.width)], mask);
        assert.equal(has, Number(square < Number.POSITIVE_INFINITY && square <= radiusPx ** 2), `pixel ${i}`);
      }
    }),
    { numRuns: casesOf(600) },
  );
});

test('a flag grows and the other bits stay', () => {
  const mask = { mask: Uint8Array.of(1, 0, 5, 1, 3), width: 5, height: 1 };
  assert.deepEqual([...dilate(mask, 1, 4)], [1, 4, 5, 5, 3]);
  assert.deepEqual([...dilate(mask, 1, 2)], [1, 0, 5, 3, 3]);
});

test('property: a set pixel has its distance to the nearest unset one, up to the limit', () => {
  const anyMax = fc.oneof(fc.constantFrom(1, 3, 1000), fc.double({ min: 0.5, max: 60, noNaN: true }));
  fc.assert(
    fc.property(anyMask, anyMax, fc.boolean(), (mask, maxPx, isOutsideUnset) => {
      const got = measure(mask, maxPx, isOutsideUnset);
      const isUnset = (x: number, y: number) =>
        isInside(mask, x, y) ? mask.mask[y * mask.width + x] === 0 : isOutsideUnset;
      for (const [i, distance] of got.entries()) {
        const square = squareTo(isUnset, [i % mask.width, Math.floor(i / mask.width)], mask);
        assert.equal(distance, Math.fround(Math.min(maxPx, Math.sqrt(square))), `pixel ${i}`);
      }
    }),
    { numRuns: casesOf(600) },
  );
});

test('pixels outside are not an edge by default', () => {
  const mask = { mask: new Uint8Array(9).fill(1), width: 3, height: 3 };
  assert.deepEqual([...measure(mask, 7)], Array(9).fill(7));
  assert.deepEqual([...measure(mask, 7, true)], [1, 1, 1, 1, 2, 1, 1, 1, 1]);
});

test('invalid radii and sides are refused', () => {
  const mask = { mask: new Uint8Array(1), width: 1, height: 1 };
  for (const radiusPx of [-1, Number.NaN])
    assert.throws(() => dilate(mask, radiusPx), { code: 'stack-radius' });
  for (const maxPx of [0, -1, Number.NaN])
    assert.throws(() => measure(mask, maxPx), { code: 'stack-radius' });
  assert.throws(() => measure({ ...mask, width: 20_000 }, 1), { code: 'stack-radius' });
});
