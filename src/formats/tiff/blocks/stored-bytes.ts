import { makeBufferPool } from '../../../files/index.ts';
import type { ByteSource } from '../../../sources/index.ts';

/** Of a thread: as many stored blocks of common size as it reads at once. */
const buffers = makeBufferPool(8 * 1024 * 1024);

interface StoredRange {
  readonly offset: number;
  readonly length: number;
  readonly signal: AbortSignal | undefined;
  /** Nothing looks at the bytes after `work`, so that they may be read into memory that is used again. */
  readonly canLend: boolean;
}

/** Reads bytes of a source and does `work` with them. */
export async function withStored<Result>(
  source: ByteSource,
  { offset, length, signal, canLend }: StoredRange,
  work: (stored: Uint8Array) => Promise<Result>,
): Promise<Result> {
  if (!canLend || source.readInto === undefined) {
    const stored = await source.read(offset, length, signal);
    signal?.throwIfAborted();
    return work(stored);
  }
  const buffer = buffers.lease(length);
  const stored = new Uint8Array(buffer, 0, length);
  await source.readInto(stored, offset, signal);
  signal?.throwIfAborted();
  // Given back only after success: after a failure a read may still be writing into it.
  const result = await work(stored);
  buffers.release(buffer);
  return result;
}
