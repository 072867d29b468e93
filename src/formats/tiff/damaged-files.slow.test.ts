import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isSwathError } from '../../errors.ts';
import type { PixelArray } from '../../raster/index.ts';
import { runTimed } from '../../testing/run-timed.ts';
import type { CogOptions } from '../cog/plan-cog.ts';
import { writeCogBytes } from '../cog/testing/write-cog.ts';
import { makeMemorySource } from '../testing/memory-source.ts';
import { readBands } from './testing/read-band.ts';
import type { Tiff } from './tiff-reader.ts';
import { openTiff } from './tiff-reader.ts';

const golden = (file: string): Uint8Array =>
  readFileSync(new URL(`../../../test/golden/tiff/${file}`, import.meta.url));

/** Everything in the header that decides what pixels mean, except where blocks lie: those are guarded by checksums. */
function toDescription({ images, nodata }: Tiff): string {
  return JSON.stringify([nodata, images.map(({ blockOffsets: _, blockSizes: __, ...rest }) => rest)]);
}

interface Reading {
  readonly description: string;
  /** Of all images and bands, one after the other. */
  readonly pixels: Buffer;
}

async function readAll(bytes: Uint8Array): Promise<Reading> {
  const tiff = await openTiff(makeMemorySource(bytes));
  const pixels: PixelArray[] = [];
  for (const image of tiff.images) pixels.push(...(await readBands(tiff, image)));
  const bytesOfBands = pixels.map((band) => Buffer.from(band.buffer, band.byteOffset, band.byteLength));
  return { description: toDescription(tiff), pixels: Buffer.concat(bytesOfBands) };
}

/** The reading, or null when the file was refused; anything else than a tagged refusal fails the test. */
async function readOrRefuse(bytes: Uint8Array, what: string): Promise<Reading | null> {
  try {
    return await readAll(bytes);
  } catch (error) {
    const isRefusal = isSwathError(error) && (error.tag === 'source-broken' || error.tag === 'unsupported');
    if (!isRefusal) throw new Error(`${what} is not refused properly`, { cause: error });
    return null;
  }
}

const isSame = (a: Reading, b: Reading): boolean =>
  a.description === b.description && a.pixels.equals(b.pixels);

/** Small files of each kind: classic and BigTIFF, tiles and strips, both byte orders, all codecs and predictors. */
async function makeFiles(): Promise<Map<string, Uint8Array>> {
  const options: CogOptions = {
    width: 20,
    height: 18,
    bandCount: 2,
    type: 'uint16',
    epsg: 32631,
    transform: [600_000, 10, 0, 5_100_000, 0, -10],
    nodata: 9,
    compression: 'deflate',
    predictor: 2,
    blockSize: 16,
  };
  const ramp = (seed: number) => new Uint16Array(360).map((_, i) => 900 + ((i * seed) % 50));
  const bands = [ramp(1), ramp(3)];
  const floats = bands.map((band) => Float32Array.from(band));
  return new Map<string, Uint8Array>([
    ['deflate', await writeCogBytes(options, bands)],
    [
      'zstd BigTIFF',
      await writeCogBytes({ ...options, compression: 'zstd', bigTiff: 'yes', interleave: 'band' }, bands),
    ],
    ['floats', await writeCogBytes({ ...options, type: 'float32', predictor: 3 }, floats)],
    ['big-endian strips', golden('tiny-strips.tif')],
  ]);
}

const files = await makeFiles();

/** Without checksums, so that a flipped bit is just another picture, but a missing byte must be noticed. */
const readerFolder = fileURLToPath(new URL('../../../test/golden/tiff/reader/', import.meta.url));
const unguarded = ['int8-lzw-p2*', 'nbits7-1-packbits*', 'lerc-alpha*', 'jpeg-1-*'].map((pattern) => {
  const [name] = globSync(`${pattern}.tif`, { cwd: readerFolder });
  return [name!, readFileSync(readerFolder + name)] as const;
});

test('a file truncated at any byte is refused or, if nothing needed is missing, read correctly', async () => {
  for (const [name, bytes] of [...files, ...unguarded]) {
    const whole = await readAll(bytes);
    let refused = 0;
    for (let end = 0; end < bytes.length; end++) {
      const reading = await readOrRefuse(bytes.subarray(0, end), `${name} cut at ${end}`);
      if (reading === null) refused++;
      else assert.ok(isSame(reading, whole), `${name} cut at ${end}`);
    }
    // our trailers and GDAL's trailing index are not needed; everything else is
    assert.ok(refused >= bytes.length - 4, `${name}: ${refused} of ${bytes.length} cuts refused`);
  }
});

/** A small generator of pseudo-random numbers, so that a failure can be repeated. */
function makeRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 13)) >>> 0) % below;
  };
}

test('2,000 flipped bits give correct pixels or an error, and never a hang', async () => {
  const random = makeRandom(20_261_121);
  const wholes = new Map(
    await Promise.all([...files].map(async ([name, bytes]) => [name, await readAll(bytes)] as const)),
  );
  let refused = 0;
  let right = 0;
  for (let flip = 0; flip < 2_000; flip++) {
    const [name, bytes] = [...files][flip % files.size]!;
    const bit = random(bytes.length * 8);
    const damaged = Uint8Array.from(bytes);
    damaged[bit >> 3]! ^= 1 << (bit & 7);
    const { result: reading, tookMs } = await runTimed(
      () => readOrRefuse(damaged, `${name} bit ${bit}`),
      250,
    );
    assert.ok(tookMs < 250, `${name} bit ${bit} took ${tookMs} ms`);
    if (reading === null) refused++;
    // a header that now describes another image has no checksum to be caught by; it is bounded, and that is all
    else if (reading.description === wholes.get(name)!.description) {
      assert.ok(isSame(reading, wholes.get(name)!), `${name} bit ${bit}`);
      right++;
    }
  }
  // both happen often enough to mean something
  assert.ok(refused > 500 && right > 50, `${refused} of 2000 flips refused, ${right} read rightly`);
});
