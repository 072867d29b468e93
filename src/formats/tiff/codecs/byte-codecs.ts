import type { Allocate, Kernels } from '../../../raster/index.ts';
import { loadKernels } from '../../../raster/index.ts';

/** WebAssembly memory never shrinks: after a block that takes more it is given up and made anew, in a millisecond. */
const MAX_IDLE_BYTES = 16 * 1024 * 1024;

/** One set a thread, made with its first block: codecs are a plain table and get no kernels passed in. */
let idle: Kernels | null = null;

/** Lends the thread's kernels, with all of their memory free, for work that retains nothing of it. */
export function withKernels<Result>(work: (kernels: Kernels, allocate: Allocate) => Result): Result {
  const kernels = idle ?? loadKernels();
  idle = null;
  try {
    return work(kernels, kernels.begin());
  } finally {
    if (kernels.buffer().byteLength <= MAX_IDLE_BYTES) idle = kernels;
  }
}

/** kernels/deflate.ts: a code for each pair of bytes. */
const PAIRS_BYTES = 65_536 * 4;
/** Bytes that share a set of codes; those cost some 60 bytes each time. */
const BLOCK_BYTES = 64 * 1024;
/** RFC 1951, 3.2.4: a stored piece holds that much, and its header is 3 bits, filled up to a byte, and 4 bytes. */
const STORED_MAX = 65_535;
const STORED_HEADER = 6;
/** RFC 1950: two bytes before and four after; and a byte that is not full. */
const ZLIB_BYTES = 7;
/** The kernel writes the byte before the first. */
const MARGIN = 16;

/** A stream is at most as long as if each block were stored, in as many pieces as that takes. */
const maxStreamBytes = (bytes: number): number =>
  bytes + Math.ceil(bytes / BLOCK_BYTES) * Math.ceil(BLOCK_BYTES / STORED_MAX) * STORED_HEADER + ZLIB_BYTES;

/** Memory of the kernels for a stream. */
interface DeflateRoom {
  /** Where the bytes are put. */
  readonly from: number;
  readonly byteLength: number;
  readonly out: number;
  readonly pairs: number;
}

/** Allocates what compressing that many bytes takes. */
export function roomForDeflate(byteLength: number, allocate: Allocate): DeflateRoom {
  const pairs = allocate(PAIRS_BYTES);
  const from = allocate(MARGIN + byteLength) + MARGIN;
  return { from, byteLength, out: allocate(maxStreamBytes(byteLength)), pairs };
}

/** Compresses the bytes at `from`; the stream is a view of the kernels' memory. */
export function deflateInKernels(
  run: Kernels['run'],
  buffer: ArrayBuffer,
  { from, byteLength, out, pairs }: DeflateRoom,
): Uint8Array {
  return new Uint8Array(buffer, out, run.zlib(from, byteLength, out, pairs, BLOCK_BYTES));
}

/**
 * A zlib stream whose bytes are the same on every machine, which Node's own are not. It codes single bytes and runs of
 * one byte: noise has no other repetitions worth looking for.
 */
export const deflateSteadily = (bytes: Uint8Array): Uint8Array =>
  withKernels((kernels, allocate) => {
    const room = roomForDeflate(bytes.length, allocate);
    new Uint8Array(kernels.buffer()).set(bytes, room.from);
    return deflateInKernels(kernels.run, kernels.buffer(), room).slice();
  });

/** What kernels/lzw.ts wants: 4097 entries of 8 bytes and 256 single bytes; room for one string after the output. */
const TABLE_BYTES = 4_097 * 8 + 256;
const LONGEST_STRING_BYTES = 4_096;

/**
 * Files from before 1990 pack codes from the lowest bit of a byte upwards and widen them one code later. Their first
 * code, a clear of nine bits, tells them apart, as in libtiff.
 */
const isOldStyle = (stored: Uint8Array): boolean => stored[0] === 0 && (stored[1]! & 1) === 1;

/**
 * LZW of TIFF 6.0, section 13. Stops at `expectedBytes`, as libtiff does; a stream that ends or breaks before gives
 * fewer bytes or throws. In WebAssembly, which takes a third of the time of JavaScript: it can copy 16 bytes at once.
 */
export const decodeLzw = (stored: Uint8Array, expectedBytes: number): Uint8Array =>
  withKernels((kernels, allocate) => {
    const table = allocate(TABLE_BYTES);
    const from = allocate(stored.length);
    const to = allocate(expectedBytes + LONGEST_STRING_BYTES);
    const memory = new Uint8Array(kernels.buffer());
    memory.set(stored, from);
    const old = isOldStyle(stored) ? 1 : 0;
    const written = kernels.run.lzw(from, stored.length, to, expectedBytes, table, old);
    if (written < 0) throw new Error(`LZW code ${-1 - written} has no meaning yet`);
    return memory.slice(to, to + written);
  });

/** PackBits of TIFF 6.0, section 9: runs and literals, stopped at `expectedBytes`. */
export function decodePackBits(stored: Uint8Array, expectedBytes: number): Uint8Array {
  const out = new Uint8Array(expectedBytes);
  let written = 0;
  for (let at = 0; at < stored.length && written < expectedBytes; ) {
    const head = stored[at++]!;
    // 128 means nothing
    if (head === 128) continue;
    const count = head < 128 ? head + 1 : 257 - head;
    const length = Math.min(count, expectedBytes - written);
    if (head < 128) {
      if (at + length > stored.length) throw new Error('PackBits data end within a literal');
      out.set(stored.subarray(at, at + length), written);
      at += count;
    } else {
      if (at === stored.length) throw new Error('PackBits data end within a run');
      out.fill(stored[at++]!, written, written + length);
    }
    written += length;
  }
  return out.subarray(0, written);
}
