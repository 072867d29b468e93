import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeMemorySource } from '../../testing/memory-source.ts';
import { makeTinyTiff } from '../testing/tiny-tiff.ts';
import { joinOverviews, maskOf, openTiff } from '../tiff-reader.ts';
import { readBlockMask } from './block-mask.ts';
import { readBlock } from './block-reader.ts';

const folder = fileURLToPath(new URL('../../../../test/golden/tiff/reader/', import.meta.url));
const open = (pattern: string) => {
  const [name] = globSync(pattern, { cwd: folder });
  const source = makeMemorySource(readFileSync(folder + name));
  return openTiff(source).then((tiff) => ({ tiff, source }));
};
const corner = { band: 0, column: 0, row: 0 };

test('each level has a mask of its own size', async () => {
  const { tiff } = await open('mask-lzw-*.tif');
  assert.equal(tiff.images.length, 3);
  for (const image of tiff.images) {
    const mask = maskOf(tiff, image)!;
    assert.deepEqual([mask.width, mask.height, mask.bandCount], [image.width, image.height, 1]);
    assert.equal((await readBlockMask(tiff, image, corner))!.length, image.blockWidth * image.blockHeight);
  }
  assert.equal(maskOf(tiff, { ...tiff.images[0], width: 74 }), null);
});

test('a mask with other blocks than its image is assembled from them', async () => {
  const bytes = makeTinyTiff([
    {},
    // a strip of two rows for the image, one of one row for its mask: bits 10 and 01, at the two last of its pixels
    { 254: [4, 1, 4], 258: [3, 1, 1], 278: [4, 1, 1], 273: [3, 2, 0x0b_000a], 279: [3, 2, 0x1_0001] },
  ]);
  bytes.set([0b1000_0000, 0b0100_0000], 10);
  const tiff = await openTiff(makeMemorySource(bytes));
  assert.deepEqual([...(await readBlockMask(tiff, tiff.images[0], corner))!], [1, 0, 0, 1]);
});

test('nodata and alpha mask pixels, and a file without either has no mask', async () => {
  const nodata = await open('nodata-float64-*.tif');
  const mask = await readBlockMask(nodata.tiff, nodata.tiff.images[0], corner);
  assert.ok(mask!.includes(0) && mask!.includes(1));
  const rgba = await open('alpha-band.tif');
  const [image] = rgba.tiff.images;
  assert.equal(image.alphaBand, 3);
  const alpha = await readBlock(rgba.tiff, image, { ...corner, band: 3 });
  const expected = Uint8Array.from(alpha.pixels, (value) => (value === 0 ? 0 : 1));
  assert.deepEqual(await readBlockMask(rgba.tiff, image, corner), expected);
  const plain = await open('uint8-lzw-p1*.tif');
  assert.equal(await readBlockMask(plain.tiff, plain.tiff.images[0], corner), null);
});

test('a block that the caller already has is not read again', async () => {
  const { tiff, source } = await open('alpha-pixel.tif');
  const block = await readBlock(tiff, tiff.images[0], corner);
  const before = source.reads.length;
  const mask = await readBlockMask(tiff, tiff.images[0], corner, { block });
  assert.equal(source.reads.length, before);
  assert.deepEqual(await readBlockMask(tiff, tiff.images[0], corner), mask);
});

test('overviews in a separate file join the levels, with the nodata of the image', async () => {
  const { tiff } = await open('external-overviews-*.tif');
  const sidecar = await open('external-overviews-*.tif.ovr');
  const levels = joinOverviews(tiff, { ...sidecar.tiff, nodata: null });
  assert.deepEqual(
    levels.map(({ image }) => image.width),
    [37, 19, 10],
  );
  assert.ok(levels.every((level) => level.tiff.nodata === -9999 && level.image.emptyValue === -9999));
  assert.equal(joinOverviews(tiff, null).length, 1);
  // of another kind, or in addition to copies inside the file
  assert.equal(joinOverviews(tiff, (await open('uint8-lzw-p1*.tif')).tiff).length, 1);
  const inside = (await open('mask-lzw-*.tif')).tiff;
  assert.equal(joinOverviews(inside, sidecar.tiff).length, inside.images.length);
});
