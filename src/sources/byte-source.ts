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

/** How many bytes of a remote file are on this machine. */
export interface LocatedBytes {
  readonly memory: number;
  readonly disk: number;
}

/** Uses bytes that are valid only during the call. */
export type UseBytes<Result> = (bytes: Uint8Array) => Result;

/** Bytes that can be read in ranges: a file, an object in a bucket, a buffer. */
export interface ByteSource {
  /** Stable and unique in the process; a cache key, also written to logs, never shown to users. */
  readonly id: string;
  /** Changes whenever the bytes change (size and time for a file, ETag for HTTP). */
  readonly version: string;
  readonly size: number;
  /** True if reading the same bytes twice costs almost nothing: a local file, a buffer. */
  readonly isNear?: boolean;
  /** Exactly `length` bytes from `offset`; anything less throws `source-broken`. */
  read(offset: number, length: number, signal?: AbortSignal): Promise<Uint8Array>;
  /** The same for bytes that are read once: caches do not store them. Absent without caches. */
  readOnce?(offset: number, length: number, signal?: AbortSignal): Promise<Uint8Array>;
  /** The same into the caller's memory: fills all of `target`. Absent if the source cannot. */
  readInto?(target: Uint8Array, offset: number, signal?: AbortSignal): Promise<void>;
  /**
   * The same in memory that is reused: `use` must not keep the bytes after it returns. Absent if the source cannot.
   */
  withBytes?<Result>(range: ByteRange, use: UseBytes<Result>, signal?: AbortSignal): Promise<Result>;
  /** The same for bytes that are read once: caches do not store them. Absent without caches. */
  withBytesOnce?<Result>(range: ByteRange, use: UseBytes<Result>, signal?: AbortSignal): Promise<Result>;
  /** Whether these bytes are already in memory. Absent if none are. */
  isKnown?(offset: number, length: number): boolean;
  /** Counts the bytes of some ranges that are on this machine; sends no request to a store. Absent if none can be. */
  locate?(ranges: readonly ByteRange[], signal?: AbortSignal): Promise<LocatedBytes>;
  /** Asks the store whether the file is unchanged, and throws if it is not. Absent for near sources. */
  confirm?(signal?: AbortSignal): Promise<void>;
  /**
   * Whether the file is known to have changed or gone since it was opened; sends no request. Absent if the next read
   * notices it.
   */
  isLost?(): boolean;
  /**
   * Stores the header of the file: its first bytes and the other parts that a reader needed. The next opening then needs
   * no request. Absent for near sources.
   */
  storeHeader?(parts: readonly FilePart[]): void;
  close(): Promise<void>;
}

/**
 * Opens the target of a catalogued href. With the catalog's stamp of the file, alone or joined with a sidecar's, a remote
 * file is opened from its stored header if that has the same state; the first read then notices whether the file has
 * changed. Without a stamp every opening sends a request.
 */
export type OpenSource = (
  href: string,
  signal?: AbortSignal,
  known?: { readonly stamp: string | undefined },
) => Promise<ByteSource>;

/** Bytes of the first read: enough to detect the format, and for most files the whole header. */
export const HEAD_BYTES = 64 * 1024;

/**
 * Opens an image by its header: `open` reads from the start of the file without a request for every piece. If the source
 * stores headers, the other parts that `open` reads are stored too. The head is not kept in memory.
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

/** The default subject of a source's errors. */
export const SCENE_FILES: Subject = { file: 'a file of this scene', server: 'a store of this scene' };
