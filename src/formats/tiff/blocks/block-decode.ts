import { isSwathError } from '../../../errors.ts';
import type { PixelArray, SampleType } from '../../../raster/index.ts';
import { bytesPerSample } from '../../../raster/index.ts';
import { sourceBroken } from '../../errors.ts';
import type { ByteCodec, Codec } from '../codecs/codecs.ts';
import type { InflatedRows, InflateRows, InflateState } from '../codecs/inflate.ts';
import { toFirstByte } from '../codecs/inflate.ts';
import type { CodecSettings } from '../codecs/picture-codecs.ts';
import { decodeHorizontalBytes, unpredictFloats } from '../samples/predictor.ts';
import {
  hostIsLittleEndian,
  packedRowBytes,
  reverseBits,
  swapSamples,
  unpackSamples,
  widenHalves,
} from '../samples/sample-format.ts';

/** What a stored block must turn into. */
interface DecodeBlock {
  readonly type: SampleType;
  /** Of a stored sample: may differ from those of the type. */
  readonly bits: number;
  readonly littleEndian: boolean;
  readonly bitsReversed: boolean;
  readonly codec: Codec;
  readonly predictor: 1 | 2 | 3;
  readonly settings: CodecSettings;
  readonly rowPixels: number;
  readonly rows: number;
  readonly samples: number;
}

const isWhole = (bits: number): bits is 8 | 16 | 32 | 64 =>
  bits === 8 || bits === 16 || bits === 32 || bits === 64;

function toDamage(cause: unknown, codec: Codec): unknown {
  if (isSwathError(cause)) return cause;
  const message = `A block of the image is damaged: its ${codec.name} data cannot be read.`;
  return sourceBroken('tiff-block-damaged', message, { cause });
}

async function decompress(stored: Uint8Array, how: DecodeBlock): Promise<Uint8Array> {
  const { codec, rowPixels, rows, samples, type, settings } = how;
  try {
    if ('decodePicture' in codec) {
      return await codec.decodePicture(stored, { width: rowPixels, rows, samples, type, settings });
    }
    return decompressBytes(how.bitsReversed ? reverseBits(stored) : stored, codec, how);
  } catch (cause) {
    throw toDamage(cause, codec);
  }
}

function decompressBytes(stored: Uint8Array, codec: ByteCodec, how: DecodeBlock): Uint8Array {
  const expectedBytes = packedRowBytes(how.rowPixels * how.samples, how.bits) * how.rows;
  const bytes = codec.decode(stored, expectedBytes);
  if (bytes.length === expectedBytes) return bytes;
  throw sourceBroken(
    'tiff-block-size',
    `A block of the image holds ${bytes.length} bytes where ${expectedBytes} belong.`,
  );
}

/**
 * The same bytes in a buffer of their own. Copied when they lie in one with others (Node's pool of small ones), so that
 * a block can be moved to another thread and a cache knows its size.
 */
function alone(bytes: Uint8Array): Uint8Array {
  // codecs leave one spare byte at most
  const isAlone = bytes.byteOffset === 0 && bytes.buffer.byteLength <= bytes.length + 1;
  return isAlone ? bytes : new Uint8Array(bytes);
}

/** Bytes of whole samples in this machine's order as pixels of the type. */
function toPixels(
  { buffer, byteOffset, byteLength }: Uint8Array,
  type: SampleType,
  bits: number,
): PixelArray {
  const length = byteLength / (bits / 8);
  switch (type) {
    case 'uint8':
      return new Uint8Array(buffer, byteOffset, length);
    case 'int8':
      return new Int8Array(buffer, byteOffset, length);
    case 'uint16':
      return new Uint16Array(buffer, byteOffset, length);
    case 'int16':
      return new Int16Array(buffer, byteOffset, length);
    case 'uint32':
      return new Uint32Array(buffer, byteOffset, length);
    case 'int32':
      return new Int32Array(buffer, byteOffset, length);
    case 'uint64':
      return Float64Array.from(new BigUint64Array(buffer, byteOffset, length), Number);
    case 'int64':
      return Float64Array.from(new BigInt64Array(buffer, byteOffset, length), Number);
    case 'float32':
      if (bits === 16) return widenHalves(new Uint16Array(buffer, byteOffset, length));
      return new Float32Array(buffer, byteOffset, length);
    case 'float64':
      return new Float64Array(buffer, byteOffset, length);
  }
}

/** Turns a stored block into samples of this machine's order, row by row, bands interleaved as stored. */
async function decodeWhole(stored: Uint8Array, how: DecodeBlock): Promise<PixelArray> {
  const { bits, type, littleEndian, samples } = how;
  const rowLength = how.rowPixels * samples;
  const decoded = await decompress(stored, how);
  if (!isWhole(bits)) {
    return unpackSamples(decoded, { bits, rowLength, rows: how.rows, type, littleEndian });
  }
  if (how.predictor === 3) {
    const sampleBytes = (bits / 8) as 2 | 4 | 8;
    return toPixels(unpredictFloats(decoded, { rowLength, stride: samples, sampleBytes }), type, bits);
  }
  const bytes = alone(decoded);
  // also what LERC decoded: libtiff turns samples around before it compresses them, whatever the codec
  if (littleEndian !== hostIsLittleEndian) swapSamples(bytes, bits / 8);
  // floats are differenced as integers of their size, as libtiff does
  if (how.predictor === 2) decodeHorizontalBytes(bytes, bits, rowLength, samples);
  return toPixels(bytes, type, bits);
}

/** Pixels of a block, of which the first rows are decoded. */
export interface DecodedRows {
  /** Room for all rows; those from `rowsReady` on hold nothing yet. */
  readonly pixels: PixelArray;
  readonly rowsReady: number;
  /** Where to go on; null when all rows are there, and before the first. */
  readonly resume: InflateState | null;
}

/** Which rows are needed, from the top, and what of the block was decoded before. */
export interface WantedRows {
  readonly rows: number;
  readonly from: DecodedRows | null;
}

/** How to decode row by row; null when the codec or the kind of samples cannot. */
function toRowDecoder({ codec, ...how }: DecodeBlock): ByteCodec['decodeRows'] | null {
  const isKept = how.bits === bytesPerSample[how.type] * 8 && how.type !== 'uint64' && how.type !== 'int64';
  // the kernels' memory is little-endian, whatever the machine is
  if ('decodePicture' in codec || !isKept || !hostIsLittleEndian) return null;
  return codec.decodeRows ?? null;
}

/** Whether nothing of the stored bytes is needed once a block is decoded: row decoders copy them first of all. */
export const letsGoOfStored = (how: DecodeBlock): boolean => toRowDecoder(how) !== null && !how.bitsReversed;

/**
 * First byte of a stored block that has to be read to go on: what precedes it was decoded. Zero also where nothing
 * can go on.
 */
export const firstByteNeeded = (how: DecodeBlock, from: DecodedRows | null): number =>
  toRowDecoder(how) === null ? 0 : toFirstByte(from?.resume ?? null);

/**
 * Decodes a stored block as far as the wanted row, or all of it where its codec knows no rows. `stored` begins with
 * the first byte needed.
 */
export async function decodeRows(
  stored: Uint8Array,
  how: DecodeBlock,
  { rows, from }: WantedRows,
): Promise<DecodedRows> {
  const decode = toRowDecoder(how);
  if (!decode) return { pixels: await decodeWhole(stored, how), rowsReady: how.rows, resume: null };
  const pixelBytes = (how.samples * how.bits) / 8;
  const job: InflateRows = {
    stored: how.bitsReversed ? reverseBits(stored) : stored,
    firstByte: firstByteNeeded(how, from),
    rowBytes: how.rowPixels * pixelBytes,
    rows: how.rows,
    wanted: rows,
    sampleBytes: how.bits / 8,
    pixelBytes,
    predictor: how.predictor,
    isSwapped: !how.littleEndian && how.bits > 8,
    from:
      from === null ? null : { bytes: toBytes(from.pixels), rowsReady: from.rowsReady, state: from.resume },
  };
  let decoded: InflatedRows;
  try {
    decoded = decode(job);
  } catch (cause) {
    throw toDamage(cause, how.codec);
  }
  const pixels = from?.pixels ?? toPixels(decoded.bytes, how.type, how.bits);
  return { pixels, rowsReady: decoded.rowsReady, resume: decoded.state };
}

const toBytes = ({ buffer, byteOffset, byteLength }: PixelArray): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);
