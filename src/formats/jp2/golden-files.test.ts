import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { PixelArray } from '../../raster/index.ts';
import { makeMemorySource } from '../testing/memory-source.ts';
import { makeJp2Decoder } from './openjpeg.ts';
import { openJp2 } from './reader/jp2-reader.ts';
import { readJp2Tile } from './reader/tile-reader.ts';
import { readLevel } from './testing/read-level.ts';
import { makeTinyJp2 } from './testing/tiny-jp2.ts';

/** What GDAL read from the files that it made: see test/oracle/jp2/check-jp2.ts. */
interface Golden {
  readonly file: string;
  readonly type: string;
  readonly bandCount: number;
  readonly epsg: number | null;
  readonly transform: readonly number[] | null;
  readonly levels: readonly { readonly width: number; readonly height: number; readonly sha256: string }[];
}

const folder = new URL('../../../test/golden/jp2/', import.meta.url);
const manifest: readonly Golden[] = JSON.parse(readFileSync(new URL('manifest.json', folder), 'utf8'));
const decoder = makeJp2Decoder();
const open = (file: string) => openJp2(makeMemorySource(readFileSync(new URL(file, folder))));

/** Of the samples in little-endian order, band after band; every machine that runs the tests has that order. */
function sha256(bands: readonly PixelArray[]): string {
  const hash = createHash('sha256');
  for (const { buffer, byteOffset, byteLength } of bands) {
    hash.update(new Uint8Array(buffer, byteOffset, byteLength));
  }
  return hash.digest('hex');
}

test('the golden set exists, with reduced levels', () => {
  assert.ok(manifest.length >= 9);
  assert.ok(manifest.filter(({ levels }) => levels.length > 1).length >= 5);
});

for (const golden of manifest) {
  test(`${golden.file} reads as GDAL reads it, at every level GDAL offers`, async () => {
    const jp2 = await open(golden.file);
    assert.equal(jp2.type, golden.type);
    assert.equal(jp2.bandCount, golden.bandCount);
    assert.equal(jp2.epsg, golden.epsg);
    if (golden.transform === null) assert.equal(jp2.transform, null);
    else {
      // GML holds decimal digits: the last of them may differ
      golden.transform.forEach((value, i) => {
        assert.ok(
          Math.abs(jp2.transform![i]! - value) <= 1e-9 * Math.max(1, Math.abs(value)),
          `transform ${i}`,
        );
      });
    }
    for (const [level, { width, height, sha256: expected }] of golden.levels.entries()) {
      assert.deepEqual(jp2.levels[level], { width, height });
      assert.equal(sha256(await readLevel(jp2, level, decoder)), expected, `level ${level}`);
    }
  });
}

for (const { file } of manifest) {
  test(`${file}: tiles equal the image decoded at once, at every level`, async () => {
    const codestream = readFileSync(new URL(file, folder));
    const jp2 = await open(file);
    for (const [level, { width, height }] of jp2.levels.entries()) {
      const byteLength = width * height * jp2.bandCount * (jp2.type === 'uint8' ? 1 : 2);
      const whole = await decoder.decode({ ...jp2, codestream, level, byteLength });
      const pixels = jp2.type === 'uint8' ? new Uint8Array(whole) : new Uint16Array(whole);
      const bands = await readLevel(jp2, level, decoder);
      for (const [band, ours] of bands.entries()) {
        const theirs = pixels.filter((_, i) => i % jp2.bandCount === band);
        assert.deepEqual(Buffer.from(ours.buffer), Buffer.from(theirs.buffer), `level ${level} band ${band}`);
      }
    }
  });
}

test('levels that GDAL does not offer have the sizes of the standard', async () => {
  const jp2 = await open('tiles-48-precincts.jp2');
  assert.deepEqual(jp2.levels, [
    { width: 300, height: 210 },
    { width: 150, height: 105 },
    { width: 75, height: 53 },
    { width: 38, height: 27 },
  ]);
  assert.equal(jp2.resolutions, 4);
  // columns 288 to 300 of the last tile: ⌈300 ÷ 8⌉ − ⌈288 ÷ 8⌉ pixels at level 3
  const tile = await readJp2Tile(jp2, { level: 3, column: 6, row: 4 }, { decoder });
  assert.deepEqual([tile.width, tile.height], [2, 3]);
});

test('tiles smaller than a pixel of a level have no pixels there, and the level is still complete', async () => {
  const jp2 = await openJp2(
    makeMemorySource(makeTinyJp2({ width: 24, height: 20, tileSide: 8, decompositions: 4 })),
  );
  // columns 8 to 16 at level 4: from ⌈½⌉ to 1
  const tile = await readJp2Tile(jp2, { level: 4, column: 1, row: 0 }, { decoder });
  assert.deepEqual([tile.width, tile.height, tile.pixels.length], [0, 1, 0]);
  for (const [level, { width, height }] of jp2.levels.entries()) {
    const [band] = await readLevel(jp2, level, decoder);
    assert.deepEqual(band, new Uint8Array(width * height).fill(128), `level ${level}`);
  }
});

test('opening reads only headers, and a tile only its own bytes', async () => {
  const bytes = readFileSync(new URL('nbits-15.jp2', folder));
  const source = makeMemorySource(bytes);
  const jp2 = await openJp2(source);
  assert.ok(source.reads.length <= 3, `${source.reads.length} reads`);
  const before = source.reads.length;
  await readJp2Tile(jp2, { level: 1, column: 2, row: 1 }, { decoder });
  const parts = jp2.tileParts[jp2.tilesAcross + 2]!;
  assert.deepEqual(
    source.reads.slice(before),
    parts.map(({ offset, length }) => [offset, length]),
  );
});

test('positions outside the image are refused, and aborted reads return nothing', async () => {
  const jp2 = await open('tiny.jp2');
  for (const position of [
    { level: 2, column: 0, row: 0 },
    { level: 0, column: 2, row: 0 },
    { level: 0, column: 0, row: -1 },
    { level: 0.5, column: 0, row: 0 },
  ]) {
    await assert.rejects(readJp2Tile(jp2, position, { decoder }), { code: 'bad-block' });
  }
  const signal = AbortSignal.abort();
  await assert.rejects(readJp2Tile(jp2, { level: 0, column: 0, row: 0 }, { decoder, signal }));
});

test('tiles decoded concurrently do not disturb each other, and nothing is printed', async (t) => {
  const log = t.mock.method(console, 'log', () => {});
  const jp2 = await open('uint16-tiles-32.jp2');
  const position = (column: number) => ({ level: 0, column, row: 0 });
  const fresh = makeJp2Decoder();
  const together = await Promise.all(
    [0, 1, 2, 3].map((c) => readJp2Tile(jp2, position(c), { decoder: fresh })),
  );
  for (const [column, tile] of together.entries()) {
    assert.deepEqual(tile, await readJp2Tile(jp2, position(column), { decoder }));
  }
  assert.equal(log.mock.callCount(), 0);
});
