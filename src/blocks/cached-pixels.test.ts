import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BlockImage } from '../formats/block-file/index.ts';
import { toBlockNumber } from '../formats/tiff/index.ts';
import { makePixels } from '../raster/index.ts';
import { joinBlockCache, makeBlockCache } from './cache/block-cache.ts';
import { toFileKey } from './cache/cached-block.ts';
import { makeCachedPixels } from './cached-pixels.ts';
import type { WindowRequest } from './image-files.ts';

const image: BlockImage = {
  width: 70,
  height: 50,
  blockWidth: 32,
  blockHeight: 32,
  blocksAcross: 3,
  blocksDown: 2,
  bandCount: 2,
  type: 'uint16',
  interleave: 'pixel',
};
const key = toFileKey(['1', 'a.tif', 'v']);
const request = (x: number, y: number, bandIndex = 0, nodata: number | null = null): WindowRequest => ({
  band: 'B04',
  href: 'a.tif',
  bandIndex,
  nodata,
  record: { name: 'scene', version: '1' },
  read: { level: 0, window: { x, y, width: 1, height: 1 } },
});
const sampleAt = (x: number, y: number, band: number): number => 1000 * y + 10 * x + band;

/** The pixels of an image of which one block is cached, from its top to a row. */
function openPixels(
  { column, row }: { readonly column: number; readonly row: number },
  rowsReady = 32,
  mask = false,
) {
  const cache = joinBlockCache(makeBlockCache(2 ** 20).handle, 0);
  const { blockWidth: width } = image;
  const height = Math.min(32, image.height - 32 * row);
  const pixels = makePixels('uint16', width * height * 2);
  for (const i of pixels.keys()) {
    const at = Math.floor(i / 2);
    pixels[i] = sampleAt(32 * column + (at % width), 32 * row + Math.floor(at / width), i % 2);
  }
  const block = { width, height, firstBand: 0, bandCount: 2, type: 'uint16' as const, pixels };
  const number = toBlockNumber(image, { band: 0, column, row });
  const odd = new Uint8Array(width * height).map((_, i) => i % 2);
  cache.store(
    { file: key, level: 0, number },
    { block, mask: mask ? odd : null, rowsReady: Math.min(rowsReady, height), resume: [0, 0, 0, 0] },
  );
  const found = makeCachedPixels(cache);
  found.learn(request(0, 0), { key, image });
  return found;
}

test('a pixel of a cached block is the sample of its band', () => {
  const pixels = openPixels({ column: 1, row: 1 });
  for (const [x, y] of [
    [32, 32],
    [63, 49],
    [40, 41],
  ] as const)
    for (const band of [0, 1]) assert.equal(pixels.find(request(x, y, band)), sampleAt(x, y, band));
});

test('an empty pixel is null: it equals nodata, or the mask of the file leaves it out', () => {
  const pixels = openPixels({ column: 0, row: 0 }, 32, true);
  assert.equal(pixels.find(request(3, 2)), sampleAt(3, 2, 0));
  assert.equal(pixels.find(request(4, 2)), null);
  assert.equal(pixels.find(request(3, 2, 0, sampleAt(3, 2, 0))), null);
});

test('what is not decoded, not in the image or of an unknown file is not found', () => {
  const pixels = openPixels({ column: 0, row: 0 }, 8);
  assert.equal(pixels.find(request(0, 7)), sampleAt(0, 7, 0));
  assert.equal(pixels.find(request(0, 8)), undefined);
  assert.equal(pixels.find(request(40, 7)), undefined);
  for (const outside of [request(70, 0), request(0, 50), request(0, 0, 2)])
    assert.equal(pixels.find(outside), undefined);
  const newer = { ...request(0, 7), record: { name: 'scene', version: '2' } };
  assert.ok(pixels.knows(request(0, 7)) && !pixels.knows(newer));
  assert.equal(pixels.find(newer), undefined);
});
