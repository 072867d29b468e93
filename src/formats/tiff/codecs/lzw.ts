import { withKernels } from './idle-kernels.ts';

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
