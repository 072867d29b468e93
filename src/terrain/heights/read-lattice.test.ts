import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadKernels } from '../../raster/index.ts';

const kernels = loadKernels();

/** Heights and mask afterwards; without a mask before, its memory holds sevens. */
function drop(heights: readonly number[], mask: readonly number[] | null) {
  const count = heights.length;
  const allocate = kernels.begin();
  const [valuesAt, maskAt] = [allocate(4 * count), allocate(count)];
  const values = new Float32Array(kernels.buffer(), valuesAt, count);
  const known = new Uint8Array(kernels.buffer(), maskAt, count);
  values.set(heights);
  known.set(mask ?? heights.map(() => 7));
  const isFound = kernels.run.dropImpossible(valuesAt, maskAt, count, mask === null ? 0 : 1, -100, 100);
  return { isFound: isFound === 1, heights: [...values], mask: [...known] };
}

const level = Array.from({ length: 37 }, (_, i) => i);

test('possible heights stay, and the mask is unchanged', () => {
  assert.deepEqual(drop(level, null), { isFound: false, heights: level, mask: level.map(() => 7) });
});

test('an impossible height is unknown anywhere, with and without a mask', () => {
  for (const [at] of level.entries()) {
    for (const odd of [100, -100, Infinity, -Infinity, Number.NaN]) {
      const heights = level.with(at, odd);
      const expected = { isFound: true, heights: level.with(at, 0) };
      assert.deepEqual(drop(heights, null), { ...expected, mask: level.map(() => 1).with(at, 0) });
      const mask = level.map((i) => i % 2);
      assert.deepEqual(drop(heights, mask), { ...expected, mask: mask.with(at, 0) });
    }
  }
});
