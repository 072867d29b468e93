import type { ByteRange } from '../ranges/byte-range.ts';
import type { ByteSource, FilePart, UseBytes } from '../ranges/byte-source.ts';

/** A file of another machine, in the state in which it was opened. */
export interface RemoteSource extends ByteSource {
  /** Names this state of the file in caches on disk; null if its store does not tell one state from another. */
  readonly cacheKey: string | null;
  /** Whether its store has been asked since it was opened; false for a file opened from its stored header. */
  readonly isFresh: boolean;
  isKnown(offset: number, length: number): boolean;
  withBytes<Result>(range: ByteRange, use: UseBytes<Result>, signal?: AbortSignal): Promise<Result>;
  storeHeader(parts: readonly FilePart[]): void;
  /** Asks for one byte; throws `source-changed` or `source-gone` if the file is no longer the one that was opened. */
  confirm(signal?: AbortSignal): Promise<void>;
}
