import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { loadKernels } from './kernels.ts';
import { putPlanes } from './testing/put-planes.ts';

const kernels = loadKernels();

interface Image {
  readonly width: number;
  readonly height: number;
  readonly values: Float32Array;
  readonly mask: Uint8Array;
}

interface Part {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** `npm run oracle classes` compares it with SciPy. */
function filter(
  { width, height, values, mask }: Image,
  part: Part = { left: 0, top: 0, width, height },
  noise = 1 / 4.4,
): Float32Array {
  const put = putPlanes(kernels, [values, new Float32Array(values.length)], mask);
  const [from = 0, to = 0] = put.at;
  const columns = put.allocate(24 * width);
  const maskAt = mask.includes(0) ? put.maskAt : 0;
  const numbers = [part.left, part.top, part.width, part.height] as const;
  kernels.run.filterSpeckle(from, maskAt, width, height, ...numbers, to, columns, 3, noise);
  return put.plane(1).subarray(0, part.width * part.height);
}

const imageOf = (width: number, height: number, valueAt: (x: number, y: number) => number): Image => ({
  width,
  height,
  values: new Float32Array(width * height).map((_, i) => valueAt(i % width, Math.floor(i / width))),
  mask: new Uint8Array(width * height).fill(1),
});

test('even ground stays, and variation below the speckle becomes the mean', () => {
  assert.ok(filter(imageOf(20, 20, () => 100)).every((value) => value === 100));
  const rippled = filter(imageOf(40, 40, (x, y) => ((x + y) % 2 === 0 ? 100 : 110)));
  const middle = Math.sqrt((100 ** 2 + 110 ** 2) / 2);
  assert.ok(rippled.every((value) => Math.abs(value - middle) < 1));
});

test('a bright object stays bright, and does not brighten the ground around it', () => {
  const found = filter(imageOf(21, 21, (x, y) => (x === 10 && y === 10 ? 5_000 : 100)));
  assert.ok(found[10 * 21 + 10]! > 4_400, `${found[10 * 21 + 10]}`);
  assert.ok(Math.abs(found[0]! - 100) < 1e-3);
});

test('pixels without data do not count, and stay unchanged', () => {
  const image = imageOf(9, 9, (x) => (x < 4 ? 100 : 7));
  const mask = image.mask.map((_, i) => Number(i % 9 < 4));
  const found = filter({ ...image, mask });
  for (const [i, value] of found.entries()) assert.equal(value, i % 9 < 4 ? 100 : 7);
});

test('a pixel does not depend on the window in which it is filtered', () => {
  const image = imageOf(40, 30, (x, y) => 1 + ((x * 7919 + y * 104_729) % 997));
  const mask = image.mask.map((_, i) => Number(i % 11 !== 0));
  const whole = filter({ ...image, mask });
  fc.assert(
    fc.property(fc.nat({ max: 30 }), fc.nat({ max: 20 }), (left, top) => {
      const size = { width: 8, height: 7 };
      // The window with three pixels around it, as far as the image has them.
      const [x, y] = [Math.max(0, left - 3), Math.max(0, top - 3)];
      const [right, bottom] = [Math.min(40, left + 11), Math.min(30, top + 10)];
      const cut = (from: (i: number) => number) =>
        Array.from({ length: (right - x) * (bottom - y) }, (_, i) =>
          from((y + Math.floor(i / (right - x))) * 40 + x + (i % (right - x))),
        );
      const padded: Image = {
        width: right - x,
        height: bottom - y,
        values: Float32Array.from(cut((i) => image.values[i]!)),
        mask: Uint8Array.from(cut((i) => mask[i]!)),
      };
      const part = filter(padded, { left: left - x, top: top - y, ...size });
      for (const [i, value] of part.entries())
        assert.equal(value, whole[(top + Math.floor(i / 8)) * 40 + left + (i % 8)]);
    }),
  );
});
