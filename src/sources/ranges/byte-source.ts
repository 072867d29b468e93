import type { ByteRange } from './byte-range.ts';

/** Bytes of a file and where they begin. */
export interface FilePart {
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/** Looks at bytes that are there for the moment. */
export type UseBytes<Result> = (bytes: Uint8Array) => Result;

/** Bytes that can be read in ranges: a file, an object in a bucket, a buffer. */
export interface ByteSource {
  /** Stable and unique in the process; used as cache key and in logs, never shown to users. */
  readonly id: string;
  /** Changes whenever the bytes change (size and time for a file, ETag for HTTP). */
  readonly version: string;
  readonly size: number;
  /** Set when reading the same bytes twice costs next to nothing: a file of this machine, a buffer. */
  readonly isNear?: boolean;
  /** Exactly `length` bytes from `offset`; anything less throws `source-broken`. */
  read(offset: number, length: number, signal?: AbortSignal): Promise<Uint8Array>;
  /** The same for bytes that are read once: caches do not store them. Absent if there are no caches. */
  readOnce?(offset: number, length: number, signal?: AbortSignal): Promise<Uint8Array>;
  /** The same into memory of the caller: fills all of `target`. Absent if the source cannot. */
  readInto?(target: Uint8Array, offset: number, signal?: AbortSignal): Promise<void>;
  /**
   * The same in memory that is used again: `use` looks at the bytes and retains nothing of them. Absent if the source
   * cannot.
   */
  withBytes?<Result>(range: ByteRange, use: UseBytes<Result>, signal?: AbortSignal): Promise<Result>;
  /** Whether these bytes are in memory already. Absent if none are. */
  isKnown?(offset: number, length: number): boolean;
  /** Asks the store of the file whether it is still the same, and throws if it is not. Absent for near sources. */
  confirm?(signal?: AbortSignal): Promise<void>;
  /**
   * Whether the file is known to have changed, or gone, since it was opened; asks no one. Absent if that shows with the
   * next read.
   */
  isLost?(): boolean;
  /**
   * Stores the header of the file: its first bytes and what a reader needed elsewhere. Opening it again then needs no
   * request. Absent for near sources.
   */
  storeHeader?(parts: readonly FilePart[]): void;
  close(): Promise<void>;
}

/**
 * Opens what a catalogued href points at. With the stamp that the catalog has of the file, alone or joined with that of a
 * sidecar, a remote file is opened from its stored header if that is of the same state: the first read then finds out
 * whether the file has changed. Without a stamp its store is always asked.
 */
export type OpenSource = (
  href: string,
  signal?: AbortSignal,
  known?: { readonly stamp: string | undefined },
) => Promise<ByteSource>;
