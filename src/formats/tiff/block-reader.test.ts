import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSwathError } from '../../errors.ts';
import { readBlock, toBandPixels, toBlockNumber } from './block-reader.ts';
import type { CogOptions } from './cog-options.ts';
import { makeMemorySource } from './testing/memory-source.ts';
import { writeCogBytes } from './testing/write-cog.ts';
import { openTiff } from './tiff-reader.ts';

const options: CogOptions = {
  width: 40,
  height: 20,
  bandCount: 3,
  type: 'uint8',
  epsg: 32631,
  transform: [600_000, 10, 0, 5_100_000, 0, -10],
  nodata: null,
  compression: 'none',
  predictor: 1,
  blockSize: 16,
};
const bands = [1, 2, 3].map((value) => new Uint8Array(800).fill(value));
const open = async (interleave: 'pixel' | 'band') =>
  openTiff(makeMemorySource(await writeCogBytes({ ...options, interleave }, bands)));

test('bands that are stored together come in one block, decoded once', async () => {
  const tiff = await open('pixel');
  const [image] = tiff.images;
  const place = { band: 2, column: 1, row: 1 };
  const block = await readBlock(tiff, image, place);
  assert.deepEqual([block.width, block.height, block.firstBand, block.bandCount], [16, 16, 0, 3]);
  assert.deepEqual([...block.pixels.subarray(0, 6)], [1, 2, 3, 1, 2, 3]);
  assert.deepEqual(toBandPixels(block, 1), new Uint8Array(256).fill(2));
  assert.equal(toBlockNumber(image, place), toBlockNumber(image, { ...place, band: 0 }));
});

test('bands that are stored apart come one by one', async () => {
  const tiff = await open('band');
  const [image] = tiff.images;
  const block = await readBlock(tiff, image, { band: 2, column: 0, row: 0 });
  assert.deepEqual([block.firstBand, block.bandCount], [2, 1]);
  assert.equal(toBandPixels(block, 2), block.pixels);
  assert.deepEqual(block.pixels, new Uint8Array(256).fill(3));
  assert.throws(
    () => toBandPixels(block, 0),
    (error) => isSwathError(error) && error.code === 'bad-band',
  );
  assert.equal(toBlockNumber(image, { band: 2, column: 1, row: 1 }), 2 * 6 + 3 + 1);
});

test('places outside the image are refused', async () => {
  const tiff = await open('pixel');
  for (const place of [
    { band: 3, column: 0, row: 0 },
    { band: -1, column: 0, row: 0 },
    { band: 0, column: 3, row: 0 },
    { band: 0, column: 0, row: 2 },
    { band: 0, column: 0.5, row: 0 },
    { band: 0, column: Number.NaN, row: 0 },
  ]) {
    await assert.rejects(
      readBlock(tiff, tiff.images[0], place),
      (error) => isSwathError(error) && error.code === 'bad-block',
    );
  }
});

test('one block costs one read of exactly its bytes', async () => {
  const source = makeMemorySource(await writeCogBytes(options, bands));
  const tiff = await openTiff(source);
  const opening = source.reads.length;
  await readBlock(tiff, tiff.images[0], { band: 0, column: 2, row: 1 });
  assert.deepEqual(source.reads.slice(opening), [[tiff.images[0].blockOffsets[5], 768]]);
});

test('an aborted caller gets its reason, not pixels', async () => {
  const tiff = await open('pixel');
  const reason = new Error('gone away');
  await assert.rejects(
    readBlock(tiff, tiff.images[0], { band: 0, column: 0, row: 0 }, AbortSignal.abort(reason)),
    reason,
  );
  await assert.rejects(openTiff(tiff.source, AbortSignal.abort(reason)), reason);
});

test('reading leaves the bytes of the source alone', async () => {
  const bytes = await writeCogBytes({ ...options, compression: 'deflate', predictor: 2 }, bands);
  const copy = Uint8Array.from(bytes);
  const tiff = await openTiff(makeMemorySource(bytes));
  await readBlock(tiff, tiff.images[0], { band: 0, column: 0, row: 0 });
  assert.deepEqual(Uint8Array.from(bytes), copy);
});
