import type { PixelArray } from '../../raster/index.ts';
import { bytesPerSample, makePixels } from '../../raster/index.ts';
import { writableCodecs } from '../tiff/codecs/codecs.ts';
import { deflateInKernels, roomForDeflate } from '../tiff/codecs/deflate.ts';
import { predictFloats } from '../tiff/codecs/floating-predictor.ts';
import { withKernels } from '../tiff/codecs/idle-kernels.ts';
import { hostIsLittleEndian, swapSamples } from '../tiff/samples/byte-order.ts';
import type { WrappingArray } from '../tiff/samples/predictor.ts';
import { encodeHorizontal } from '../tiff/samples/predictor.ts';
import type { CogPlan } from './cog-options.ts';

/** A block of a row of blocks. */
interface BlockSource {
  /** Band arrays of `width` × at least `rows` pixels. */
  readonly bands: readonly PixelArray[];
  readonly width: number;
  /** Rows that hold data. */
  readonly rows: number;
  /** First column of the block. */
  readonly left: number;
}

/**
 * Copies one square block out of a row of blocks, bands interleaved by pixel. Pixels outside the image repeat the last
 * pixel and the last row: differences of zero, which compress best.
 */
function gatherBlock(
  out: PixelArray,
  { bands, width, rows, left }: BlockSource,
  { blockSize, padding }: Pick<CogPlan, 'blockSize' | 'padding'>,
): void {
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
  if (padding === 'flat' && rows < blockSize) {
    fillPixels(out.subarray(rows * rowLength), out.subarray(rows * rowLength - samples, rows * rowLength));
    return;
  }
  for (let row = rows; row < blockSize; row++) {
    out.copyWithin(row * rowLength, (rows - 1) * rowLength, rows * rowLength);
  }
}

/** Repeats the samples of a pixel. */
function fillPixels(out: PixelArray, pixel: PixelArray): void {
  if (pixel.length === 1) out.fill(pixel[0]!);
  else for (let i = 0; i < out.length; i += pixel.length) out.set(pixel, i);
}

const bytesOf = (pixels: PixelArray): Uint8Array =>
  new Uint8Array(pixels.buffer, pixels.byteOffset, pixels.byteLength);

/** Gathers, predicts and compresses a block; its bytes are valid until `take` returns. */
type EncodeBlock = (block: BlockSource, take: (payload: Uint8Array) => void) => void;

/** Builds the encoding of the blocks of an image. */
export function makeEncodeBlock(plan: CogPlan): EncodeBlock {
  if (plan.compression === 'steady-deflate' && hostIsLittleEndian) return makeEncodeInKernels(plan);
  const { blockSize, samplesPerBlock: samples, type, predictor, level } = plan;
  const codec = writableCodecs[plan.compression];
  const rowLength = blockSize * samples;
  const pixels = makePixels(type, blockSize * rowLength);
  const predict = (): Uint8Array => {
    // most significant byte first, whatever the order of the file
    if (predictor === 3)
      return predictFloats(bytesOf(pixels), { rowLength, stride: samples, sampleBytes: 4 });
    // the options allow this predictor for integers only
    if (predictor === 2) encodeHorizontal(pixels as WrappingArray, rowLength, samples);
    const bytes = bytesOf(pixels);
    if (!hostIsLittleEndian) swapSamples(bytes, pixels.BYTES_PER_ELEMENT);
    return bytes;
  };
  return (block, take) => {
    gatherBlock(pixels, block, plan);
    take(codec.encode(predict(), level));
  };
}

/** All steps in the kernels' memory, so that a block is copied into it once, and its few compressed bytes out of it. */
function makeEncodeInKernels(plan: CogPlan): EncodeBlock {
  const { blockSize, samplesPerBlock: samples, type, predictor } = plan;
  const sampleBytes = bytesPerSample[type];
  const rowBytes = blockSize * samples * sampleBytes;
  const byteLength = rowBytes * blockSize;
  const View = makePixels(type, 0).constructor as new (
    buffer: ArrayBuffer,
    at: number,
    length: number,
  ) => PixelArray;
  return (block, take) =>
    withKernels(({ run, buffer }, allocate) => {
      const gatheredAt = allocate(byteLength);
      const work = predictor === 3 ? allocate(rowBytes) : 0;
      const room = roomForDeflate(byteLength, allocate);
      const at = predictor === 1 ? room.from : gatheredAt;
      gatherBlock(new View(buffer(), at, blockSize * blockSize * samples), block, plan);
      if (predictor === 3) {
        run.predictFloats(gatheredAt, room.from, rowBytes, blockSize, sampleBytes, samples, work);
      } else if (predictor === 2) {
        run.predict(gatheredAt, room.from, rowBytes, blockSize, sampleBytes, samples * sampleBytes, 0);
      }
      take(deflateInKernels(run, buffer(), room));
    });
}
