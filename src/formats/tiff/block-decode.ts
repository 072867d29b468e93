import { isSwathError, sourceBroken } from '../../errors.ts';
import type { PixelArray, SampleType } from '../../raster/index.ts';

import { packedRowBytes, reverseBits, unpackSamples } from './bit-packing.ts';
import type { CodecSettings } from './block-shape.ts';
import { hostIsLittleEndian, swapSamples } from './byte-order.ts';
import type { ByteCodec, Codec } from './codecs.ts';
import { widenHalves } from './half-float.ts';
import { decodeFloating, decodeHorizontalBytes } from './predictor.ts';

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

async function decompress(stored: Uint8Array, how: DecodeBlock): Promise<Uint8Array> {
  const { codec, rowPixels, rows, samples, type, settings } = how;
  try {
    if ('decodePicture' in codec) {
      return await codec.decodePicture(stored, { width: rowPixels, rows, samples, type, settings });
    }
    return decompressBytes(how.bitsReversed ? reverseBits(stored) : stored, codec, how);
  } catch (cause) {
    if (isSwathError(cause)) throw cause;
    const message = `A block of the image is damaged: its ${codec.name} data cannot be read.`;
    throw sourceBroken('tiff-block-damaged', message, { cause });
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
 * a block can be moved to another thread and a cache knows what it keeps.
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
export async function decodeBlock(stored: Uint8Array, how: DecodeBlock): Promise<PixelArray> {
  const { bits, type, littleEndian, samples } = how;
  const rowLength = how.rowPixels * samples;
  const decoded = await decompress(stored, how);
  if (!isWhole(bits)) {
    return unpackSamples(decoded, { bits, rowLength, rows: how.rows, type, littleEndian });
  }
  if (how.predictor === 3) {
    return toPixels(decodeFloating(decoded, rowLength, samples, bits / 8), type, bits);
  }
  const bytes = alone(decoded);
  // also what LERC decoded: libtiff turns samples around before it compresses them, whatever the codec
  if (littleEndian !== hostIsLittleEndian) swapSamples(bytes, bits / 8);
  // floats are differenced as integers of their size, as libtiff does
  if (how.predictor === 2) decodeHorizontalBytes(bytes, bits, rowLength, samples);
  return toPixels(bytes, type, bits);
}
