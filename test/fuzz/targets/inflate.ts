import { constants, deflateSync, inflateRawSync, inflateSync } from 'node:zlib';
import { isSwathError, sourceBroken } from '../../../src/errors.ts';
import type { InflatedRows } from '../../../src/formats/tiff/codecs/inflate.ts';
import { inflateRows, toFirstByte } from '../../../src/formats/tiff/codecs/inflate.ts';
import { decodeFloating, decodeHorizontalBytes } from '../../../src/formats/tiff/samples/predictor.ts';
import { swapSamples } from '../../../src/formats/tiff/samples/sample-format.ts';
import { makeNoise } from '../../../src/formats/tiff/testing/make-noise.ts';
import type { FuzzTarget } from '../target.ts';

/** Bytes at the start of an input that say what the block is like and in which steps it is decoded. */
const CHOICES = 9;
const SAMPLE_BITS = [8, 16, 32, 64] as const;

/** The block an input describes: up to 70 pixels of up to 9 bands a row, which is more than a window in 60 rows. */
function toBlock(input: Uint8Array) {
  const at = (index: number) => input[index] ?? 0;
  const bits = SAMPLE_BITS[at(3) % SAMPLE_BITS.length]!;
  const sampleBytes = bits / 8;
  const pixelBytes = sampleBytes * (1 + (at(2) % 9));
  const body = input.subarray(CHOICES);
  return {
    stored: at(5) % 4 === 0 ? body : withRightSum(body),
    steps: [at(6), at(7), at(8)].map((step) => 1 + (step % 20)),
    bits,
    how: {
      rowBytes: pixelBytes * (1 + (at(0) % 70)),
      rows: 1 + (at(1) % 60),
      sampleBytes,
      pixelBytes,
      predictor: toPredictor(at(4), sampleBytes),
      isSwapped: sampleBytes > 1 && (at(4) & 2) === 2,
    },
  };
}

/** Predictor 3 is for floats, of which none has a single byte. */
function toPredictor(choice: number, sampleBytes: number): 1 | 2 | 3 {
  if ((choice & 1) === 0) return 1;
  return (choice & 4) === 4 && sampleBytes > 1 ? 3 : 2;
}

type Block = ReturnType<typeof toBlock>;

/** The stream with the checksum of what zlib makes of it: otherwise the checksum would refuse nearly all damaged streams. */
function withRightSum(stream: Uint8Array): Uint8Array {
  let raw: { readonly buffer: Uint8Array; readonly engine: { readonly bytesWritten: number } };
  try {
    const options = { info: true, finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: 2 ** 20 } as const;
    raw = inflateRawSync(stream.subarray(2), options) as unknown as typeof raw;
  } catch {
    return stream;
  }
  let [low, high] = [1, 0];
  for (const byte of raw.buffer) {
    low = (low + byte) % 65_521;
    high = (high + low) % 65_521;
  }
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(high * 65_536 + low);
  return Buffer.concat([stream.subarray(0, 2 + raw.engine.bytesWritten), sum]);
}

/** What zlib and the plain predictor make of a block; null when zlib refuses, or makes too few bytes. */
function decodePlainly({ stored, bits, how }: Block): Uint8Array | null {
  const { rowBytes, rows, sampleBytes, pixelBytes } = how;
  let pixels: Uint8Array;
  try {
    pixels = new Uint8Array(inflateSync(stored, { maxOutputLength: rowBytes * rows }));
  } catch {
    return null;
  }
  if (pixels.length < rowBytes * rows) return null;
  const samples = pixelBytes / sampleBytes;
  if (how.predictor === 3) return decodeFloating(pixels, rowBytes / sampleBytes, samples, sampleBytes);
  if (how.isSwapped) swapSamples(pixels, sampleBytes);
  if (how.predictor === 2) decodeHorizontalBytes(pixels, bits, rowBytes / sampleBytes, samples);
  return pixels;
}

/** Decodes in steps of those many rows in turn, each with only the stored bytes that it needs. */
function decodeInSteps({ stored, how }: Block, steps: readonly number[]): Uint8Array | Error {
  let part: InflatedRows = { bytes: new Uint8Array(how.rowBytes * how.rows), rowsReady: 0, state: null };
  try {
    for (let i = 0; part.rowsReady < how.rows; i++) {
      const wanted = Math.min(how.rows, part.rowsReady + steps[i % steps.length]!);
      const firstByte = toFirstByte(part.state);
      part = inflateRows({ ...how, stored: stored.subarray(firstByte), firstByte, wanted, from: part });
    }
  } catch (error) {
    const isRefusal =
      error instanceof Error && (isSwathError(error) || /^The zlib stream is damaged/.test(error.message));
    if (!isRefusal || (isSwathError(error) && error.tag === 'internal')) throw error;
    return error;
  }
  return part.bytes;
}

/** Sizes and steps of seeds; the fourth number is the index in SAMPLE_BITS. */
const SEEDS = [
  [15, 15, 0, 0, 0, 0, 0, 0, 0],
  [63, 39, 0, 1, 1, 1, 0, 4, 2],
  [69, 59, 8, 1, 1, 1, 0, 9, 19],
  [40, 59, 3, 2, 3, 1, 6, 6, 6],
  [31, 20, 2, 3, 2, 1, 3, 1, 2],
  [63, 49, 0, 2, 5, 1, 4, 8, 2],
  [0, 0, 0, 0, 0, 0, 0, 0, 0],
];
const STRATEGIES = [
  constants.Z_DEFAULT_STRATEGY,
  constants.Z_FIXED,
  constants.Z_HUFFMAN_ONLY,
  constants.Z_RLE,
];

/** Streams of blocks of codes, of stored bytes and of fixed codes; of one kind or one after the other. */
function makeSeeds(): Uint8Array[] {
  return SEEDS.flatMap((choices, number) => {
    const { how } = toBlock(Uint8Array.from(choices));
    const raw = makeNoise(how.rowBytes * how.rows, number + 1);
    // few different bytes make matches, many make literals
    for (let i = 0; i < raw.length; i++) raw[i]! &= i % 3 === 0 ? 7 : 1;
    return STRATEGIES.map((strategy, i) => {
      const level = i === 3 ? 0 : 6;
      return Buffer.concat([Buffer.from(choices), deflateSync(raw, { strategy, level, memLevel: 1 + i })]);
    });
  });
}

/** Our decoder of zlib streams: at once and in steps it must do what zlib does. */
export const inflate: FuzzTarget = {
  name: 'inflate',
  maxBytes: 64 * 1024,
  tokens: [],
  readSeeds: makeSeeds,
  run(input) {
    const block = toBlock(input);
    const expected = decodePlainly(block);
    const whole = decodeInSteps(block, [block.how.rows]);
    const parts = decodeInSteps(block, block.steps);
    if (whole instanceof Error || parts instanceof Error) {
      const [one, other] = [whole, parts].map((end) => (end instanceof Error ? end.message : 'accepted'));
      // Both must refuse it; of two damages in one stream either may be met first.
      if (!(whole instanceof Error && parts instanceof Error)) {
        throw new Error(`at once: ${one}, in steps: ${other}`);
      }
      if (expected !== null) throw new Error(`zlib accepts what is refused: ${one}`);
      throw sourceBroken('bad-stream', one!);
    }
    if (expected === null) throw new Error('zlib refuses what is accepted');
    if (Buffer.compare(whole, expected) !== 0) throw new Error('at once, other pixels come out');
    if (Buffer.compare(parts, expected) !== 0) throw new Error('in steps, other pixels come out');
  },
};
