import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { isSwathError } from '../../errors.ts';
import type { PixelArray, PixelType } from '../../raster/index.ts';
import { makePixels } from '../../raster/index.ts';
import { casesOf } from '../../testing/test-size.ts';
import { makeMemorySource } from '../testing/memory-source.ts';
import { readBands } from '../tiff/testing/read-band.ts';
import { openTiff } from '../tiff/tiff-reader.ts';
import { createCog } from './cog-writer.ts';
import type { CogOptions } from './plan-cog.ts';
import { withFolder, writeCogBytes } from './testing/write-cog.ts';

const base: CogOptions = {
  width: 70,
  height: 50,
  bandCount: 2,
  type: 'uint16',
  epsg: 32631,
  transform: [600_000, 10, 0, 5_100_000, 0, -10],
  nodata: null,
  compression: 'deflate',
  predictor: 1,
  blockSize: 32,
};

/** Arbitrary pixels that use all bits. */
function noise({ width, height, bandCount, type }: CogOptions, seed = 1): PixelArray[] {
  let state = seed;
  return Array.from({ length: bandCount }, () => {
    const pixels = makePixels(type, width * height);
    for (let i = 0; i < pixels.length; i++) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) | 0;
      pixels[i] = type === 'float32' ? state * 1e-3 : state >>> 8;
    }
    return pixels;
  });
}

const isCode = (code: string) => (error: unknown) => isSwathError(error) && error.code === code;

const predictors: Readonly<Record<PixelType, readonly (1 | 2 | 3)[]>> = {
  uint8: [1, 2],
  uint16: [1, 2],
  int16: [1, 2],
  float32: [1, 3],
};

for (const type of ['uint8', 'uint16', 'int16', 'float32'] as const) {
  for (const compression of ['none', 'deflate', 'steady-deflate', 'zstd'] as const) {
    for (const predictor of compression === 'none' ? ([1] as const) : predictors[type]) {
      for (const interleave of ['pixel', 'band'] as const) {
        test(`${type}, ${compression}, predictor ${predictor}, by ${interleave}: a written file reads back the same`, async () => {
          const options = { ...base, type, compression, predictor, interleave };
          const bands = noise(options);
          const tiff = await openTiff(makeMemorySource(await writeCogBytes(options, bands)));
          const [main] = tiff.images;
          assert.deepEqual(await readBands(tiff, main), bands);
          const { width, height, bandCount, epsg, transform } = base;
          assert.deepEqual(
            [main.width, main.height, main.bandCount, tiff.epsg, tiff.transform, tiff.nodata],
            [width, height, bandCount, epsg, transform, null],
          );
          assert.deepEqual(
            [main.type, main.compression, main.predictor, main.interleave, main.blockWidth],
            [type, compression.replace('steady-', ''), predictor, interleave, 32],
          );
        });
      }
    }
  }
}

test('an image of any size, written in any portions of rows, reads back unchanged', async () => {
  const sizes = fc.record({
    width: fc.integer({ min: 1, max: 90 }),
    height: fc.integer({ min: 1, max: 90 }),
    bandCount: fc.integer({ min: 1, max: 4 }),
    type: fc.constantFrom<PixelType>('uint8', 'uint16', 'int16', 'float32'),
    blockSize: fc.constantFrom(16, 32, 64),
    interleave: fc.constantFrom<'pixel' | 'band'>('pixel', 'band'),
    bigTiff: fc.constantFrom<'yes' | 'no'>('yes', 'no'),
  });
  await fc.assert(
    fc.asyncProperty(sizes, fc.integer({ min: 1, max: 100 }), async (size, rowsAtOnce) => {
      const options = { ...base, ...size };
      const bands = noise(options, rowsAtOnce);
      const bytes = await writeCogBytes(options, bands, rowsAtOnce);
      assert.deepEqual(
        Buffer.from(await writeCogBytes(options, bands, 1)),
        Buffer.from(bytes),
        'equal bytes',
      );
      const tiff = await openTiff(makeMemorySource(bytes));
      assert.equal(tiff.bigTiff, size.bigTiff === 'yes');
      assert.deepEqual(await readBands(tiff, tiff.images[0]), bands);
      const last = tiff.images.at(-1)!;
      assert.ok(last.width <= size.blockSize && last.height <= size.blockSize);
    }),
    { numRuns: casesOf(40) },
  );
});

test('overviews are smaller copies, and finish returns their sizes and the file size', async () => {
  await withFolder(async (folder) => {
    const path = join(folder, 'image.tif');
    const options = { ...base, bandCount: 1, nodata: 7, overviewMethod: 'nearest' } as const;
    const cog = await createCog(path, options);
    await cog.writeRows([new Uint16Array(70 * 50).fill(3)], 50);
    const { size, overviews } = await cog.finish();
    assert.deepEqual(overviews, [
      { width: 35, height: 25 },
      { width: 18, height: 13 },
    ]);
    const bytes = await readFile(path);
    assert.equal(size, bytes.length);
    assert.deepEqual(await readdir(folder), ['image.tif']);
    const tiff = await openTiff(makeMemorySource(bytes));
    assert.equal(tiff.nodata, 7);
    for (const image of tiff.images) {
      assert.ok((await readBands(tiff, image))[0]!.every((pixel) => pixel === 3));
    }
  });
});

test('colour model, opacity and band metadata are written to the file', async () => {
  const bands = [{ description: 'red' }, { scale: 0.5 }, { offset: 4, unit: 'ft' }, {}];
  const options = { ...base, type: 'uint8', bandCount: 4, photometric: 'rgb', alpha: true, bands } as const;
  const bytes = await writeCogBytes(options, noise(options));
  const tiff = await openTiff(makeMemorySource(bytes));
  assert.deepEqual(tiff.bands, [
    { description: 'red', scale: 1, offset: 0, unit: null },
    { description: null, scale: 0.5, offset: 0, unit: null },
    { description: null, scale: 1, offset: 4, unit: 'ft' },
    { description: null, scale: 1, offset: 0, unit: null },
  ]);
});

test('flat padding rows below a small image take few bytes, and are not part of it', async () => {
  const sizes: number[] = [];
  for (const padding of ['row', 'flat'] as const) {
    const options = {
      ...base,
      blockSize: 256,
      compression: 'steady-deflate',
      predictor: 2,
      padding,
    } as const;
    const bands = noise(options);
    const bytes = await writeCogBytes(options, bands);
    const tiff = await openTiff(makeMemorySource(bytes));
    assert.deepEqual(await readBands(tiff, tiff.images[0]), bands);
    sizes.push(bytes.length);
  }
  assert.ok(sizes[1]! < sizes[0]! / 2, `${sizes}`);
});

test('the file appears only with finish, and replaces an existing one', async () => {
  await withFolder(async (folder) => {
    const path = join(folder, 'image.tif');
    await writeFile(path, 'old');
    const cog = await createCog(path, base);
    await cog.writeRows(noise(base), 50);
    assert.equal(await readFile(path, 'utf8'), 'old');
    await cog.finish();
    assert.notEqual(await readFile(path, 'utf8'), 'old');
  });
});

test('rows that do not fit are refused and change nothing', async () => {
  await withFolder(async (folder) => {
    const cog = await createCog(join(folder, 'image.tif'), base);
    const row = new Uint16Array(70);
    await cog.writeRows([row, row], 1);
    for (const [bands, rows, code] of [
      [[row], 1, 'bad-band-count'],
      [[row, row, row], 1, 'bad-band-count'],
      [[row, new Int16Array(70)], 1, 'bad-pixel-array'],
      [[row, new Uint16Array(69)], 1, 'bad-pixel-array'],
      [[row, row], 2, 'bad-pixel-array'],
      [[row, row], -1, 'bad-row-count'],
      [[row, row], 0.5, 'bad-row-count'],
      [[new Uint16Array(70 * 50), new Uint16Array(70 * 50)], 50, 'bad-row-count'],
    ] as const) {
      await assert.rejects(cog.writeRows(bands, rows), isCode(code));
    }
    await assert.rejects(cog.finish(), isCode('cog-incomplete'));
    await cog.writeRows([new Uint16Array(70 * 49), new Uint16Array(70 * 49)], 49);
    await cog.finish();
    await assert.rejects(cog.writeRows([row, row], 1), isCode('cog-closed'));
    await assert.rejects(cog.finish(), isCode('cog-closed'));
    await cog.abort();
    assert.deepEqual(await readdir(folder), ['image.tif']);
  });
});

test('concurrent calls are refused', async () => {
  await withFolder(async (folder) => {
    const cog = await createCog(join(folder, 'image.tif'), base);
    const first = cog.writeRows(noise(base), 50);
    await assert.rejects(cog.writeRows(noise(base), 50), isCode('cog-busy'));
    await first;
    const finishing = cog.finish();
    await assert.rejects(cog.finish(), isCode('cog-busy'));
    await finishing;
  });
});

test('abort leaves nothing behind, before, between and during calls', async () => {
  await withFolder(async (folder) => {
    const path = join(folder, 'image.tif');
    const untouched = await createCog(path, base);
    await untouched.abort();
    await untouched.abort();

    const between = await createCog(path, base);
    await between.writeRows(noise(base), 50);
    await between.abort();
    await assert.rejects(between.finish(), isCode('cog-closed'));

    const during = await createCog(path, base);
    const writing = assert.rejects(during.writeRows(noise(base), 50), isCode('cog-aborted'));
    await during.abort();
    await writing;

    const finishing = await createCog(path, base);
    await finishing.writeRows(noise(base), 50);
    const finished = assert.rejects(finishing.finish(), isCode('cog-aborted'));
    await finishing.abort();
    await finished;
    assert.deepEqual(await readdir(folder), []);
  });
});

test('a missing folder is a failed write that names no path', async () => {
  await withFolder(async (folder) => {
    await assert.rejects(createCog(join(folder, 'gone', 'image.tif'), base), (error) => {
      assert.ok(isSwathError(error));
      assert.equal(error.code, 'write-failed');
      assert.ok(!error.message.includes(folder));
      assert.equal((error.cause as NodeJS.ErrnoException).code, 'ENOENT');
      return true;
    });
  });
});
