import { internal, sourceBroken } from '../../../errors.ts';
import type { Allocate, Kernels } from '../../../raster/index.ts';
import { FLOATS_LAG_BYTES } from './floating-predictor.ts';
import { withKernels } from './idle-kernels.ts';
import type { InflateState } from './inflate.ts';
import { REACH_BYTES, ROOM_BYTES, runInflate, WINDOW_BYTES } from './inflate.ts';

/** A block whose samples are stored as this machine holds them, but for their order of bytes and a predictor. */
export interface InflateRows {
  /** From byte `firstByte` of the block on: 0, or `toFirstByte` of the state to go on from. */
  readonly stored: Uint8Array;
  readonly firstByte: number;
  readonly rowBytes: number;
  readonly rows: number;
  /** Rows needed, from the top. */
  readonly wanted: number;
  readonly sampleBytes: number;
  /** Of all interleaved bands. */
  readonly pixelBytes: number;
  readonly predictor: 1 | 2 | 3;
  /** Predictor 3 has an order of its own, which is the same in all files. */
  readonly isSwapped: boolean;
  /** What is there already. Its rows are not touched; further ones are written after them. */
  readonly from: InflatedRows | null;
}

/** Samples of a block, of which the first rows are decoded. */
export interface InflatedRows {
  /** Room for all rows. */
  readonly bytes: Uint8Array;
  readonly rowsReady: number;
  /** Null at the start and at the end. */
  readonly state: InflateState | null;
}

/** The byte of a block from which on its stored bytes are needed to go on. */
export const toFirstByte = (state: InflateState | null): number =>
  state === null ? 0 : state.headerBit >> 3;

/** Sums are written that many bytes before their differences (kernels/predictor.ts). */
const SUMS_LAG_BYTES = 16;

/** Samples are written that many bytes before their stored bytes. */
function toLagBytes({ predictor, isSwapped, rowBytes }: InflateRows): number {
  if (predictor === 3) return rowBytes + FLOATS_LAG_BYTES;
  return predictor === 2 || isSwapped ? SUMS_LAG_BYTES : 0;
}

/** Decodes rows up to the wanted one, from the top or from where an earlier call stopped. */
export const inflateRows = (how: InflateRows): InflatedRows =>
  withKernels((kernels, allocate) => {
    const { rowBytes, rows, wanted, from } = how;
    const done = from?.rowsReady ?? 0;
    const state = from?.state ?? null;
    if ((done === 0) !== (state === null) || (state !== null && !isIn(state, done * rowBytes, how))) {
      throw internal('bad-block-state', `The state of a block does not belong to its ${done} rows.`);
    }
    // the stream looks back on the bytes as they were stored
    const first = Math.max(0, done - Math.ceil((WINDOW_BYTES + REACH_BYTES) / rowBytes));
    const lag = toLagBytes(how);
    const out = allocate(lag + (wanted - first) * rowBytes + ROOM_BYTES) + lag;
    if (from !== null && done > 0)
      storeAgain({ kernels, allocate, how, bytes: from.bytes, first, done, out });
    const inflated = runInflate(kernels, allocate, {
      stored: how.stored,
      firstByte: how.firstByte,
      out,
      outFirst: first * rowBytes,
      state,
      limit: wanted * rowBytes,
      isWhole: wanted === rows,
      doneBytes: done * rowBytes,
    });
    const hasEnded = inflated.state === null;
    if (inflated.outBytes < wanted * rowBytes || (hasEnded && wanted < rows)) {
      throw sourceBroken(
        'tiff-block-size',
        `A block of the image holds ${inflated.outBytes} bytes where ${rows * rowBytes} belong.`,
      );
    }

    const to = out + (done - first) * rowBytes - lag;
    const { predictor, sampleBytes, pixelBytes } = how;
    if (predictor === 3) {
      const stride = pixelBytes / sampleBytes;
      kernels.run.unpredictFloats(to + lag, to, rowBytes, wanted - done, sampleBytes, stride);
    } else if (lag > 0) {
      const [sums, swaps] = [predictor === 2 ? 1 : 0, how.isSwapped ? 1 : 0];
      kernels.run.unpredict(to, rowBytes, wanted - done, sampleBytes, pixelBytes, sums, swaps);
    }
    const fresh = new Uint8Array(kernels.buffer(), to, (wanted - done) * rowBytes);
    if (from === null && wanted === rows) return { bytes: fresh.slice(), rowsReady: rows, state: null };
    const bytes = from?.bytes ?? new Uint8Array(rows * rowBytes);
    bytes.set(fresh, done * rowBytes);
    return { bytes, rowsReady: wanted, state: inflated.state };
  });

/** States come back from caches: one that does not fit would make the kernel read what is not the block's. */
const isIn = (state: InflateState, doneBytes: number, { firstByte, stored }: InflateRows): boolean =>
  state.outBytes <= doneBytes &&
  state.outBytes >= doneBytes - REACH_BYTES &&
  toFirstByte(state) === firstByte &&
  Math.max(state.headerBit, state.bit) <= (firstByte + stored.length) * 8 &&
  (state.bit === 0 || state.bit >= state.headerBit);

/** Puts rows that were decoded before to `out`, as they were before predictor and order of bytes were undone. */
function storeAgain(job: {
  readonly kernels: Kernels;
  readonly allocate: Allocate;
  readonly how: InflateRows;
  readonly bytes: Uint8Array;
  readonly first: number;
  readonly done: number;
  readonly out: number;
}): void {
  const { kernels, allocate, how, bytes, first, done, out } = job;
  const { rowBytes, sampleBytes, pixelBytes, predictor } = how;
  const rows = bytes.subarray(first * rowBytes, done * rowBytes);
  const at = allocate(rows.length);
  const work = predictor === 3 ? allocate(rowBytes) : 0;
  new Uint8Array(kernels.buffer()).set(rows, at);
  if (predictor === 3) {
    const stride = pixelBytes / sampleBytes;
    kernels.run.predictFloats(at, out, rowBytes, done - first, sampleBytes, stride, work);
    return;
  }
  // without predictor all of a row is its first pixel, which has no left neighbour
  const spacing = predictor === 2 ? pixelBytes : rowBytes;
  kernels.run.predict(at, out, rowBytes, done - first, sampleBytes, spacing, how.isSwapped ? 1 : 0);
}
