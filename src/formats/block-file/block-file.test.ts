import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { PixelArray } from '../../raster/index.ts';
import { makePixels } from '../../raster/index.ts';
import type { ByteSource } from '../../sources/index.ts';
import { makeJp2Decoder } from '../jp2/openjpeg.ts';
import { openJp2 } from '../jp2/reader/jp2-reader.ts';
import { readLevel } from '../jp2/testing/read-level.ts';
import { makeLongParts } from '../jp2/testing/tiny-jp2.ts';
import { makeMemorySource } from '../testing/memory-source.ts';
import { toBandPixels, toBlockNumber } from '../tiff/blocks/block-reader.ts';
import { readBand } from '../tiff/testing/read-band.ts';
import { openTiff } from '../tiff/tiff-reader.ts';
import type { BlockFile } from './block-file.ts';
import { openBlockFile } from './open-block-file.ts';

const golden = new URL('../../../test/golden/', import.meta.url);
const bytesOf = (file: string) => readFileSync(new URL(file, golden));
const jp2Decoder = makeJp2Decoder();
const open = (bytes: Uint8Array) => openBlockFile(makeMemorySource(bytes), { jp2Decoder });

/** One band of a level, put together as the band reader does: every block at column × width, row × height. */
async function readGrid(file: BlockFile, level: number, band: number): Promise<PixelArray> {
  const image = file.levels[level]!;
  const out = makePixels(image.type, image.width * image.height);
  for (let row = 0; row < image.blocksDown; row++) {
    for (let column = 0; column < image.blocksAcross; column++) {
      const block = await file.readBlock(level, { band, column, row });
      const pixels = toBandPixels(block, band);
      const left = column * image.blockWidth;
      const columns = Math.min(block.width, image.width - left);
      for (let y = 0; y < Math.min(block.height, image.height - row * image.blockHeight); y++) {
        const from = y * block.width;
        out.set(pixels.subarray(from, from + columns), (row * image.blockHeight + y) * image.width + left);
      }
    }
  }
  return out;
}

test('a JPEG 2000 file is a regular grid of blocks at every level', async () => {
  for (const name of [
    'tiles-36.jp2',
    'tiles-48-precincts.jp2',
    'uint16-tiles-32.jp2',
    'tile-parts.j2k',
    'rgb-lossy.jp2',
  ]) {
    const bytes = bytesOf(`jp2/${name}`);
    const [file, jp2] = [await open(bytes), await openJp2(makeMemorySource(bytes))];
    assert.deepEqual([file.epsg, file.transform, file.nodata], [jp2.epsg, jp2.transform, null]);
    assert.equal(file.levels.length, jp2.resolutions);
    for (const [level, image] of file.levels.entries()) {
      assert.ok(image.blocksAcross * image.blockWidth >= image.width);
      assert.ok((image.blocksAcross - 1) * image.blockWidth < image.width);
      const bands = await readLevel(jp2, level, jp2Decoder);
      for (const [band, expected] of bands.entries()) {
        assert.deepEqual(await readGrid(file, level, band), expected, `${name} level ${level} band ${band}`);
      }
    }
  }
});

test('tiles that a level does not halve evenly are grouped', async () => {
  // 36 = 4 × 9: halved twice it is whole, three times only with a neighbour, four times with three
  const file = await open(bytesOf('jp2/tiles-36.jp2'));
  assert.deepEqual(
    file.levels.map(({ width, blockWidth, blocksAcross }) => [width, blockWidth, blocksAcross]),
    [
      [200, 36, 6],
      [100, 18, 6],
      [50, 9, 6],
      [25, 9, 3],
      [13, 9, 2],
    ],
  );
});

/** A file that counts how many of its reads wait at the same time. */
function makeCounted(bytes: Uint8Array) {
  const memory = makeMemorySource(bytes);
  let inFlight = 0;
  let most = 0;
  const source: ByteSource = {
    ...memory,
    async read(offset, length, signal) {
      most = Math.max(most, ++inFlight);
      await new Promise(setImmediate);
      inFlight--;
      return memory.read(offset, length, signal);
    },
  };
  return { source, most: () => most };
}

test('tiles of a block are requested together', async () => {
  const { source, most } = makeCounted(bytesOf('jp2/tiles-36.jp2'));
  const file = await openBlockFile(source, { jp2Decoder });
  await file.readBlock(4, { band: 0, column: 0, row: 0 });
  assert.equal(most(), 16);
});

test('tile-part headers are searched concurrently in a remote file, and one by one in a local one', async () => {
  const countAtOnce = async (isNear: boolean): Promise<number> => {
    const { source, most } = makeCounted(makeLongParts());
    await openBlockFile({ ...source, isNear }, { jp2Decoder });
    return most();
  };
  assert.equal(await countAtOnce(true), 1);
  assert.ok((await countAtOnce(false)) > 4);
});

test('a TIFF is read through the same interface, whatever its name', async () => {
  const bytes = bytesOf('tiff/gdal-cog.tif');
  const [file, tiff] = [await open(bytes), await openTiff(makeMemorySource(bytes))];
  assert.deepEqual([file.epsg, file.transform, file.nodata], [tiff.epsg, tiff.transform, tiff.nodata]);
  assert.equal(file.levels.length, tiff.images.length);
  for (const [level, image] of tiff.images.entries()) {
    assert.deepEqual(await readGrid(file, level, 0), await readBand(tiff, image, 0));
  }
});

test('block numbers differ by position, not by a band that is stored with the others', async () => {
  const file = await open(bytesOf('jp2/rgb-lossy.jp2'));
  const { blocksAcross, blocksDown } = file.levels[0];
  const numbers = new Set<number>();
  for (let row = 0; row < blocksDown; row++) {
    for (let column = 0; column < blocksAcross; column++) {
      numbers.add(toBlockNumber(file.levels[0], { band: 0, column, row }));
      numbers.add(toBlockNumber(file.levels[0], { band: 2, column, row }));
    }
  }
  assert.equal(numbers.size, blocksAcross * blocksDown);
  assert.throws(() => toBlockNumber(file.levels[0], { band: 3, column: 0, row: 0 }), { code: 'bad-block' });
  await assert.rejects(file.readBlock(9, { band: 0, column: 0, row: 0 }), { code: 'no-level' });
});

test('a small file is opened in one read, and the file itself is read for blocks', async () => {
  for (const name of ['jp2/tiles-36.jp2', 'tiff/gdal-cog.tif']) {
    const source = makeMemorySource(bytesOf(name));
    const file = await openBlockFile(source, { jp2Decoder });
    assert.equal(file.source, source);
    assert.deepEqual(source.reads, [[0, source.size]], name);
    await file.readBlock(0, { band: 0, column: 0, row: 0 });
    assert.equal(source.reads.length, 2, name);
  }
});

test('a file that is neither is refused', async () => {
  await assert.rejects(open(Buffer.from('GIF89a, not ours')), { tag: 'source-broken' });
  await assert.rejects(open(new Uint8Array()), { tag: 'source-broken' });
});

test('rows are read in parts where the codec supports it, and all at once elsewhere', async () => {
  const position = { band: 0, column: 0, row: 0 };
  const tiff = await open(bytesOf('tiff/int16-deflate-p2.tif'));
  const whole = await tiff.readBlock(0, position);
  const first = await tiff.readRows(0, position, { rows: 1 });
  assert.equal(first.rowsReady, 1);
  const rest = await tiff.readRows(0, position, { from: first });
  assert.deepEqual([rest.rowsReady, rest.resume, rest.pixels], [whole.height, null, whole.pixels]);

  const jp2 = await open(bytesOf('jp2/tiles-36.jp2'));
  const { rowsReady, resume, pixels } = await jp2.readRows(0, position, { rows: 1 });
  const expected = await jp2.readBlock(0, position);
  assert.deepEqual([rowsReady, resume, pixels], [expected.height, null, expected.pixels]);
});
