import type { Subject } from '../errors.ts';

/** A range of bytes of a file. */
export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

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

/** First read of a file: tells the formats apart, and holds the whole header of most. */
export const HEAD_BYTES = 64 * 1024;

/**
 * Opens an image by its header: `open` reads from the start of the file without a request for every piece. What it read
 * elsewhere is stored with the header of the file, where the source can do so. The head is not retained.
 */
export async function readHeader<Opened>(
  source: ByteSource,
  open: (headed: ByteSource) => Promise<Opened>,
  signal?: AbortSignal,
): Promise<Opened> {
  const head = await source.read(0, Math.min(HEAD_BYTES, source.size), signal);
  const parts: FilePart[] = [];
  const opened = await open({
    id: source.id,
    version: source.version,
    size: source.size,
    isNear: source.isNear === true,
    async read(offset, length, stop) {
      const isKnown = offset >= 0 && length >= 0 && offset + length <= head.length;
      if (isKnown) return head.subarray(offset, offset + length);
      const bytes = await source.read(offset, length, stop);
      if (source.storeHeader !== undefined) parts.push({ offset, bytes });
      return bytes;
    },
    close: () => source.close(),
  });
  source.storeHeader?.(parts);
  return opened;
}

/** What errors of a source are about, unless its caller says otherwise. */
export const SCENE_FILES: Subject = { file: 'a file of this scene', server: 'a store of this scene' };
