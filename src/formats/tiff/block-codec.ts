import { sourceBroken } from '../../errors.ts';
import type { PixelArray, PixelType } from '../../raster/index.ts';
import { bytesPerSample } from '../../raster/index.ts';
import { hostIsLittleEndian, swapSamples } from './byte-order.ts';
import type { Codec } from './codecs.ts';
import { decodeFloating, decodeHorizontal, encodeFloating, encodeHorizontal } from './predictor.ts';

const bytesOf = (pixels: PixelArray): Uint8Array =>
  new Uint8Array(pixels.buffer, pixels.byteOffset, pixels.byteLength);

/** How samples become stored bytes. */
interface EncodeBlock {
  readonly predictor: 1 | 2 | 3;
  /** Pixels of one row of the block. */
  readonly rowPixels: number;
  /** Interleaved bands. */
  readonly samples: number;
  compress(bytes: Uint8Array): Uint8Array;
}

/** Predicts and compresses a block in little-endian order; `pixels` is used as scratch. */
export function encodeBlock(pixels: PixelArray, how: EncodeBlock): Uint8Array {
  const rowLength = how.rowPixels * how.samples;
  // most significant byte first, whatever the order of the file
  if (how.predictor === 3) return how.compress(encodeFloating(bytesOf(pixels), rowLength, how.samples));
  if (how.predictor === 2)
    encodeHorizontal(pixels as Exclude<PixelArray, Float32Array>, rowLength, how.samples);
  const bytes = bytesOf(pixels);
  if (!hostIsLittleEndian) swapSamples(bytes, pixels.BYTES_PER_ELEMENT);
  return how.compress(bytes);
}

/** What a stored block must turn into. */
interface DecodeBlock {
  readonly type: PixelType;
  readonly littleEndian: boolean;
  readonly codec: Codec;
  readonly predictor: 1 | 2 | 3;
  readonly rowPixels: number;
  readonly rows: number;
  readonly samples: number;
}

function decompress(stored: Uint8Array, codec: Codec, expectedBytes: number): Uint8Array {
  let bytes: Uint8Array;
  try {
    bytes = codec.decode(stored, expectedBytes);
  } catch (cause) {
    throw sourceBroken(
      'tiff-block-damaged',
      `A block of the image is damaged: its ${codec.name} data cannot be read.`,
      {
        cause,
      },
    );
  }
  if (bytes.length !== expectedBytes) {
    throw sourceBroken(
      'tiff-block-size',
      `A block of the image holds ${bytes.length} bytes where ${expectedBytes} belong.`,
    );
  }
  return bytes;
}

/**
 * The same bytes as samples. Copied when they lie in a buffer with others (Node's pool of small ones), so that a block
 * can be moved to another thread and a cache knows what it keeps.
 */
function toPixels(bytes: Uint8Array, type: PixelType): PixelArray {
  const size = bytesPerSample[type];
  // codecs leave one spare byte at most
  const isAlone = bytes.byteOffset === 0 && bytes.buffer.byteLength <= bytes.length + 1;
  const { buffer, byteOffset } = isAlone ? bytes : new Uint8Array(bytes);
  const length = bytes.length / size;
  switch (type) {
    case 'uint8':
      return new Uint8Array(buffer, byteOffset, length);
    case 'uint16':
      return new Uint16Array(buffer, byteOffset, length);
    case 'int16':
      return new Int16Array(buffer, byteOffset, length);
    case 'float32':
      return new Float32Array(buffer, byteOffset, length);
  }
}

/** Turns a stored block into samples of this machine's order, row by row, bands interleaved as stored. */
export function decodeBlock(stored: Uint8Array, how: DecodeBlock): PixelArray {
  const rowLength = how.rowPixels * how.samples;
  const bytes = decompress(stored, how.codec, rowLength * how.rows * bytesPerSample[how.type]);
  if (how.predictor === 3) return toPixels(decodeFloating(bytes, rowLength, how.samples), how.type);
  const pixels = toPixels(bytes, how.type);
  if (how.littleEndian !== hostIsLittleEndian) swapSamples(bytesOf(pixels), pixels.BYTES_PER_ELEMENT);
  if (how.predictor === 2) {
    // floats are differenced as 32-bit integers, as libtiff does
    const wrapping =
      pixels instanceof Float32Array
        ? new Uint32Array(pixels.buffer, pixels.byteOffset, pixels.length)
        : pixels;
    decodeHorizontal(wrapping, rowLength, how.samples);
  }
  return pixels;
}
