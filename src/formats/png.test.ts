import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import sharp from 'sharp';
import { loadKernels } from '../raster/index.ts';
import { casesOf } from '../testing/test-size.ts';
import { encodeGreyPng, encodeIndexedPng, encodePng } from './png.ts';
import { readPng } from './testing/read-png.ts';

const kernels = loadKernels();

/** Copies bytes into the kernels' memory, with others' bytes before, after and in all memory that is still free. */
function put(bytes: Uint8Array) {
  const allocate = kernels.begin();
  kernels.begin()(bytes.length * 4 + 600_000);
  new Uint8Array(kernels.buffer()).fill(0xa5, kernels.begin()(0));
  const at = allocate(bytes.length);
  new Uint8Array(kernels.buffer(), at).set(bytes);
  return { at, allocate };
}

interface Size {
  readonly width: number;
  readonly height: number;
}

function encodeRgba(rgba: Uint8Array, { width, height }: Size, isOpaque: boolean): Uint8Array<ArrayBuffer> {
  const { at, allocate } = put(rgba);
  return encodePng(kernels, allocate, { rgbaAt: at, width, height, isOpaque });
}

/** Noise that is the same on every machine. */
function makeNoise(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

type Paint = (x: number, y: number, noise: () => number) => readonly [number, number, number, number];
const CLEAR = [0, 0, 0, 0] as const;

const PAINTS: Readonly<Record<string, Paint>> = {
  flat: () => [120, 80, 40, 255],
  empty: () => CLEAR,
  white: () => [255, 255, 255, 255],
  gradient: (x, y) => [x & 255, y & 255, (x + y) & 255, 255],
  noise: (_x, _y, noise) => [noise() * 256, noise() * 256, noise() * 256, 255],
  'noise with alpha': (_x, _y, noise) => [noise() * 256, noise() * 256, noise() * 256, noise() * 256],
  land: (x, y, noise) => {
    const base = 70 + (((x * x) >> 9) & 63) + ((y * y) >> 11) + 30 * ((x >> 5) & (y >> 5) & 1);
    return [base + 12 * noise(), base + 9 * noise(), base + 15 * noise(), 255];
  },
  'land behind an edge': (x, y, noise) =>
    x * 3 + y < 300 ? CLEAR : [100 + 9 * noise(), 80, 9 * noise(), 255],
  stripes: (x, y) => (y % 7 < 3 ? [x % 5 === 0 ? 255 : 0, 0, 255, 255] : [1, 2, 3, 255]),
  'rare bytes': (x, y) => [x === y ? y & 255 : 0, 0, (x ^ y) % 97 === 0 ? x & 255 : 0, 255],
};

function paint(paintPixel: Paint, { width, height }: Size): Uint8Array {
  const noise = makeNoise(width * 4099 + height);
  const rgba = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) rgba.set(paintPixel(x, y, noise), (y * width + x) * 4);
  }
  return rgba;
}

const dropAlpha = (rgba: Uint8Array): Uint8Array => rgba.filter((_, i) => i % 4 !== 3);
const isOpaque = (rgba: Uint8Array): boolean => rgba.every((value, i) => i % 4 !== 3 || value === 255);

/** `assert.deepEqual` takes seconds for large arrays. */
const assertSame = (got: Uint8Array, wanted: Uint8Array, what: string): void =>
  assert.ok(Buffer.compare(got, wanted) === 0, what);

function checkBoth(rgba: Uint8Array, size: Size, what: string): void {
  const whole = readPng(encodeRgba(rgba, size, false));
  assert.deepEqual([whole.width, whole.height, whole.colorType], [size.width, size.height, 6]);
  assert.deepEqual(whole.chunkTypes, ['IHDR', 'IDAT', 'IEND']);
  assertSame(whole.samples, rgba, `${what}, RGBA`);
  const colors = readPng(encodeRgba(rgba, size, true));
  assert.equal(colors.colorType, 2);
  assertSame(colors.samples, dropAlpha(rgba), `${what}, RGB`);
}

test('every kind of picture is lossless', () => {
  for (const [name, paintPixel] of Object.entries(PAINTS)) {
    const size = { width: 256, height: 256 };
    checkBoth(paint(paintPixel, size), size, name);
  }
});

test('pictures of every size are restored pixel by pixel', () => {
  const sizes = [
    ...Array.from({ length: 40 }, (_, i) => [i + 1, 3]),
    ...[255, 257, 511, 1023, 2047, 4095, 4096].map((width) => [width, 2]),
    ...[
      [1, 1],
      [1, 5000],
      [3, 700],
      [7001, 1],
      [100_000, 3],
      [513, 400],
    ],
  ] as [number, number][];
  for (const [width, height] of sizes) {
    const size = { width, height };
    checkBoth(paint(PAINTS['land behind an edge']!, size), size, `${width} x ${height}`);
  }
});

test('pictures of a few bytes, of runs of any length and of any bytes are lossless', () => {
  const run = fc.tuple(fc.nat(255), fc.integer({ min: 1, max: 1200 }));
  const rows = fc.tuple(fc.integer({ min: 1, max: 90 }), fc.array(run, { minLength: 1, maxLength: 20 }));
  fc.assert(
    fc.property(rows, ([width, runs]) => {
      const bytes = Uint8Array.from(runs.flatMap(([value, length]) => Array<number>(length).fill(value)));
      const height = Math.ceil(bytes.length / (width * 4));
      const rgba = new Uint8Array(width * height * 4);
      rgba.set(bytes);
      checkBoth(rgba, { width, height }, 'runs');
    }),
    { numRuns: casesOf(150) },
  );
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 30 }),
      fc.uint8Array({ minLength: 4, maxLength: 3000 }),
      (width, bytes) => {
        const height = Math.ceil(bytes.length / (width * 4));
        const rgba = new Uint8Array(width * height * 4);
        rgba.set(bytes);
        checkBoth(rgba, { width, height }, 'any bytes');
      },
    ),
    { numRuns: casesOf(150) },
  );
});

test('differences whose counts grow like Fibonacci numbers exceed the code length limit, and still decode', () => {
  const steps: number[] = [];
  for (let [size, count, next] = [23, 1, 1]; size >= 0; size -= 1, [count, next] = [next, count + next]) {
    for (let i = 0; i < count; i += 1) steps.push(size);
  }
  const noise = makeNoise(5);
  for (let i = steps.length - 1; i > 0; i -= 1) {
    const other = Math.floor(noise() * (i + 1));
    [steps[i], steps[other]] = [steps[other]!, steps[i]!];
  }
  // One pixel wide and bright, the differences to the pixel above are what is coded.
  let above = 175;
  const grey = Uint8Array.from(steps, (size) => {
    above += above < 175 ? size : -size;
    return above;
  });
  const { at, allocate } = put(grey);
  const png = encodeGreyPng(kernels, allocate, { greyAt: at, width: 1, height: grey.length });
  assertSame(readPng(png).samples, grey, 'Fibonacci');
});

test('noise is stored, not expanded, for any number of blocks', () => {
  for (const [width, height] of [
    [256, 256],
    [64, 1],
    [1000, 600],
    [90_000, 5],
  ] as const) {
    const rgba = paint(PAINTS['noise with alpha']!, { width, height });
    const filtered = height * (width * 4 + 1);
    const { length } = encodeRgba(rgba, { width, height }, false);
    assert.ok(
      length <= filtered + 6 * (2 + Math.ceil(filtered / 65_535) * 2) + 64,
      `${length} for ${filtered}`,
    );
  }
});

test('flat and empty tiles are small, and noisy land is close to the noise', () => {
  const size = { width: 256, height: 256 };
  const bytesOf = (name: string): number => {
    const rgba = paint(PAINTS[name]!, size);
    return encodeRgba(rgba, size, isOpaque(rgba)).length;
  };
  assert.ok(bytesOf('flat') < 1200);
  assert.ok(bytesOf('empty') < 1200);
  // Differences of noise of 12, 9 and 15 steps have 4.2 bits on the average: 103 KB; stored it is 197 KB.
  assert.ok(bytesOf('land') < 110_000, `${bytesOf('land')}`);
});

test('other readers see the same pixels', async () => {
  for (const [name, paintPixel] of Object.entries(PAINTS)) {
    const size = { width: 203, height: 117 };
    const rgba = paint(paintPixel, size);
    const bytes = encodeRgba(rgba, size, isOpaque(rgba));
    const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    assert.deepEqual([info.width, info.height], [size.width, size.height]);
    assertSame(data, rgba, name);
  }
});

test('a palette keeps its alphas, and stores only as many as needed', async () => {
  const [width, height] = [100, 60];
  const indexes = new Uint8Array(width * height).map((_, i) => (i * 7 + (i >> 6)) % 5);
  const palette = Uint8Array.from([0, 0, 0, 0, 255, 0, 0, 255, 0, 255, 0, 128, 0, 0, 255, 255, 9, 9, 9, 255]);
  const encode = (colors: Uint8Array) => {
    const { at, allocate } = put(indexes);
    return encodeIndexedPng(kernels, allocate, { indexesAt: at, width, height, palette: colors });
  };
  const png = readPng(encode(palette));
  assert.deepEqual(png.chunkTypes, ['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);
  assert.deepEqual([...png.palette!], [...dropAlpha(palette)]);
  assert.deepEqual([...png.alphas!], [0, 255, 128]);
  assertSame(png.samples, indexes, 'indexes');
  const { data } = await sharp(encode(palette)).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const wanted = Uint8Array.from(indexes).reduce(
    (rgba, index, i) => {
      rgba.set(palette.subarray(index * 4, index * 4 + 4), i * 4);
      return rgba;
    },
    new Uint8Array(width * height * 4),
  );
  assertSame(data, wanted, 'colours');
  const opaque = palette.map((value, i) => (i % 4 === 3 ? 255 : value));
  assert.deepEqual(readPng(encode(opaque)).chunkTypes, ['IHDR', 'PLTE', 'IDAT', 'IEND']);
  assert.equal(readPng(encode(new Uint8Array(1024))).palette?.length, 768);
});

test('a palette that does not fit its picture is refused', () => {
  const { at, allocate } = put(Uint8Array.of(0, 1, 2, 1));
  const picture = { indexesAt: at, width: 2, height: 2 };
  for (const bytes of [0, 3, 8, 1028]) {
    const palette = new Uint8Array(bytes);
    assert.throws(() => encodeIndexedPng(kernels, allocate, { ...picture, palette }), {
      code: 'bad-palette',
    });
  }
});

test('grey stays grey', async () => {
  const grey = new Uint8Array(65 * 33).map((_, i) => (i * i) >> 4);
  const { at, allocate } = put(grey);
  const bytes = encodeGreyPng(kernels, allocate, { greyAt: at, width: 65, height: 33 });
  assert.equal(readPng(bytes).colorType, 0);
  assertSame(readPng(bytes).samples, grey, 'grey');
  assert.equal((await sharp(bytes).metadata()).channels, 1);
});

test('the bytes are the same on every machine, and can be moved to another thread', () => {
  const size = { width: 256, height: 200 };
  const hashes = ['land', 'land behind an edge', 'rare bytes'].map((name) => {
    const rgba = paint(PAINTS[name]!, size);
    return createHash('sha256')
      .update(encodeRgba(rgba, size, isOpaque(rgba)))
      .digest('hex')
      .slice(0, 16);
  });
  assert.deepEqual(hashes, GOLDEN);
  const bytes = encodeRgba(paint(PAINTS.flat!, size), size, true);
  structuredClone(bytes, { transfer: [bytes.buffer] });
  assert.equal(bytes.length, 0);
  assert.ok(kernels.buffer().byteLength > 0);
});

/** Change with the encoder only: caches hold files by these bytes. */
const GOLDEN = ['32485f89733f65b9', '0f060d53ce98b684', '4aad704fdfdc4aa3'];

test('a picture too large for the work memory, or without pixels, is refused before anything is written', () => {
  const allocate = kernels.begin();
  const picture = { rgbaAt: 0, width: 8192, height: 8192, isOpaque: false };
  assert.throws(() => encodePng(kernels, allocate, picture), { tag: 'too-large', code: 'work-memory' });
  assert.throws(() => encodePng(kernels, allocate, { ...picture, height: 0 }), { code: 'empty-picture' });
});
