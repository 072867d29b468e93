import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { casesOf } from '../testing/test-size.ts';
import { loadKernels } from './kernels.ts';
import type { PixelArray, SampleType } from './pixel-type.ts';
import { makePixels } from './pixel-type.ts';
import type { PixelPiece } from './window-plane.ts';
import { fillEmpty, makeStaging, makeWindowPlane } from './window-plane.ts';

const kernels = loadKernels();
const TYPES: readonly SampleType[] = [
  'uint8',
  'int8',
  'uint16',
  'int16',
  'uint32',
  'int32',
  'float32',
  'float64',
];

interface Size {
  readonly width: number;
  readonly height: number;
}

function begin(size: Size, nodata: number | null, keepsWords: boolean) {
  const allocate = kernels.begin();
  const count = size.width * size.height;
  const [valuesAt, maskAt] = [allocate(count * 4), allocate(count)];
  const staging = makeStaging(allocate);
  const window = { x: 0, y: 0, ...size };
  const plane = makeWindowPlane({ kernels, staging, window, valuesAt, maskAt, nodata, keepsWords });
  return { plane, valuesAt, maskAt, count };
}

function fill(size: Size, pieces: readonly PixelPiece[], nodata: number | null) {
  const { plane, valuesAt, maskAt, count } = begin(size, nodata, false);
  new Float32Array(kernels.buffer(), valuesAt, count).fill(-1);
  for (const piece of pieces) plane.add(piece);
  const values = [...new Float32Array(kernels.buffer(), valuesAt, count)];
  return { values, mask: plane.hasEmpty ? [...new Uint8Array(kernels.buffer(), maskAt, count)] : null };
}

const samples = (type: SampleType, values: readonly number[]): PixelArray => {
  const pixels = makePixels(type, values.length);
  for (const [i, value] of values.entries()) pixels[i] = value;
  return pixels;
};

/** The expected result of the kernels, pixel by pixel. */
function expected(size: Size, pieces: readonly PixelPiece[], nodata: number | null) {
  const values = new Float32Array(size.width * size.height).fill(-1);
  const mask = new Uint8Array(values.length).fill(1);
  for (const { pixels, width, height, corner, mask: own } of pieces) {
    for (let i = 0; i < width * height; i += 1) {
      const [x, y] = [corner.x + (i % width), corner.y + Math.floor(i / width)];
      if (x < 0 || y < 0 || x >= size.width || y >= size.height) continue;
      const value = pixels[i] as number;
      const isEmpty = value === nodata || Number.isNaN(value) || own?.[i] === 0;
      values[y * size.width + x] = value;
      mask[y * size.width + x] = isEmpty ? 0 : 1;
    }
  }
  return { values: [...values], mask: mask.includes(0) ? [...mask] : null };
}

test('pieces of every type become floats, empty where they equal nodata, are NaN or are masked', () => {
  const whole = fc.integer({ min: -130, max: 300 });
  const pieceOf = (type: SampleType) =>
    fc
      .record({
        width: fc.integer({ min: 1, max: 40 }),
        height: fc.integer({ min: 1, max: 5 }),
        corner: fc.record({ x: fc.integer({ min: -30, max: 30 }), y: fc.integer({ min: -3, max: 3 }) }),
        isMasked: fc.boolean(),
      })
      .chain(({ width, height, corner, isMasked }) => {
        const count = { minLength: width * height, maxLength: width * height };
        const value = type.startsWith('float')
          ? fc.oneof(whole, fc.constantFrom(Number.NaN, Infinity))
          : whole;
        return fc.record({
          pixels: fc.array(value, count).map((values) => samples(type, values)),
          width: fc.constant(width),
          height: fc.constant(height),
          corner: fc.constant(corner),
          mask: isMasked
            ? fc.array(fc.constantFrom(0, 1, 1, 1), count).map((bytes) => Uint8Array.from(bytes))
            : fc.constant(null),
        });
      });
  for (const type of TYPES) {
    fc.assert(
      fc.property(pieceOf(type), fc.option(whole), (piece, nodata) => {
        const size = { width: 33, height: 4 };
        const got = fill(size, [piece], nodata);
        const wanted = expected(size, [piece], nodata);
        assert.deepEqual(got.values, wanted.values);
        // A mask that marks nothing inside the window may or may not be written.
        assert.deepEqual(got.mask ?? wanted.values.map(() => 1), wanted.mask ?? wanted.values.map(() => 1));
      }),
      { numRuns: casesOf(150) },
    );
  }
});

test('neighbouring pieces fill a window, and the mask of one does not touch the other', () => {
  const left = {
    pixels: samples('uint16', [1, 2, 0, 4]),
    width: 2,
    height: 2,
    corner: { x: 0, y: 0 },
    mask: null,
  };
  const right = {
    pixels: samples('uint16', [5, 6, 7, 8]),
    width: 2,
    height: 2,
    corner: { x: 2, y: 0 },
    mask: Uint8Array.of(1, 0, 1, 1),
  };
  for (const pieces of [
    [left, right],
    [right, left],
  ]) {
    assert.deepEqual(fill({ width: 4, height: 2 }, pieces, 0), {
      values: [1, 2, 5, 6, 0, 4, 7, 8],
      mask: [1, 1, 1, 0, 0, 1, 1, 1],
    });
  }
});

test('a nodata value the type cannot hold matches nothing', () => {
  for (const nodata of [-9999, 65_536 + 7, 7.5, Number.NaN]) {
    const piece = {
      pixels: samples('uint16', [7, 8]),
      width: 2,
      height: 1,
      corner: { x: 0, y: 0 },
      mask: null,
    };
    assert.equal(fill({ width: 2, height: 1 }, [piece], nodata).mask, null);
  }
});

test('staged samples never reach beyond the piece that is being added', () => {
  const allocate = kernels.begin();
  const staging = makeStaging(allocate);
  const small = staging.take(100);
  assert.equal(staging.take(50), small);
  assert.ok(staging.take(200) >= small + 100);
});

test('a plane that is started again forgets which pixels were empty', () => {
  const allocate = kernels.begin();
  const [valuesAt, maskAt] = [allocate(8), allocate(2)];
  const plane = makeWindowPlane({
    kernels,
    staging: makeStaging(allocate),
    window: { x: 0, y: 0, width: 2, height: 1 },
    valuesAt,
    maskAt,
    nodata: 0,
  });
  const piece = (values: readonly number[]): PixelPiece => ({
    pixels: samples('uint16', values),
    width: 2,
    height: 1,
    corner: { x: 0, y: 0 },
    mask: null,
  });
  plane.begin();
  plane.add(piece([0, 5]));
  assert.equal(plane.hasEmpty, true);
  plane.begin();
  plane.add(piece([7, 5]));
  assert.equal(plane.hasEmpty, false);
  plane.begin();
  plane.add(piece([7, 0]));
  assert.deepEqual([...new Uint8Array(kernels.buffer(), maskAt, 2)], [1, 0]);
});

test('a piece larger than the staging buffer is added in slices with its mask', () => {
  const size = { width: 700, height: 900 };
  const count = size.width * size.height;
  const pixels = new Float64Array(count).map((_, i) => (i % 1_001 === 0 ? -1 : i));
  const mask = new Uint8Array(count).map((_, i) => (i % 997 === 0 ? 0 : 1));
  const piece = { pixels, ...size, corner: { x: 0, y: 0 }, mask };
  assert.deepEqual(fill(size, [piece], -1), expected(size, [piece], -1));
});

test('masked pixels and NaN get the value, all others stay', () => {
  const kernels = loadKernels();
  const allocate = kernels.begin();
  for (const count of [1, 4, 7, 33]) {
    const plane = { valuesAt: allocate(4 * count), maskAt: allocate(count) };
    const values = new Float32Array(kernels.buffer(), plane.valuesAt, count);
    const mask = new Uint8Array(kernels.buffer(), plane.maskAt, count);
    const given = Array.from({ length: count }, (_, i) => [1.5, Number.NaN, -Infinity, 0, 9][i % 5]!);
    values.set(given);
    mask.set(given.map((_, i) => (i % 3 === 2 ? 0 : 1)));
    fillEmpty(kernels, plane, { count, value: -9999 });
    const expected = given.map((value, i) => (i % 3 === 2 || Number.isNaN(value) ? -9999 : value));
    assert.deepEqual([...values], expected);
  }
});

test('words that are kept are the samples, and become the same floats with the first empty one', () => {
  const size = { width: 37, height: 6 };
  const count = size.width * size.height;
  const value = fc.integer({ min: 0, max: 65_535 });
  const values = fc.array(value, { minLength: count, maxLength: count });
  const piece = (pixels: PixelArray, x: number, width: number): PixelPiece => ({
    pixels,
    width,
    height: size.height,
    corner: { x, y: 0 },
    mask: null,
  });
  const cut = (all: readonly number[], x: number, width: number) =>
    all.filter((_, i) => i % size.width >= x && i % size.width < x + width);
  fc.assert(
    fc.property(values, fc.option(value), fc.integer({ min: 1, max: 36 }), (all, nodata, split) => {
      const pieces = [
        piece(samples('uint16', cut(all, 0, split)), 0, split),
        piece(samples('uint16', cut(all, split, 37 - split)), split, 37 - split),
      ];
      const isEmpty = nodata !== null && all.includes(nodata);
      const { plane, valuesAt, maskAt } = begin(size, nodata, true);
      for (const one of pieces) plane.add(one);
      assert.equal(plane.hasEmpty, isEmpty);
      assert.equal(plane.wordsAt === 0, isEmpty);
      if (!isEmpty)
        assert.deepEqual([...new Uint16Array(kernels.buffer().slice(plane.wordsAt), 0, count)], all);
      plane.widen();
      assert.equal(plane.wordsAt, 0);
      assert.deepEqual([...new Float32Array(kernels.buffer(), valuesAt, count)], all);
      if (isEmpty)
        assert.deepEqual(
          [...new Uint8Array(kernels.buffer(), maskAt, count)],
          all.map((sample) => Number(sample !== nodata)),
        );
    }),
    { numRuns: casesOf(100) },
  );
});

test('samples of other types and masked pieces are not kept as words', () => {
  const size = { width: 4, height: 1 };
  const words = { pixels: samples('uint16', [1, 2, 3, 4]), ...size, corner: { x: 0, y: 0 }, mask: null };
  const others: readonly PixelPiece[] = [
    { ...words, pixels: samples('int16', [1, 2, 3, 4]) },
    { ...words, mask: Uint8Array.of(1, 1, 0, 1) },
  ];
  for (const other of others) {
    const { plane, valuesAt } = begin(size, null, true);
    plane.add(other);
    assert.equal(plane.wordsAt, 0);
    assert.deepEqual([...new Float32Array(kernels.buffer(), valuesAt, 4)], [1, 2, 3, 4]);
  }
});
