import type { PixelArray } from '../../../raster/index.ts';
import { predictFloats } from '../codecs/floating-predictor.ts';
import { hostIsLittleEndian, swapSamples } from '../samples/byte-order.ts';
import type { WrappingArray } from '../samples/predictor.ts';
import { encodeHorizontal } from '../samples/predictor.ts';

/** A block of a row of blocks. */
interface GatheredBlock {
  /** Band arrays of `width` × at least `rows` pixels. */
  readonly bands: readonly PixelArray[];
  readonly width: number;
  /** Rows that hold data. */
  readonly rows: number;
  /** First column of the block. */
  readonly left: number;
  readonly blockSize: number;
}

/**
 * Copies one square block out of a row of blocks, bands interleaved by pixel. Pixels outside the image repeat the last
 * pixel and the last row: differences of zero, which compress best.
 */
export function gatherBlock(out: PixelArray, { bands, width, rows, left, blockSize }: GatheredBlock): void {
  const samples = bands.length;
  const columns = Math.min(blockSize, width - left);
  const rowLength = blockSize * samples;
  for (let band = 0; band < samples; band++) {
    const source = bands[band]!;
    for (let row = 0; row < rows; row++) {
      const from = row * width + left;
      let to = row * rowLength + band;
      if (samples === 1) out.set(source.subarray(from, from + columns), to);
      else for (let i = 0; i < columns; i++, to += samples) out[to] = source[from + i]!;
      const last = source[from + columns - 1]!;
      to = row * rowLength + columns * samples + band;
      for (let i = columns; i < blockSize; i++, to += samples) out[to] = last;
    }
  }
  for (let row = rows; row < blockSize; row++) {
    out.copyWithin(row * rowLength, (rows - 1) * rowLength, rows * rowLength);
  }
}

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
  if (how.predictor === 3) {
    const floats = { rowLength, stride: how.samples, sampleBytes: 4 } as const;
    return how.compress(predictFloats(bytesOf(pixels), floats));
  }
  // the options allow this predictor for integers only
  if (how.predictor === 2) encodeHorizontal(pixels as WrappingArray, rowLength, how.samples);
  const bytes = bytesOf(pixels);
  if (!hostIsLittleEndian) swapSamples(bytes, pixels.BYTES_PER_ELEMENT);
  return how.compress(bytes);
}
