import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { encodeJpeg } from './jpeg.ts';
import type { RgbaPicture } from './picture.ts';
import { encodePng } from './png.ts';
import { encodeWebp } from './webp.ts';

/** A smooth picture whose left half is transparent. */
function makePicture(width: number, height: number): RgbaPicture {
  const rgba = new Uint8Array(width * height * 4);
  for (let i = 0; i < width * height; i += 1) {
    const [x, y] = [i % width, Math.floor(i / width)];
    if (x >= width / 2) rgba.set([(x * 255) / width, (y * 255) / height, 90, 255], i * 4);
  }
  return { width, height, rgba };
}

const decode = async (bytes: Uint8Array) => {
  const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, info, format: (await sharp(bytes).metadata()).format };
};

test('PNG keeps every pixel, whatever the shape', async () => {
  for (const [width, height] of [
    [256, 256],
    [1, 1],
    [3, 200],
    [2048, 5],
  ] as const) {
    const picture = makePicture(width, height);
    const { data, info, format } = await decode(encodePng(picture));
    assert.equal(format, 'png');
    assert.deepEqual([info.width, info.height], [width, height]);
    assert.deepEqual(new Uint8Array(data), picture.rgba);
  }
});

test('equal pictures give equal bytes, which can be moved to another thread', async () => {
  const picture = makePicture(64, 64);
  for (const encode of [encodePng, encodeJpeg, encodeWebp]) {
    const bytes = await encode(picture);
    assert.deepEqual(bytes, await encode(picture));
    const moved = structuredClone(bytes, { transfer: [bytes.buffer] });
    assert.ok(moved.length > 100);
    assert.equal(bytes.length, 0);
  }
});

test('JPEG is close, and black where the picture is transparent', async () => {
  const picture = makePicture(256, 256);
  const { data, format } = await decode(await encodeJpeg(picture));
  assert.equal(format, 'jpeg');
  let worst = 0;
  for (let i = 0; i < data.length; i += 1) {
    const [x, isAlpha] = [Math.floor(i / 4) % 256, i % 4 === 3];
    // Ringing next to the sharp edge is JPEG's nature.
    if (isAlpha || Math.abs(x - 128) < 16) continue;
    worst = Math.max(worst, Math.abs((data[i] as number) - (picture.rgba[i] as number)));
  }
  assert.ok(worst <= 8, `worst difference ${worst}`);
});

test('JPEG of any size and place in memory has the colours of its pixels', async () => {
  for (const [width, height, offset] of [
    [1, 1, 0],
    [3, 5, 0],
    [7, 3, 3],
    [16, 16, 4],
  ] as const) {
    // One colour, so that every block of the JPEG is exact: what is left to be wrong is the order of the bytes.
    const rgba = new Uint8Array(offset + width * height * 4).subarray(offset);
    for (let i = 0; i < width * height; i += 1) rgba.set([200, 100, 50, 255], i * 4);
    const { data } = await decode(await encodeJpeg({ width, height, rgba }));
    for (let i = 0; i < data.length; i += 4) {
      const [r, g, b] = [data[i] as number, data[i + 1] as number, data[i + 2] as number];
      assert.ok(Math.abs(r - 200) < 4 && Math.abs(g - 100) < 4 && Math.abs(b - 50) < 4, `${r}, ${g}, ${b}`);
    }
  }
});

test('WebP keeps transparency', async () => {
  const { data, format } = await decode(await encodeWebp(makePicture(256, 256)));
  assert.equal(format, 'webp');
  assert.equal(data[3], 0);
  assert.equal(data[255 * 4 + 3], 255);
});
