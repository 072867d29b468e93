import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { loadKernels } from '../raster/index.ts';
import { encodeJpeg } from './jpeg.ts';
import { encodePng } from './png.ts';
import { encodeWebp } from './sharp.ts';

const kernels = loadKernels();

/** A smooth picture whose left half is transparent. */
function makePicture(width: number, height: number): Uint8Array {
  const rgba = new Uint8Array(width * height * 4);
  for (let i = 0; i < width * height; i += 1) {
    const [x, y] = [i % width, Math.floor(i / width)];
    if (x >= width / 2) rgba.set([(x * 255) / width, (y * 255) / height, 90, 255], i * 4);
  }
  return rgba;
}

const encoders = { png: encodePng, jpeg: encodeJpeg, webp: encodeWebp };

async function encode(format: keyof typeof encoders, rgba: Uint8Array, width: number) {
  const allocate = kernels.begin();
  const rgbaAt = allocate(rgba.length);
  new Uint8Array(kernels.buffer(), rgbaAt, rgba.length).set(rgba);
  const height = rgba.length / 4 / width;
  return encoders[format](kernels, allocate, { rgbaAt, width, height, isOpaque: false });
}

async function decode(bytes: Uint8Array) {
  const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, info, format: (await sharp(bytes).metadata()).format };
}

test('every format is what its name says, with the right size, and equal for equal pictures', async () => {
  const rgba = makePicture(200, 64);
  for (const name of ['png', 'jpeg', 'webp'] as const) {
    const bytes = await encode(name, rgba, 200);
    assert.deepEqual(bytes, await encode(name, rgba, 200));
    const { info, format } = await decode(bytes);
    assert.equal(format, name);
    assert.deepEqual([info.width, info.height], [200, 64]);
  }
});

test('encoded pictures can be moved to another thread', async () => {
  for (const name of ['png', 'jpeg', 'webp'] as const) {
    const bytes = await encode(name, makePicture(64, 64), 64);
    const moved = structuredClone(bytes, { transfer: [bytes.buffer] });
    assert.ok(moved.length > 100);
    assert.equal(bytes.length, 0);
  }
});

test('PNG is lossless', async () => {
  const rgba = makePicture(256, 256);
  const { data } = await decode(await encode('png', rgba, 256));
  assert.deepEqual(new Uint8Array(data), rgba);
});

test('JPEG is close, and black where the picture is transparent', async () => {
  const rgba = makePicture(256, 256);
  const { data } = await decode(await encode('jpeg', rgba, 256));
  let worst = 0;
  for (let i = 0; i < data.length; i += 1) {
    const [x, isAlpha] = [Math.floor(i / 4) % 256, i % 4 === 3];
    // Ringing next to the sharp edge is JPEG's nature.
    if (isAlpha || Math.abs(x - 128) < 16) continue;
    worst = Math.max(worst, Math.abs((data[i] as number) - (rgba[i] as number)));
  }
  assert.ok(worst <= 8, `worst difference ${worst}`);
});

test('WebP preserves transparency', async () => {
  const { data } = await decode(await encode('webp', makePicture(256, 256), 256));
  assert.equal(data[3], 0);
  assert.equal(data[255 * 4 + 3], 255);
});
