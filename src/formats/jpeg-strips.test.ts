import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import sharp from 'sharp';
import { loadKernels } from '../raster/index.ts';
import { casesOf } from '../testing/test-size.ts';
import { encodeJpeg, encodeJpegStrip, toJpegStripEnd, toJpegStripsHead } from './jpeg.ts';

const kernels = loadKernels();

interface Picture {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}

function putRows({ width, rgba }: Picture, first: number, rows: number) {
  const allocate = kernels.begin();
  const rgbaAt = allocate(width * rows * 4);
  new Uint8Array(kernels.buffer()).set(rgba.subarray(first * width * 4, (first + rows) * width * 4), rgbaAt);
  return { allocate, picture: { rgbaAt, width, height: rows } };
}

function encodeWhole(picture: Picture): Uint8Array {
  const { allocate, picture: at } = putRows(picture, 0, picture.height);
  return encodeJpeg(kernels, allocate, at);
}

function encodeStrips(picture: Picture, stripRows: number): Uint8Array {
  const { height } = picture;
  const count = Math.ceil(height / stripRows);
  const strips = Array.from({ length: count }, (_, i) => {
    const rows = Math.min(stripRows, height - i * stripRows);
    const { allocate, picture: at } = putRows(picture, i * stripRows, rows);
    return [encodeJpegStrip(kernels, allocate, at), toJpegStripEnd(i, i + 1 === count)];
  });
  return Buffer.concat([toJpegStripsHead(picture, stripRows), ...strips.flat()]);
}

const decode = (bytes: Uint8Array): Promise<Buffer> => sharp(bytes, { failOn: 'warning' }).raw().toBuffer();

/** Slopes and noise, so that first coefficients differ from block to block. */
function paint(width: number, height: number, seed: number): Picture {
  const rgba = new Uint8Array(width * height * 4);
  for (let i = 0; i < rgba.length; i += 1) {
    const [x, y] = [(i >> 2) % width, Math.floor((i >> 2) / width)];
    rgba[i] = (x * 3 + y * 2 + (i % 4) * 40 + ((Math.imul(i + seed, 0x9e3779b1) >>> 24) & 31)) & 255;
  }
  return { width, height, rgba };
}

test('a JPEG of strips shows the same pixels as a single picture, in libjpeg', async () => {
  const size = fc.integer({ min: 1, max: 200 });
  await fc.assert(
    fc.asyncProperty(size, size, fc.constantFrom(16, 32, 64), fc.nat(), async (width, height, rows, seed) => {
      const picture = paint(width, height, seed);
      const [strips, whole] = [await decode(encodeStrips(picture, rows)), await decode(encodeWhole(picture))];
      assert.ok(strips.equals(whole));
    }),
    { numRuns: casesOf(40) },
  );
});

test('restart markers repeat after eight strips', async () => {
  const picture = paint(40, 16 * 21 + 5, 1);
  assert.ok((await decode(encodeStrips(picture, 16))).equals(await decode(encodeWhole(picture))));
});

test('a picture of one strip differs from one without markers only by the restart interval', () => {
  const picture = paint(100, 48, 2);
  const [strips, whole] = [encodeStrips(picture, 48), encodeWhole(picture)];
  // The segment that defines the interval.
  assert.equal(strips.length, whole.length + 6);
});

test('strips that a JPEG cannot contain are refused', () => {
  assert.throws(() => toJpegStripsHead({ width: 100, height: 100 }, 24), { code: 'jpeg-strips' });
  assert.throws(() => toJpegStripsHead({ width: 65_500, height: 1_000 }, 272), { code: 'jpeg-strips' });
  assert.ok(toJpegStripsHead({ width: 65_500, height: 1_000 }, 256).length > 600);
});
