import { sourceBroken } from '../../errors.ts';
import type { ByteSource } from '../../sources/index.ts';

/** A byte source over an array, with a count of its reads. */
export function makeMemorySource(
  bytes: Uint8Array,
): ByteSource & { readonly reads: readonly [number, number][] } {
  const reads: [number, number][] = [];
  return {
    id: 'memory',
    version: '1',
    size: bytes.length,
    reads,
    async read(offset, length, signal) {
      signal?.throwIfAborted();
      reads.push([offset, length]);
      if (offset < 0 || length < 0 || offset + length > bytes.length)
        throw sourceBroken('short-read', 'Too short.');
      return bytes.subarray(offset, offset + length);
    },
    async close() {},
  };
}
