import type { PixelArray } from '../../raster/index.ts';
import { bytesPerSample, makePixels } from '../../raster/index.ts';
import { deflateInKernels, roomForDeflate, withKernels } from '../tiff/codecs/byte-codecs.ts';
import { writableCodecs } from '../tiff/codecs/codecs.ts';
import type { WrappingArray } from '../tiff/samples/predictor.ts';
import { encodeHorizontal, predictFloats } from '../tiff/samples/predictor.ts';
import { hostIsLittleEndian, swapSamples } from '../tiff/samples/sample-format.ts';
import type { CogPlan } from './plan-cog.ts';

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

const OPAQUE = 255;
const HALF = 128;

/**
 * Makes each pixel of a smaller copy opaque or transparent again, in place. Transparent pixels of the larger one are
 * zeros, so the mean of a colour is dark by the share of them, which is what the mean of the opacity says.
 */
export function cutOut(bands: readonly PixelArray[], start: number, count: number): void {
  const alphas = bands.at(-1);
  const colors = bands.slice(0, -1);
  if (alphas === undefined) return;
  for (let i = start; i < start + count; i++) {
    const alpha = alphas[i] as number;
    if (alpha === 0 || alpha === OPAQUE) continue;
    const isOpaque = alpha >= HALF;
    for (const color of colors) {
      color[i] = isOpaque ? Math.min(OPAQUE, Math.round(((color[i] as number) * OPAQUE) / alpha)) : 0;
    }
    alphas[i] = isOpaque ? OPAQUE : 0;
  }
}

/** Bytes around each payload: the size before it and its last four bytes again after it. */
export const FRAME_BYTES = 4;

/** Encoded blocks in the order in which they were made. */
export interface EncodedBlocks {
  /** The blocks with their frames, one after the other; `transferOf` lists the buffers for a message. */
  readonly chunks: readonly Uint8Array[];
  /** Level, number in the level, and bytes of each block without its frame. */
  readonly levels: Uint8Array;
  readonly numbers: Uint32Array;
  readonly sizes: Uint32Array;
}

/** The buffers of encoded blocks that are to be moved to another thread; those in shared memory are there already. */
export const transferOf = ({ chunks }: EncodedBlocks): ArrayBuffer[] =>
  chunks.map(({ buffer }) => buffer).filter((buffer) => buffer instanceof ArrayBuffer);

/** Writes a payload at `at` with the leader and trailer that GDAL's ghost area promises; returns where it ends. */
export function frame(payload: Uint8Array, into: Uint8Array, at: number): number {
  const start = at + FRAME_BYTES;
  const end = start + payload.length;
  new DataView(into.buffer, into.byteOffset, into.byteLength).setUint32(at, payload.length, true);
  into.set(payload, start);
  into.copyWithin(end, end - FRAME_BYTES, end);
  return end + FRAME_BYTES;
}

/** Bytes of a chunk: large enough that moving and writing it costs nothing for each block. */
const CHUNK_BYTES = 4 * 1024 * 1024;

/** Collects framed blocks in chunks, so that few buffers are moved and written. The first chunk is `room`, if given. */
export function makeBlockList(room: SharedArrayBuffer | null) {
  const chunks: Uint8Array[] = [];
  const [levels, numbers, sizes]: [number[], number[], number[]] = [[], [], []];
  let chunk: Uint8Array = room === null ? new Uint8Array() : new Uint8Array(room);
  let used = 0;
  const closeChunk = (): void => {
    if (used > 0) chunks.push(chunk.subarray(0, used));
  };
  return {
    /** Copies a block. */
    add(level: number, number: number, payload: Uint8Array): void {
      levels.push(level);
      numbers.push(number);
      sizes.push(payload.length);
      const needed = payload.length + 2 * FRAME_BYTES;
      if (used + needed > chunk.length) {
        closeChunk();
        chunk = new Uint8Array(Math.max(CHUNK_BYTES, needed));
        used = 0;
      }
      used = frame(payload, chunk, used);
    },
    finish(): EncodedBlocks {
      closeChunk();
      return {
        chunks,
        levels: Uint8Array.from(levels),
        numbers: Uint32Array.from(numbers),
        sizes: Uint32Array.from(sizes),
      };
    },
  };
}
