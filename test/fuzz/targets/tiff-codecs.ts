import { makeMemorySource } from '../../../src/formats/testing/memory-source.ts';
import { openTiff, readBlock } from '../../../src/formats/tiff/index.ts';
import { makeTinyTiff } from '../../../src/formats/tiff/testing/tiny-tiff.ts';
import type { FuzzTarget } from '../target.ts';
import { readGolden } from './golden-seeds.ts';

const SHORT = 3;
const LONG = 4;

/** By their numbers in TIFF: none, LZW, deflate in its two numbers, PackBits, LERC, zstd. */
const COMPRESSIONS = [1, 5, 5, 5, 8, 32946, 32773, 32773, 34887, 50000];
/** Bits of a sample and what they mean (1 unsigned, 2 signed, 3 floating point). */
const SAMPLES = [
  [8, 1],
  [16, 1],
  [32, 1],
  [64, 1],
  [8, 2],
  [16, 2],
  [16, 3],
  [32, 3],
  [64, 3],
  [1, 1],
  [4, 1],
  [12, 1],
] as const;
const PREDICTORS = [1, 2, 3];
const SIDES_PX = [1, 7, 16, 33, 100, 256];

/** Bytes at the start of an input that say how the rest is stored. */
const CHOICES = 6;

/** A TIFF of one strip: the first bytes choose its kind, the rest is the strip. It is always whole and well-formed. */
function toTiff(input: Uint8Array): Uint8Array {
  const choose = <Item>(index: number, items: readonly Item[]): Item =>
    items[(input[index] ?? 0) % items.length]!;
  const [bits, format] = choose(1, SAMPLES);
  const strip = input.subarray(CHOICES);
  const toHeader = (offset: number) =>
    makeTinyTiff([
      {
        256: [LONG, 1, choose(3, SIDES_PX)],
        257: [LONG, 1, choose(4, SIDES_PX)],
        258: [SHORT, 1, bits],
        259: [SHORT, 1, choose(0, COMPRESSIONS)],
        266: [SHORT, 1, choose(5, [1, 1, 2])],
        273: [LONG, 1, offset],
        278: [LONG, 1, choose(4, SIDES_PX)],
        279: [LONG, 1, strip.length],
        317: [SHORT, 1, choose(2, PREDICTORS)],
        339: [SHORT, 1, format],
      },
    ]);
  return Buffer.concat([toHeader(toHeader(0).length), strip]);
}

/** Stored blocks of real files, each after all ways to read it wrongly. */
async function readStrips(): Promise<readonly Uint8Array[]> {
  const strips: Uint8Array[] = [];
  for (const bytes of readGolden('tiff/reader/*{lzw,packbits,deflate,zstd,none,lerc}*.tif')) {
    const { images } = await openTiff(makeMemorySource(bytes));
    const { compressionTag, blockOffsets, blockSizes } = images[0];
    const codec = Math.max(0, COMPRESSIONS.indexOf(compressionTag));
    const start = blockOffsets[0]!;
    const kind = strips.length;
    const choices = [codec, kind % SAMPLES.length, kind % PREDICTORS.length, kind % SIDES_PX.length, 2, 0];
    strips.push(Buffer.concat([Buffer.from(choices), bytes.subarray(start, start + blockSizes[0]!)]));
  }
  return strips;
}

/** Codecs and predictors, after a header that passes all bytes through to them. */
export const tiffCodecs: FuzzTarget = {
  name: 'tiff-codecs',
  maxBytes: 64 * 1024,
  tokens: [],
  readSeeds: readStrips,
  async run(input) {
    const tiff = await openTiff(makeMemorySource(toTiff(input)));
    await readBlock(tiff, tiff.images[0], { band: 0, column: 0, row: 0 });
  },
};
