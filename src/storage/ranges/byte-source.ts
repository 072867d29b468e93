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
  /** The same into memory of the caller: fills all of `target`. Absent if the source cannot. */
  readInto?(target: Uint8Array, offset: number, signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Opens what a catalogued href points at. */
export type OpenSource = (href: string, signal?: AbortSignal) => Promise<ByteSource>;
