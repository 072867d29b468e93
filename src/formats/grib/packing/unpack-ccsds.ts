import { damaged, getBits, SPARE_BYTES, unread } from '../grib-bytes.ts';

/** How numbers were coded, as the header says. */
export interface CcsdsCoding {
  /** Bits of a number. */
  readonly bits: number;
  /** Numbers of a block. */
  readonly blockSize: number;
  /** Blocks from one reference number to the next. */
  readonly interval: number;
  readonly flags: number;
}

/** Flags of template 5.42 that change the stream; the others say how numbers lay in the memory of the encoder. */
const FLAG = { signed: 1, preprocessed: 8, restricted: 16, padded: 32 } as const;

/** Zero blocks up to the end of a segment have a code of their own: the fifth (CCSDS 121.0-B-3, 3.4.3). */
const REST_OF_SEGMENT = 5;
const SEGMENT_BLOCKS = 64;

/** Whole numbers of lossless adaptive entropy coding (CCSDS 121.0-B-3; data template 7.42). */
export function unpackCcsds(bytes: Uint8Array, count: number, coding: CcsdsCoding): Float64Array {
  const { bits, blockSize, interval, flags } = coding;
  if (blockSize < 2 || blockSize > 64 || blockSize % 2 !== 0 || interval < 1 || interval > 4096)
    throw damaged(`its numbers are in blocks of ${blockSize} and intervals of ${interval}`);
  if ((flags & FLAG.signed) !== 0)
    throw unread('ccsds', 'The GRIB file has numbers with signs in CCSDS packing, which are not read.');
  const isPreprocessed = (flags & FLAG.preprocessed) !== 0;
  const idBits = toIdBits(bits, (flags & FLAG.restricted) !== 0);
  const uncompressed = 2 ** idBits - 1;
  const reader = new BitReader(bytes);
  const numbers = new Float64Array(count);
  const block = new Float64Array(blockSize);
  let done = 0;
  while (done < count) {
    const from = done;
    for (let index = 0; index < interval && done < count; ) {
      // The first number of an interval is a value, and the others are differences.
      const first = isPreprocessed && index === 0 ? 1 : 0;
      const id = reader.take(idBits);
      let repeats = 1;
      if (id === uncompressed) for (let i = 0; i < blockSize; i++) block[i] = reader.take(bits);
      else if (id > 0) {
        if (first === 1) block[0] = reader.take(bits);
        splitSamples(reader, block, first, id - 1);
      } else {
        const isPairs = reader.take(1) === 1;
        if (first === 1) block[0] = reader.take(bits);
        if (isPairs) takePairs(reader, block, first);
        else {
          block.fill(0, first);
          repeats = toZeroBlocks(reader.countZeros() + 1, index, interval);
        }
      }
      for (let i = 0; i < blockSize && done < count; i++) numbers[done++] = block[i]!;
      // Further blocks of zeros, which the array is filled with.
      done = Math.min(count, done + (repeats - 1) * blockSize);
      index += repeats;
      if (index > interval) throw damaged('a run of zeros goes beyond its interval');
    }
    if (isPreprocessed) undoDifferences(numbers, from, done, 2 ** bits - 1);
    if ((flags & FLAG.padded) !== 0) reader.alignToByte();
  }
  return numbers;
}

function toIdBits(bits: number, isRestricted: boolean): number {
  if (isRestricted && bits <= 4) return bits <= 2 ? 1 : 2;
  if (bits <= 8) return 3;
  return bits <= 16 ? 4 : 5;
}

/** High bits of all numbers as counts of zeros, then their low bits. */
function splitSamples(reader: BitReader, block: Float64Array, first: number, lowBits: number): void {
  const scale = 2 ** lowBits;
  for (let i = first; i < block.length; i++) block[i] = reader.countZeros() * scale;
  if (lowBits > 0) for (let i = first; i < block.length; i++) block[i]! += reader.take(lowBits);
}

/** The second extension: one code for two numbers, counted along the diagonals of all pairs. */
function takePairs(reader: BitReader, block: Float64Array, first: number): void {
  for (let i = first; i < block.length; ) {
    const code = reader.countZeros();
    // The sum of both is the largest number whose triangle fits below the code.
    const sum = Math.floor((Math.sqrt(8 * code + 1) - 1) / 2);
    const second = code - (sum * (sum + 1)) / 2;
    if (i % 2 === 0) block[i++] = sum - second;
    block[i++] = second;
  }
}

function toZeroBlocks(code: number, index: number, interval: number): number {
  if (code === REST_OF_SEGMENT) return Math.min(interval - index, SEGMENT_BLOCKS - (index % SEGMENT_BLOCKS));
  return code > REST_OF_SEGMENT ? code - 1 : code;
}

/** Differences were folded into numbers without signs, near to far, so that none leaves the range of the numbers. */
function undoDifferences(numbers: Float64Array, from: number, to: number, most: number): void {
  let value = numbers[from]!;
  for (let i = from + 1; i < to; i++) {
    const folded = numbers[i]!;
    const room = Math.min(value, most - value);
    if (folded <= 2 * room) value += folded % 2 === 0 ? folded / 2 : -(folded + 1) / 2;
    else value += room === value ? folded - room : room - folded;
    numbers[i] = value;
  }
}

/** Bits from the front; the end of the bytes is an error. */
class BitReader {
  readonly #bytes: Uint8Array;
  readonly #bits: number;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#bits = 8 * (bytes.length - SPARE_BYTES);
  }

  take(bits: number): number {
    const at = this.#at;
    this.#at = at + bits;
    if (this.#at > this.#bits) throw cutOff();
    return getBits(this.#bytes, at, bits);
  }

  /** Zeros up to the next one, which is taken too. */
  countZeros(): number {
    const start = this.#at;
    let byte = start >>> 3;
    let rest = (this.#bytes[byte]! << (start & 7)) & 0xff;
    let zeros = 0;
    if (rest === 0) {
      zeros = 8 - (start & 7);
      byte += 1;
      while (8 * byte < this.#bits && this.#bytes[byte] === 0) {
        byte += 1;
        zeros += 8;
      }
      rest = this.#bytes[byte]!;
    }
    zeros += Math.clz32(rest) - 24;
    this.#at = start + zeros + 1;
    if (this.#at > this.#bits) throw cutOff();
    return zeros;
  }

  alignToByte(): void {
    this.#at = Math.ceil(this.#at / 8) * 8;
  }
}

const cutOff = () => damaged('its CCSDS numbers end too early');
