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

/**
 * A zlib stream whose bytes are the same on every machine, which Node's own are not. It codes single bytes and runs of
 * one byte: noise has no other repetitions worth looking for.
 */
export const deflateSteadily = (bytes: Uint8Array): Uint8Array =>
  withKernels((kernels, allocate) => {
    const pairs = allocate(PAIRS_BYTES);
    const from = allocate(MARGIN + bytes.length) + MARGIN;
    const out = allocate(maxStreamBytes(bytes.length));
    new Uint8Array(kernels.buffer()).set(bytes, from);
    const length = kernels.run.zlib(from, bytes.length, out, pairs, BLOCK_BYTES);
    return new Uint8Array(kernels.buffer()).slice(out, out + length);
  });
