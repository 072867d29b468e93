import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSwathError } from '../../../errors.ts';
import type { CogOptions } from '../../cog/plan-cog.ts';
import { writeCogBytes } from '../../cog/testing/write-cog.ts';
import { makeMemorySource } from '../../testing/memory-source.ts';
import { openTiff } from '../tiff-reader.ts';
import { readBlock, readRows, toBandPixels, toBlockNumber } from './block-reader.ts';

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

test('interleaved bands are returned in one block, decoded once', async () => {
  const tiff = await open('pixel');
  const [image] = tiff.images;
  const position = { band: 2, column: 1, row: 1 };
  const block = await readBlock(tiff, image, position);
  assert.deepEqual([block.width, block.height, block.firstBand, block.bandCount], [16, 16, 0, 3]);
  assert.deepEqual([...block.pixels.subarray(0, 6)], [1, 2, 3, 1, 2, 3]);
  assert.deepEqual(toBandPixels(block, 1), new Uint8Array(256).fill(2));
  assert.equal(toBlockNumber(image, position), toBlockNumber(image, { ...position, band: 0 }));
});

test('separate bands are returned one by one', async () => {
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

test('positions outside the image are refused', async () => {
  const tiff = await open('pixel');
  for (const position of [
    { band: 3, column: 0, row: 0 },
    { band: -1, column: 0, row: 0 },
    { band: 0, column: 3, row: 0 },
    { band: 0, column: 0, row: 2 },
    { band: 0, column: 0.5, row: 0 },
    { band: 0, column: Number.NaN, row: 0 },
  ]) {
    await assert.rejects(
      readBlock(tiff, tiff.images[0], position),
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

test('reading does not change the bytes of the source', async () => {
  const bytes = await writeCogBytes({ ...options, compression: 'deflate', predictor: 2 }, bands);
  const copy = Uint8Array.from(bytes);
  const tiff = await openTiff(makeMemorySource(bytes));
  await readBlock(tiff, tiff.images[0], { band: 0, column: 0, row: 0 });
  assert.deepEqual(Uint8Array.from(bytes), copy);
});

const striped: CogOptions = {
  ...options,
  bandCount: 1,
  type: 'uint16',
  width: 512,
  height: 512,
  blockSize: 512,
};
const stripes = [new Uint16Array(512 * 512).map((_, i) => (i * 7) ^ (Math.imul(i, 2_654_435_761) >>> 27))];
const position = { band: 0, column: 0, row: 0 };

const heights = [Float32Array.from(stripes[0]!, (pixel) => pixel / 7)];

for (const [predictor, type, planes] of [
  [2, 'uint16', stripes],
  [3, 'float32', heights],
] as const) {
  test(`deflate decodes down to the needed row, and later continues from there: ${type}`, async () => {
    const bytes = await writeCogBytes({ ...striped, type, compression: 'deflate', predictor }, planes);
    const source = makeMemorySource(bytes);
    const tiff = await openTiff(source);
    const [image] = tiff.images;
    const first = await readRows(tiff, image, position, { rows: 300 });
    assert.equal(first.rowsReady, 300);
    assert.deepEqual(first.pixels.subarray(0, 300 * 512), planes[0]!.subarray(0, 300 * 512));
    assert.ok(first.pixels.subarray(300 * 512).every((pixel) => pixel === 0));

    const reads = source.reads.length;
    const same = await readRows(tiff, image, position, { rows: 200, from: first });
    assert.equal(same.rowsReady, 300);
    assert.equal(source.reads.length, reads);

    const whole = await readRows(tiff, image, position, { from: first });
    assert.deepEqual([whole.rowsReady, whole.resume], [512, null]);
    assert.equal(whole.pixels, first.pixels);
    assert.deepEqual(whole.pixels, planes[0]);
    const [offset, length] = source.reads.at(-1)!;
    assert.ok(length < image.blockSizes[0]!);
    assert.equal(offset + length, image.blockOffsets[0]! + image.blockSizes[0]!);
  });
}

test('deflate decodes into given memory', async () => {
  const tiff = await openTiff(
    makeMemorySource(await writeCogBytes({ ...striped, compression: 'deflate', predictor: 2 }, stripes)),
  );
  const pixels = new Uint16Array(new SharedArrayBuffer(512 * 512 * 2));
  const from = { pixels, rowsReady: 0, resume: null };
  const block = await readRows(tiff, tiff.images[0], position, { rows: 512, from });
  assert.equal(block.pixels, pixels);
  assert.deepEqual(Uint16Array.from(pixels), stripes[0]);
});

test('codecs without row support decode all rows', async () => {
  for (const compression of ['none', 'zstd'] as const) {
    const tiff = await openTiff(makeMemorySource(await writeCogBytes({ ...striped, compression }, stripes)));
    const block = await readRows(tiff, tiff.images[0], position, { rows: 1 });
    assert.deepEqual([block.rowsReady, block.resume], [512, null]);
    assert.deepEqual(block.pixels, stripes[0]);
  }
});

test('invalid row counts, and pixels of another block, are refused', async () => {
  const tiff = await openTiff(makeMemorySource(await writeCogBytes(striped, stripes)));
  for (const rows of [0, -1, 1.5, Number.NaN]) {
    await assert.rejects(
      readRows(tiff, tiff.images[0], position, { rows }),
      (error) => isSwathError(error) && error.code === 'bad-rows',
    );
  }
  const from = { pixels: new Uint16Array(7), rowsReady: 0, resume: null };
  await assert.rejects(
    readRows(tiff, tiff.images[0], position, { from }),
    (error) => isSwathError(error) && error.code === 'bad-block-state',
  );
});
