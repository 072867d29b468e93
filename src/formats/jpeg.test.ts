import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import sharp from 'sharp';
import { loadKernels } from '../raster/index.ts';
import { casesOf } from '../testing/test-size.ts';
import type { JpegPicture } from './jpeg.ts';
import { encodeJpeg } from './jpeg.ts';

type Options = Pick<JpegPicture, 'quality' | 'color'>;
type Paint = (x: number, y: number, channel: number) => number;
interface Picture {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}

/** Of JFIF, which sharp leaves away; everything else of a file is to be the same. */
const JFIF_BYTES = 18;
const kernels = loadKernels();

function encode({ width, height, rgba }: Picture, options: Options = {}): Uint8Array<ArrayBuffer> {
  const allocate = kernels.begin();
  const rgbaAt = allocate(rgba.length);
  new Uint8Array(kernels.buffer()).set(rgba, rgbaAt);
  return encodeJpeg(kernels, allocate, { rgbaAt, width, height, ...options });
}

/** The judge: libjpeg behind sharp, without the extras that only make files smaller. */
function encodeBySharp({ width, height, rgba }: Picture, { quality = 85, color = '4:2:0' }: Options) {
  const picture = sharp(rgba, { raw: { width, height, channels: 4 } }).removeAlpha();
  return (color === 'grey' ? picture.toColourspace('b-w') : picture)
    .jpeg({ quality, optimiseCoding: false, chromaSubsampling: color === '4:4:4' ? color : '4:2:0' })
    .toBuffer();
}

const decode = async (bytes: Uint8Array) =>
  await sharp(bytes, { failOn: 'warning' }).raw().toBuffer({ resolveWithObject: true });

const hash = (a: number, b: number, c = 0): number => {
  let h = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b) ^ Math.imul(c, 0x27d4eb2f);
  h = Math.imul(h ^ (h >>> 15), 0xc2b2ae35);
  return ((h ^ (h >>> 13)) >>> 0) / 2 ** 32;
};

function paint(width: number, height: number, toValue: Paint): Picture {
  const rgba = new Uint8Array(width * height * 4);
  for (let i = 0; i < width * height; i += 1) {
    for (let channel = 0; channel < 3; channel += 1) {
      rgba[i * 4 + channel] = toValue(i % width, Math.floor(i / width), channel);
    }
    rgba[i * 4 + 3] = 255;
  }
  return { width, height, rgba };
}

const paints: Readonly<Record<string, Paint>> = {
  noise: (x, y, channel) => 256 * hash(x, y, channel),
  gradients: (x, y, channel) => [x, y, x + y][channel]!,
  parcels: (x, y, channel) => 60 + 130 * hash(x >> 5, y >> 5, channel) + 12 * hash(x, y, channel),
  letters: (x, y) => (hash(x >> 1, y >> 2) > 0.8 ? 0 : 255),
  black: () => 0,
};
const colors = ['4:2:0', '4:4:4', 'grey'] as const;

async function assertAsSharp(picture: Picture, options: Options): Promise<void> {
  const [ours, theirs] = [encode(picture, options), await encodeBySharp(picture, options)];
  const { width, height } = picture;
  const name = `${width} × ${height}, ${JSON.stringify(options)}`;
  assert.ok(Buffer.from(ours.subarray(2 + JFIF_BYTES)).equals(theirs.subarray(2)), name);
  const { info } = await decode(ours);
  assert.deepEqual([info.width, info.height], [width, height], name);
}

test('tiles equal the bytes of libjpeg, whatever they show', async () => {
  for (const toValue of Object.values(paints)) {
    for (const quality of [1, 50, 85, 100]) await assertAsSharp(paint(256, 256, toValue), { quality });
  }
});

test('colour at full resolution and grey equal the bytes of libjpeg', async () => {
  for (const color of ['4:4:4', 'grey'] as const) {
    for (const toValue of Object.values(paints)) {
      // In a grey picture all channels are equal: what grey is of a coloured one, sharp decides otherwise.
      const picture = paint(120, 72, (x, y, channel) => toValue(x, y, color === 'grey' ? 0 : channel));
      await assertAsSharp(picture, { color });
    }
  }
});

test('any size equals the bytes of libjpeg, also where blocks extend over the edge', async () => {
  const sides = fc.integer({ min: 1, max: 50 });
  await fc.assert(
    fc.asyncProperty(
      ...[sides, sides, fc.integer({ min: 1, max: 100 }), fc.constantFrom(...colors)],
      async (width, height, quality, color) => {
        const grey: Paint = (x, y) => 256 * hash(x >> 1, y >> 2, 5);
        await assertAsSharp(paint(width, height, color === 'grey' ? grey : paints.parcels!), {
          quality,
          color,
        });
      },
    ),
    { numRuns: casesOf(150), seed: 3 },
  );
  for (const [width, height] of [
    [1, 1],
    [7, 9],
    [15, 17],
    [4096, 3],
    [3, 4096],
  ] as const) {
    await assertAsSharp(paint(width, height, paints.noise!), {});
  }
});

test('a picture in several pieces equals the bytes of libjpeg', async () => {
  // 1 MiB is the worst of 22 rows of units at this width: two pieces of whole rows and one of fewer.
  await assertAsSharp(paint(304, 900, paints.noise!), { quality: 97 });
  await assertAsSharp(paint(12_000, 40, paints.parcels!), {});
});

test('flat pictures decode exactly, and transparent ones black', async () => {
  for (const grey of [0, 1, 77, 128, 254, 255]) {
    const { data } = await decode(
      encode(
        paint(40, 24, () => grey),
        { quality: 100 },
      ),
    );
    assert.ok(data.every((value) => value === grey));
  }
  const { data } = await decode(encode({ width: 20, height: 20, rgba: new Uint8Array(1600) }));
  assert.ok(data.every((value) => value === 0));
});

test('decoded values are close to the originals', async () => {
  const picture = paint(256, 256, paints.parcels!);
  const { data } = await decode(encode(picture, { quality: 100, color: '4:4:4' }));
  let worst = 0;
  for (let i = 0; i < 256 * 256 * 3; i += 1) {
    worst = Math.max(worst, Math.abs(data[i]! - picture.rgba[Math.floor(i / 3) * 4 + (i % 3)]!));
  }
  assert.ok(worst <= 4, `worst difference ${worst}`);
});

test('alpha changes nothing, and bytes can be moved to another thread', () => {
  const picture = paint(33, 21, paints.noise!);
  const bytes = encode(picture);
  const rgba = picture.rgba.map((value, i) => (i % 4 === 3 ? i % 251 : value));
  assert.deepEqual(encode({ ...picture, rgba }), bytes);
  const moved = structuredClone(bytes, { transfer: [bytes.buffer] });
  assert.equal(bytes.length, 0);
  assert.equal(moved[0], 0xff);
});

test('bytes are the same on every machine', () => {
  const bytes = encode(paint(250, 131, paints.parcels!));
  assert.equal(
    createHash('sha256').update(bytes).digest('hex'),
    '46319697c1d69c98d336ea4eb14021878cfb25a116193ad98d70451185b26611',
  );
});

test('memory is bounded for any picture size, even for the worst picture', () => {
  let requested = 0;
  const counting: typeof kernels = {
    ...kernels,
    begin: () => {
      const allocate = kernels.begin();
      return (byteLength) => {
        requested += byteLength;
        return allocate(byteLength);
      };
    },
  };
  const [width, height] = [1024, 4096];
  const allocate = counting.begin();
  const rgbaAt = allocate(width * height * 4);
  requested = 0;
  const pixels = new Uint32Array(kernels.buffer(), rgbaAt, width * height);
  // The most expensive picture at this quality: every sample is at one of its ends.
  for (let i = 0; i < pixels.length; i += 1) pixels[i] = hash(i, 1) > 0.5 ? 0xffffff : 0;
  const bytes = encodeJpeg(counting, allocate, { rgbaAt, width, height, quality: 100 });
  assert.ok(requested < 1.1 * 1024 * 1024, `${requested} bytes of work memory`);
  assert.ok(bytes.length > 4 * 1024 * 1024, `${bytes.length} bytes`);
});

test('sizes and qualities that a JPEG does not support are refused', () => {
  const picture = { rgbaAt: 0, width: 16, height: 16 };
  for (const sides of [{ width: 0 }, { height: 0 }, { width: 65_536 }, { height: Number.NaN }]) {
    const allocate = kernels.begin();
    assert.throws(() => encodeJpeg(kernels, allocate, { ...picture, ...sides }), { code: 'jpeg-size' });
  }
  for (const quality of [0, 101, 1.5, Number.NaN]) {
    const allocate = kernels.begin();
    assert.throws(() => encodeJpeg(kernels, allocate, { ...picture, quality }), { code: 'jpeg-quality' });
  }
});
