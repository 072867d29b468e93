import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { loadKernels } from '../../raster/index.ts';
import { putPlanes } from '../../raster/testing/put-planes.ts';
import { casesOf } from '../../testing/test-size.ts';
import { encodeTerrainRgb, encodeTerrarium } from './draw-terrain.ts';

const kernels = loadKernels();

interface Options {
  readonly mask?: readonly number[];
  readonly unknownM?: number;
}

/** The four bytes of each height. */
function encode(encoding: typeof encodeTerrarium, heights: readonly number[], options: Options = {}) {
  const { mask = heights.map(() => 1), unknownM = null } = options;
  const put = putPlanes(kernels, [Float32Array.from(heights)], Uint8Array.from(mask));
  const planes = { valuesAt: put.at[0]!, maskAt: put.maskAt, count: heights.length, unknownM };
  const rgbaAt = encoding(kernels, put.allocate, planes);
  const unmasked = encoding(kernels, put.allocate, { ...planes, maskAt: 0 });
  const pixelsAt = (at: number) =>
    heights.map((_, i) => [...new Uint8Array(kernels.buffer(), at + 4 * i, 4)] as number[]);
  if (options.mask === undefined) assert.deepEqual(pixelsAt(unmasked), pixelsAt(rgbaAt));
  return pixelsAt(rgbaAt);
}

const fromTerrarium = ([r, g, b]: readonly number[]) => r! * 256 + g! + b! / 256 - 32_768;
const fromTerrainRgb = ([r, g, b]: readonly number[]) => -10_000 + (r! * 65_536 + g! * 256 + b!) * 0.1;

test('terrarium tiles match heights computed by hand', () => {
  const pixels = encode(encodeTerrarium, [2523.265625, 0, -0.00390625, 8848.86, -11_034, 1 / 512 + 1e-6]);
  assert.deepEqual(pixels, [
    [137, 219, 68, 255],
    [128, 0, 0, 255],
    [127, 255, 255, 255],
    [162, 144, 220, 255],
    [84, 230, 0, 255],
    [128, 0, 1, 255],
  ]);
});

test('Terrain-RGB tiles match heights computed by hand', () => {
  const pixels = encode(encodeTerrainRgb, [0, -10_000, 8848.86, -0.1, 0.26]);
  assert.deepEqual(pixels, [
    [1, 134, 160, 255],
    [0, 0, 0, 255],
    [2, 224, 73, 255],
    [1, 134, 159, 255],
    [1, 134, 163, 255],
  ]);
});

test('heights that the encoding cannot hold are clamped', () => {
  const far = [-1e9, 1e9, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const [low, high] = [
    [0, 0, 0, 255],
    [255, 255, 255, 255],
  ];
  assert.deepEqual(encode(encodeTerrarium, [-32_768, 32_768, ...far]), [low, high, low, high, low, high]);
  assert.deepEqual(encode(encodeTerrainRgb, [-10_001, 1.7e6, ...far]), [low, high, low, high, low, high]);
});

test('unknown heights are transparent black, or have their substitute height', () => {
  for (const encoding of [encodeTerrarium, encodeTerrainRgb]) {
    const [sea, hill] = encode(encoding, [-5, 300]);
    const heights = [300, 300, Number.NaN, 300, 300, Number.NaN, 300];
    const mask = [1, 0, 1, 1, 0, 0, 1];
    const none = [0, 0, 0, 0];
    assert.deepEqual(encode(encoding, heights, { mask }), [hill, none, none, hill, none, none, hill]);
    assert.deepEqual(encode(encoding, heights, { mask, unknownM: -5 }), [
      hill,
      sea,
      sea,
      hill,
      sea,
      sea,
      hill,
    ]);
  }
});

test('property: decoded heights are the nearest the encoding can hold', () => {
  const heights = fc.array(fc.float({ min: -9_999, max: 9_000, noNaN: true }), {
    minLength: 1,
    maxLength: 11,
  });
  fc.assert(
    fc.property(heights, (values) => {
      const [terrarium, rgb] = [encode(encodeTerrarium, values), encode(encodeTerrainRgb, values)];
      for (const [i, value] of values.entries()) {
        assert.ok(Math.abs(fromTerrarium(terrarium[i]!) - value) <= 1 / 512);
        assert.ok(Math.abs(fromTerrainRgb(rgb[i]!) - value) <= 0.05 + 1e-9);
        assert.equal(terrarium[i]![3], 255);
        assert.equal(rgb[i]![3], 255);
      }
    }),
    { numRuns: casesOf(500) },
  );
});
