import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WebpOptions } from 'sharp';
import sharp from 'sharp';
import { joinWebp } from './webp-container.ts';

const SIZE = { widthPx: 33, heightPx: 20 };
const COLORS = ['#c02020', '#20c020', '#2020c0'];

const makeStill = (color: string, options: WebpOptions = {}): Promise<Buffer> =>
  sharp({ create: { width: SIZE.widthPx, height: SIZE.heightPx, channels: 4, background: color } })
    .webp(options)
    .toBuffer();

/** The colour in the middle of a page of an animation. */
const readColor = async (film: Uint8Array, page: number): Promise<number[]> => {
  const { data, info } = await sharp(film, { page })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  assert.deepEqual([info.width, info.height], [SIZE.widthPx, SIZE.heightPx]);
  const at = (10 * info.width + 16) * 4;
  return [...data.subarray(at, at + 4)];
};

for (const [name, options] of [
  ['lossy', { quality: 80 }],
  ['lossless', { lossless: true }],
] as const) {
  test(`${name} frames become an animation that another program can read`, async () => {
    const stills = await Promise.all(COLORS.map((color) => makeStill(color, options)));
    const film = joinWebp(stills, { ...SIZE, frameMs: 500, isLooping: true });
    const { pages, delay, loop, width, pageHeight, height } = await sharp(film, {
      animated: true,
    }).metadata();
    assert.deepEqual(
      { pages, delay, loop, width, height: pageHeight ?? height },
      { pages: 3, delay: [500, 500, 500], loop: 0, width: 33, height: 20 },
    );
    for (const [page, color] of COLORS.entries()) {
      const expected = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
      const [red = 0, green = 0, blue = 0, alpha] = await readColor(film, page);
      const isClose = [red, green, blue].every((value, i) => Math.abs(value - expected[i]!) < 12);
      assert.ok(isClose && alpha === 255, `page ${page}: ${[red, green, blue, alpha]}`);
    }
  });
}

test('an animation that plays once says so', async () => {
  const film = joinWebp([await makeStill('#c02020'), await makeStill('#20c020')], {
    ...SIZE,
    frameMs: 125,
    isLooping: false,
  });
  const { loop, delay } = await sharp(film, { animated: true }).metadata();
  assert.deepEqual([loop, delay], [1, [125, 125]]);
});

test('a frame that is not a complete WebP file is refused', async () => {
  const options = { ...SIZE, frameMs: 500, isLooping: true };
  const still = await makeStill('#c02020');
  assert.throws(() => joinWebp([new Uint8Array(4)], options), /not a WebP/);
  assert.throws(() => joinWebp([new Uint8Array(40)], options), /not a WebP/);
  assert.throws(() => joinWebp([still.subarray(0, still.length - 9)], options), /cut off/);
  assert.throws(() => joinWebp([still.subarray(0, 12)], options), /no pixels/);
});
