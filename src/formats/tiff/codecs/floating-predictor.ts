import { hostIsLittleEndian } from '../samples/byte-order.ts';
import { decodeFloating, encodeFloating } from '../samples/predictor.ts';
import { withKernels } from './idle-kernels.ts';

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
