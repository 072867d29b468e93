import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { isSwathError } from '../../errors.ts';
import type { PixelArray, PixelType } from '../../raster/index.ts';
import { makePixels } from '../../raster/index.ts';
import { casesOf } from '../../testing/test-size.ts';
import { transferOf } from './encode-block.ts';
import { encodeCogPart, encodeCogTop } from './encode-part.ts';
import type { PartedCog } from './parted-cog.ts';
import { createPartedCog, makeTopPixels, planCogParts } from './parted-cog.ts';
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
  blockSize: 16,
};

/** Arbitrary pixels, a third of them holes. */
function speckle({ width, height, bandCount, type, nodata }: CogOptions, seed: number): PixelArray[] {
  let state = seed;
  return Array.from({ length: bandCount }, () => {
    const pixels = makePixels(type, width * height);
    for (let i = 0; i < pixels.length; i++) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) | 0;
      const isHole = (state >>> 16) % 3 === 0;
      pixels[i] = isHole ? (nodata ?? Number.NaN) : type === 'float32' ? state * 1e-3 : state >>> 8;
    }
    return pixels;
  });
}

/** Encodes all parts in an arbitrary order and puts the file together. */
async function writeParts(
  path: string,
  cog: PartedCog,
  bands: readonly PixelArray[],
  order: (count: number) => number[],
  roomBytes: number,
): Promise<void> {
  const { plan, parts } = cog;
  const file = createPartedCog(path, cog);
  const top = makeTopPixels(cog);
  for (const index of order(parts.length)) {
    const part = parts[index]!;
    const blocks = await encodeCogPart(
      cog,
      part,
      {
        readWindow: ({ x, y, width, height }) =>
          bands.slice(part.firstBand, part.firstBand + part.bandCount).map((band) => {
            const pixels = makePixels(plan.type, width * height);
            for (let row = 0; row < height; row++) {
              const from = (y + row) * plan.width + x;
              pixels.set(band.subarray(from, from + width), row * width);
            }
            return pixels;
          }),
        checkWanted() {},
      },
      top,
      roomBytes === 0 ? null : new SharedArrayBuffer(roomBytes),
    );
    // Moved, as a thread of the pool moves them.
    await file.add(structuredClone(blocks, { transfer: transferOf(blocks) }));
  }
  if (top !== null) await file.add(encodeCogTop(cog, top, () => {}));
  await file.finish();
}

const reversed = (count: number) => Array.from({ length: count }, (_, i) => count - 1 - i);

test('parts in any order make the same bytes as rows from top to bottom', async () => {
  const images = fc.record({
    width: fc.integer({ min: 1, max: 110 }),
    height: fc.integer({ min: 1, max: 110 }),
    bandCount: fc.integer({ min: 1, max: 3 }),
    type: fc.constantFrom<PixelType>('uint8', 'uint16', 'int16', 'float32'),
    interleave: fc.constantFrom<'pixel' | 'band'>('pixel', 'band'),
    methods: fc.array(fc.constantFrom<'average' | 'nearest'>('average', 'nearest'), {
      minLength: 3,
      maxLength: 3,
    }),
    nodata: fc.constantFrom(null, 0, 7),
    padding: fc.constantFrom<'row' | 'flat'>('row', 'flat'),
    isPredicted: fc.boolean(),
    compression: fc.constantFrom<CogOptions['compression']>('none', 'deflate', 'steady-deflate'),
    blocksAPart: fc.constantFrom(1, 2, 4),
    isApart: fc.boolean(),
    // None, room for the first blocks of a part, and for all of them.
    roomBytes: fc.constantFrom(0, 2_000, 100_000),
  });
  await fc.assert(
    fc.asyncProperty(
      images,
      fc.nat(),
      async ({ isPredicted, blocksAPart, isApart, roomBytes, methods, ...image }, seed) => {
        const options: CogOptions = {
          ...base,
          ...image,
          overviewMethod: methods.slice(0, image.bandCount),
          predictor: !isPredicted || image.compression === 'none' ? 1 : image.type === 'float32' ? 3 : 2,
          isDurable: false,
        };
        const bands = speckle(options, seed);
        const cog = planCogParts(options, {
          partSize: 16 * blocksAPart,
          bandsApart: isApart && image.bandCount > 1 && image.interleave === 'band',
        });
        assert.deepEqual(JSON.parse(JSON.stringify(cog)), cog, 'a plan is plain JSON');
        await withFolder(async (folder) => {
          const path = join(folder, 'image.tif');
          await writeParts(path, cog, bands, reversed, roomBytes);
          assert.deepEqual(await readFile(path), Buffer.from(await writeCogBytes(options, bands)));
          assert.deepEqual(await readdir(folder), ['image.tif']);
        });
      },
    ),
    { numRuns: casesOf(100) },
  );
});

test('the size of parts follows the size of the image', () => {
  const sideOf = (options: Partial<CogOptions>, isApart = false) => {
    const { parts } = planCogParts(
      { ...base, blockSize: 512, type: 'float32', bandCount: 1, ...options },
      { bandsApart: isApart },
    );
    return [parts[0]!.levels[0]!.own.columns.end, parts.length];
  };
  assert.deepEqual(sideOf({ width: 500, height: 400 }), [500, 1]);
  assert.deepEqual(sideOf({ width: 10_980, height: 10_980 }), [2_048, 36]);
  const thirteen = {
    width: 10_980,
    height: 10_980,
    bandCount: 13,
    interleave: 'band',
    type: 'uint16',
  } as const;
  assert.deepEqual(sideOf(thirteen, true), [4_096, 9 * 13]);
});

test('impossible divisions are refused', () => {
  const isCode = (code: string) => (error: unknown) => isSwathError(error) && error.code === code;
  for (const partSize of [8, 48, 16 * 128]) {
    assert.throws(() => planCogParts(base, { partSize }), isCode('bad-part-size'));
  }
  assert.throws(() => planCogParts(base, { bandsApart: true }), isCode('bad-parts'));
});

test('an image with missing parts cannot be finished, and aborting it leaves nothing', async () => {
  await withFolder(async (folder) => {
    const file = createPartedCog(join(folder, 'image.tif'), planCogParts(base));
    await assert.rejects(file.finish(), (error) => isSwathError(error) && error.code === 'cog-incomplete');
    await file.abort();
    await file.abort();
    assert.deepEqual(await readdir(folder), []);
  });
});
