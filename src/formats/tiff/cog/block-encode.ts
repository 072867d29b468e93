import type { PixelArray } from '../../../raster/index.ts';
import { hostIsLittleEndian, swapSamples } from '../samples/byte-order.ts';
import type { WrappingArray } from '../samples/predictor.ts';
import { encodeFloating, encodeHorizontal } from '../samples/predictor.ts';

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
  // the options allow this predictor for integers only
  if (how.predictor === 2) encodeHorizontal(pixels as WrappingArray, rowLength, how.samples);
  const bytes = bytesOf(pixels);
  if (!hostIsLittleEndian) swapSamples(bytes, pixels.BYTES_PER_ELEMENT);
  return how.compress(bytes);
}
