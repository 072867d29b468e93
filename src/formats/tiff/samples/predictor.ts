import { withKernels } from '../codecs/byte-codecs.ts';
import { hostIsLittleEndian } from './sample-format.ts';

/**
 * Predictors of TIFF (6.0 section 14, Adobe technical note 3): what is stored is the difference to the sample of the
 * same band in the pixel to the left. `stride` is the number of interleaved bands, `rowLength` counts samples.
 */

/** Integer arrays that wrap around by themselves, as the predictor wants. */
export type WrappingArray = Uint8Array | Uint16Array | Int16Array | Uint32Array;

/** Unsigned views of the same bytes: they wrap around as the predictor wants, whatever the samples mean. */
const views = { 8: Uint8Array, 16: Uint16Array, 32: Uint32Array } as const;

/** Predictor 2, encoding, in place. */
export function encodeHorizontal(samples: WrappingArray, rowLength: number, stride: number): void {
  for (let start = 0; start < samples.length; start += rowLength) {
    for (let i = start + rowLength - 1; i >= start + stride; i--) {
      samples[i] = samples[i]! - samples[i - stride]!;
    }
  }
}

/** Predictor 2, decoding, in place. */
export function decodeHorizontal(samples: WrappingArray, rowLength: number, stride: number): void {
  for (let start = 0; start < samples.length; start += rowLength) {
    const end = start + rowLength;
    if (stride === 1) {
      // the sum stays in a register, as an int32: storing one wraps rightly into each of the array types
      let sum = samples[start]! | 0;
      for (let i = start + 1; i < end; i++) {
        sum = (sum + samples[i]!) | 0;
        samples[i] = sum;
      }
    } else {
      for (let i = start + stride; i < end; i++) samples[i] = samples[i]! + samples[i - stride]!;
    }
  }
}

/** Predictor 2, decoding, in place, for samples of 8, 16, 32 or 64 bits that begin at a multiple of their size. */
export function decodeHorizontalBytes(
  bytes: Uint8Array,
  bits: 8 | 16 | 32 | 64,
  rowLength: number,
  stride: number,
): void {
  const { buffer, byteOffset, byteLength } = bytes;
  if (bits !== 64) {
    decodeHorizontal(
      new views[bits](buffer as ArrayBuffer, byteOffset, (byteLength * 8) / bits),
      rowLength,
      stride,
    );
    return;
  }
  const samples = new BigUint64Array(buffer, byteOffset, byteLength / 8);
  for (let start = 0; start < samples.length; start += rowLength) {
    const end = start + rowLength;
    for (let i = start + stride; i < end; i++) samples[i] = samples[i]! + samples[i - stride]!;
  }
}

/** Step from the most significant byte of a float of this machine to the next one. */
const BYTE_STEP = hostIsLittleEndian ? -1 : 1;
const firstByte = (sampleBytes: number): number => (hostIsLittleEndian ? sampleBytes - 1 : 0);

/**
 * Predictor 3, encoding, for floats of 2, 4 or 8 bytes: each row becomes as many planes of bytes, most significant first
 * whatever the byte order of the file, and then bytes are differenced. `source` holds floats in this machine's order.
 */
export function encodeFloating(
  source: Uint8Array,
  rowLength: number,
  stride: number,
  sampleBytes = 4,
): Uint8Array {
  const out = new Uint8Array(source.length);
  const rowBytes = rowLength * sampleBytes;
  for (let start = 0; start < source.length; start += rowBytes) {
    for (let plane = 0; plane < sampleBytes; plane++) {
      let from = start + firstByte(sampleBytes) + plane * BYTE_STEP;
      const to = start + plane * rowLength;
      for (let i = 0; i < rowLength; i++, from += sampleBytes) out[to + i] = source[from]!;
    }
    for (let i = start + rowBytes - 1; i >= start + stride; i--) out[i] = out[i]! - out[i - stride]!;
  }
  return out;
}

/**
 * Predictor 3, decoding, for floats of 2, 4 or 8 bytes; `stored` is used as scratch, the result holds floats in this
 * machine's order.
 */
export function decodeFloating(
  stored: Uint8Array,
  rowLength: number,
  stride: number,
  sampleBytes = 4,
): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(stored.length);
  const rowBytes = rowLength * sampleBytes;
  for (let start = 0; start < stored.length; start += rowBytes) {
    const end = start + rowBytes;
    for (let i = start + stride; i < end; i++) stored[i] = stored[i]! + stored[i - stride]!;
    for (let plane = 0; plane < sampleBytes; plane++) {
      const from = start + plane * rowLength;
      let to = start + firstByte(sampleBytes) + plane * BYTE_STEP;
      for (let i = 0; i < rowLength; i++, to += sampleBytes) out[to] = stored[from + i]!;
    }
  }
  return out;
}

/** Floats are written a row and that many bytes before their stored bytes (kernels/floating-predictor.ts). */
export const FLOATS_LAG_BYTES = 144;

/** Rows of floats that a block holds. */
interface FloatRows {
  /** Samples of a row, all interleaved bands counted. */
  readonly rowLength: number;
  /** Interleaved bands. */
  readonly stride: number;
  readonly sampleBytes: 2 | 4 | 8;
}

/**
 * Predictor 3, decoding: floats in this machine's order. In WebAssembly, which takes a twentieth of the time of JavaScript;
 * `stored` is used as scratch on machines whose order is not that of the kernels.
 */
export function unpredictFloats(
  stored: Uint8Array,
  { rowLength, stride, sampleBytes }: FloatRows,
): Uint8Array {
  if (!hostIsLittleEndian) return decodeFloating(stored, rowLength, stride, sampleBytes);
  return withKernels((kernels, allocate) => {
    const rowBytes = rowLength * sampleBytes;
    const to = allocate(rowBytes + FLOATS_LAG_BYTES + stored.length);
    const from = to + rowBytes + FLOATS_LAG_BYTES;
    new Uint8Array(kernels.buffer()).set(stored, from);
    kernels.run.unpredictFloats(from, to, rowBytes, stored.length / rowBytes, sampleBytes, stride);
    return new Uint8Array(kernels.buffer()).slice(to, to + stored.length);
  });
}

/** Predictor 3, encoding: the stored bytes of floats in this machine's order. */
export function predictFloats(floats: Uint8Array, { rowLength, stride, sampleBytes }: FloatRows): Uint8Array {
  if (!hostIsLittleEndian) return encodeFloating(floats, rowLength, stride, sampleBytes);
  return withKernels((kernels, allocate) => {
    const rowBytes = rowLength * sampleBytes;
    const from = allocate(floats.length);
    const to = allocate(floats.length);
    const work = allocate(rowBytes);
    new Uint8Array(kernels.buffer()).set(floats, from);
    kernels.run.predictFloats(from, to, rowBytes, floats.length / rowBytes, sampleBytes, stride, work);
    return new Uint8Array(kernels.buffer()).slice(to, to + floats.length);
  });
}
