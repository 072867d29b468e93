import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isSwathError } from '../../errors.ts';
import { makeMemorySource } from '../testing/memory-source.ts';
import { readBands } from './testing/read-band.ts';
import { openTiff } from './tiff-reader.ts';

/** What GDAL read from the files that it made: see test/oracle/tiff/make_golden.py. */
interface Golden {
  readonly file: string;
  readonly type: string;
  readonly bandCount: number;
  readonly compression: string;
  readonly interleave: string;
  readonly epsg: number | null;
  readonly transform: readonly number[] | null;
  readonly nodata: number | 'nan' | null;
  readonly bands: readonly { description: string | null; scale: number; offset: number }[];
  readonly images: readonly { width: number; height: number; block: [number, number]; sha256: string }[];
}

const folder = new URL('../../../test/golden/tiff/', import.meta.url);
const manifest: { good: readonly Golden[]; refused: readonly { file: string; code: string }[] } = JSON.parse(
  readFileSync(new URL('manifest.json', folder), 'utf8'),
);
const open = (file: string) => openTiff(makeMemorySource(readFileSync(new URL(file, folder))));

/** Of the samples in little-endian order, band after band; every machine that runs the tests has that order. */
async function sha256(bands: readonly { buffer: ArrayBufferLike; byteOffset: number; byteLength: number }[]) {
  const hash = createHash('sha256');
  for (const { buffer, byteOffset, byteLength } of bands)
    hash.update(new Uint8Array(buffer, byteOffset, byteLength));
  return hash.digest('hex');
}

test('the golden set exists', () => {
  assert.ok(manifest.good.length >= 44);
  assert.ok(manifest.refused.length >= 3);
});

for (const golden of manifest.good) {
  test(`${golden.file} reads as GDAL reads it`, async () => {
    const tiff = await open(golden.file);
    const [main] = tiff.images;
    assert.equal(main.type, golden.type);
    assert.equal(main.bandCount, golden.bandCount);
    assert.equal(main.compression, golden.compression.toLowerCase());
    // GDAL calls one band BAND, whatever the tag says
    if (golden.bandCount > 1) assert.equal(main.interleave, golden.interleave.toLowerCase());
    assert.equal(tiff.epsg, golden.epsg);
    assert.deepEqual(tiff.transform, golden.transform);
    assert.deepEqual(tiff.nodata, golden.nodata === 'nan' ? Number.NaN : golden.nodata);
    // No file of the set states a unit.
    assert.deepEqual(
      tiff.bands,
      golden.bands.map((band) => ({ ...band, unit: null })),
    );
    const found = await Promise.all(
      tiff.images.map(async (image) => ({
        width: image.width,
        height: image.height,
        block: [image.blockWidth, image.blockHeight],
        sha256: await sha256(await readBands(tiff, image)),
      })),
    );
    assert.deepEqual(found, golden.images);
  });
}

for (const { file, code } of manifest.refused) {
  test(`${file} is refused as unsupported, by name`, async () => {
    await assert.rejects(
      open(file),
      (error) => isSwathError(error) && error.tag === 'unsupported' && error.code === code,
    );
  });
}

test('the mask of a file is separate from its overviews', async () => {
  const tiff = await open('internal-mask.tif');
  assert.equal(tiff.images.length, 2);
  assert.deepEqual(
    tiff.masks.map(({ width, height, bits }) => [width, height, bits]),
    [
      [70, 50, 1],
      [35, 25, 1],
    ],
  );
});

test('a COG of common size opens with one read', async () => {
  const source = makeMemorySource(readFileSync(new URL('gdal-cog.tif', folder)));
  await openTiff(source);
  assert.equal(source.reads.length, 1);
});
