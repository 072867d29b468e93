import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import sharp from 'sharp';
import type { PixelArray } from '../../raster/index.ts';
import { cutOut } from './encode-block.ts';
import { encodeCogPart, encodeCogTop } from './encode-part.ts';
import { createPartedCog, makeTopPixels, planCogParts } from './parted-cog.ts';
import type { CogOptions } from './plan-cog.ts';
import { withFolder, writeCogBytes } from './testing/write-cog.ts';

test('the mean of partly opaque pixels has the colour of the opaque ones, and is opaque if they are at least half', () => {
  // 200, 200, 200 and nothing; 200, 200 and two of nothing; 200 and three of nothing; nothing; all
  const color = Uint8Array.of(150, 100, 50, 0, 200);
  const alpha = Uint8Array.of(191, 128, 64, 0, 255);
  cutOut([color, alpha], 0, 5);
  assert.deepEqual([...color], [200, 199, 0, 0, 200]);
  assert.deepEqual([...alpha], [255, 255, 0, 0, 255]);
});

const [WIDTH, HEIGHT] = [171, 130];
const options: CogOptions = {
  width: WIDTH,
  height: HEIGHT,
  bandCount: 4,
  type: 'uint8',
  nodata: null,
  blockSize: 16,
  epsg: 3857,
  transform: [0, 10, 0, 0, 0, -10],
  compression: 'deflate',
  predictor: 2,
  photometric: 'rgb',
  alpha: 'cut-out',
  isDurable: false,
};

/** One colour, cut out along a slope. */
const bands = [180, 90, 40, 255].map((value) =>
  new Uint8Array(WIDTH * HEIGHT).map((_, i) => ((i % WIDTH) + Math.floor(i / WIDTH) > 100 ? value : 0)),
);

test('smaller copies have no dark edge, made at once or in parts', async () => {
  await withFolder(async (folder) => {
    const cog = planCogParts(options, { partSize: 64 });
    const path = join(folder, 'image.tif');
    const file = createPartedCog(path, cog);
    const top = makeTopPixels(cog);
    const readWindow = ({ x, y, width, height }: { x: number; y: number; width: number; height: number }) =>
      bands.map((band) =>
        new Uint8Array(width * height).map(
          (_, i) => band[(y + Math.floor(i / width)) * WIDTH + x + (i % width)]!,
        ),
      );
    for (const part of cog.parts) {
      await file.add(await encodeCogPart(cog, part, { readWindow, checkWanted() {} }, top));
    }
    await file.add(encodeCogTop(cog, top as readonly PixelArray[], () => {}));
    await file.finish();
    const bytes = await readFile(path);
    assert.deepEqual(bytes, Buffer.from(await writeCogBytes(options, bands)));
    const { pages = 0 } = await sharp(bytes).metadata();
    assert.ok(pages >= 3);
    for (let page = 0; page < pages; page += 1) {
      const rgba = await sharp(bytes, { page }).raw().toBuffer();
      const seen = new Set(Array.from({ length: rgba.length / 4 }, (_, i) => rgba.readUInt32BE(4 * i)));
      for (const pixel of seen) {
        const [red = 0, green = 0, blue = 0, alpha = 0] = [24, 16, 8, 0].map(
          (shift) => (pixel >>> shift) & 255,
        );
        if (alpha === 0) assert.equal(pixel, 0);
        else
          assert.ok(
            alpha === 255 && Math.abs(red - 180) < 4 && Math.abs(green - 90) < 4 && Math.abs(blue - 40) < 4,
          );
      }
      assert.ok(seen.size > 1);
    }
  });
});

test('only bytes that are stored together are cut out', () => {
  for (const more of [{ type: 'uint16' }, { interleave: 'band' }] as const) {
    assert.throws(() => planCogParts({ ...options, ...more }), { code: 'bad-colours' });
  }
});
