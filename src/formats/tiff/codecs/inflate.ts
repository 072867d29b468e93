import type { Allocate, Kernels } from '../../../raster/index.ts';
import { internal, sourceBroken } from '../../errors.ts';
import { FLOATS_LAG_BYTES } from '../samples/predictor.ts';
import { withKernels } from './byte-codecs.ts';

/**
 * Where a zlib stream goes on: all that is needed in addition to its last 32 KiB of output. Plain numbers, so that it can be
 * stored anywhere and cross threads.
 */
export interface InflateState {
  /** Header of the deflate block it stopped in, in bits from the start of the stream: its codes are read again. */
  readonly headerBit: number;
  /** The symbol to decode next; 0 for the first of that block. */
  readonly bit: number;
  /** Where that symbol writes: before the end of the output, when it was decoded and reaches over it. */
  readonly outBytes: number;
  /** Adler-32 of the output. */
  readonly sum: number;
}

/** A stream in the memory of the kernels. */
interface Inflation {
  /** The stored bytes, of which the first is number `firstByte` of the stream. */
  readonly stored: Uint8Array;
  readonly firstByte: number;
  /** Address of the output, and where in the stream's output it begins. */
  readonly out: number;
  readonly outFirst: number;
  /** Output bytes that must be there at the end, counted as those of the stream. */
  readonly limit: number;
  /** The stream must end there too. */
  readonly isWhole: boolean;
  /** Null at the start; otherwise the memory holds the output before it, as far as the kernel looks back. */
  readonly state: InflateState | null;
  /** Output bytes that are there and whose sum is known. */
  readonly doneBytes: number;
}

/** Bytes after the output that the kernel may write to. */
const ROOM_BYTES = 288;
/** How far back a stream may look, and how far its last symbol may reach over the end. */
const WINDOW_BYTES = 32_768;
const REACH_BYTES = 258;

const JOB_BYTES = 32;
const HEADER_BYTES = 2;
const TRAILER_BYTES = 4;
/** RFC 1950: method 8, a window of at most 32 KiB, no preset dictionary, and a sum that 31 divides. */
const isHeader = (cmf: number, flags: number): boolean =>
  (cmf & 15) === 8 && cmf >> 4 <= 7 && (flags & 32) === 0 && (cmf * 256 + flags) % 31 === 0;

/** What kernels/inflate.ts returns. */
const ENDED = 1;
const DAMAGES: ReadonlyMap<number, string> = new Map([
  [-1, 'it is cut off'],
  [-2, 'it holds more than the block'],
  [-3, 'a deflate block is of no known kind'],
  [-4, 'a deflate block has no proper codes'],
  [-5, 'a code has no meaning'],
  [-6, 'a distance reaches before the start'],
]);

const damaged = (what: string): Error => new Error(`The zlib stream is damaged: ${what}`);

/** Decodes to the limit; returns the bytes of output there are then and, unless that is the end, where to go on. */
function runInflate(
  kernels: Kernels,
  allocate: Allocate,
  how: Inflation,
): { readonly outBytes: number; readonly state: InflateState | null } {
  const { stored, firstByte, out, outFirst, limit, state } = how;
  if (state === null && (stored.length < HEADER_BYTES || !isHeader(stored[0]!, stored[1]!))) {
    throw damaged('its header is not one of zlib');
  }
  const job = allocate(JOB_BYTES);
  const from = allocate(stored.length);
  const memory = new Uint8Array(kernels.buffer());
  memory.set(stored, from);
  // the kernel looks 16 bytes further, and bits of an earlier block there could seem to be codes
  memory.fill(0, from + stored.length, from + stored.length + 16);
  const firstBit = firstByte * 8;
  const fields = new Uint32Array(kernels.buffer(), job, JOB_BYTES / 4);
  fields.set([from, stored.length, out, limit - outFirst, how.isWhole ? 1 : 0]);
  fields[5] = state === null ? HEADER_BYTES * 8 : state.headerBit - firstBit;
  fields[6] = state === null || state.bit === 0 ? 0 : state.bit - firstBit;
  fields[7] = state === null ? 0 : state.outBytes - outFirst;
  const result = kernels.run.inflate(job);
  if (result < 0) throw damaged(DAMAGES.get(result) ?? `result ${result}`);

  const [headerBit, bit, outAt] = fields.subarray(5) as unknown as [number, number, number];
  const hasEnded = result === ENDED;
  const outBytes = hasEnded ? outAt + outFirst : limit;
  const known = how.doneBytes - outFirst;
  const sum =
    kernels.run.adler32(state?.sum ?? 1, out + known, Math.max(0, outBytes - outFirst - known)) >>> 0;
  if (hasEnded) {
    const trailer = (headerBit + 7) >> 3;
    if (trailer + TRAILER_BYTES > stored.length) throw damaged('it is cut off');
    const expected = new DataView(stored.buffer, stored.byteOffset + trailer, TRAILER_BYTES).getUint32(0);
    if (sum !== expected) throw damaged('its sum is wrong');
    return { outBytes, state: null };
  }
  const next = {
    headerBit: headerBit + firstBit,
    bit: bit === 0 ? 0 : bit + firstBit,
    outBytes: outAt + outFirst,
    sum,
  };
  return { outBytes, state: next };
}

/** A whole zlib stream; throws for damage and for more than `expectedBytes`, as zlib does. */
export const inflateBytes = (stored: Uint8Array, expectedBytes: number): Uint8Array =>
  withKernels((kernels, allocate) => {
    const out = allocate(expectedBytes + ROOM_BYTES);
    const whole = { firstByte: 0, outFirst: 0, isWhole: true, state: null, doneBytes: 0 };
    const { outBytes } = runInflate(kernels, allocate, { ...whole, stored, out, limit: expectedBytes });
    return new Uint8Array(kernels.buffer()).slice(out, out + outBytes);
  });

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
