import type { Allocate, Kernels } from '../../../raster/index.ts';
import { withKernels } from './idle-kernels.ts';

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
