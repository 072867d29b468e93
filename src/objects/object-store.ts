import type { SwathError } from '../errors.ts';
import { internal, notFound } from './errors.ts';

/** What is known of an object. */
export interface ObjectInfo {
  readonly bytes: number;
  /** Without quotes: another one for other bytes. */
  readonly etag: string;
  readonly modifiedAtMs: number;
}

/** An object of a list; what the store does not tell is null. */
export interface StoredKey {
  readonly key: string;
  readonly size: number;
  readonly etag: string | null;
  readonly modifiedAtMs: number | null;
}

/** An object, read whole. */
export interface StoredObject {
  readonly bytes: Uint8Array;
  readonly etag: string;
  /** How long ago it was stored, by the clock of the store. */
  readonly ageMs: number;
}

/** When an object is to be written: in any case, if there is none, or if it still has this ETag. */
export type WriteCondition = 'always' | 'absent' | { readonly etag: string };

/** How much of an object is read, and whether at all. */
interface ReadOptions {
  readonly maxBytes: number;
  /** Of the state that the caller has already. */
  readonly knownEtag?: string;
}

/** As what and when an object is written. */
interface PutOptions {
  readonly contentType: string;
  readonly when: WriteCondition;
}

/** How a file becomes an object. */
interface PublishOptions {
  readonly contentType: string;
  readonly signal?: AbortSignal;
}

/** Bytes from `start` to before `end`. */
export interface BlobRange {
  readonly start: number;
  readonly end: number;
}

/** How an object is streamed. */
export interface StreamOptions {
  readonly signal?: AbortSignal | undefined;
  /** What becomes of an error in the middle of the stream. */
  readonly toError?: (error: unknown) => unknown;
}

/** How a link to an object is to be answered. */
export interface ObjectLink {
  readonly expiresS: number;
  readonly contentType: string;
  readonly contentDisposition: string;
}

/**
 * What the service stores, small or large, by keys such as `soil/a/cube.json`, in a folder or a bucket. An object is there
 * when it is whole, and not before. Keys are made by us, never taken from a request.
 */
export interface ObjectStore {
  /** The same for all that read and write the same objects, on any machine; made when it is first needed. */
  identify(): Promise<string>;
  stat(key: string, signal?: AbortSignal): Promise<ObjectInfo | null>;
  /** A whole object; `same` if it still has the ETag that is known, null if there is none. */
  read(key: string, options: ReadOptions): Promise<StoredObject | 'same' | null>;
  /** A range of an object; null if there is no such range. */
  readRange(
    key: string,
    range: { readonly offset: number; readonly length: number },
  ): Promise<Uint8Array | null>;
  /**
   * The bytes of a range, or all, as they are pulled. Rejects with `not-found` if there is no such object. The stream
   * fails rather than end early. Must be read to its end or cancelled.
   */
  stream(
    key: string,
    range: BlobRange | null,
    options?: StreamOptions,
  ): Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
  /** Writes bytes in one step; the ETag of the object, or null if the condition was not met. */
  put(key: string, bytes: Uint8Array, options: PutOptions): Promise<string | null>;
  /**
   * Makes a complete file of this machine the object, durably and in one step. The file may be gone afterwards; after a
   * failure it is still there, and may be published again.
   */
  publish(key: string, path: string, options: PublishOptions): Promise<ObjectInfo>;
  /** Also when there is none. */
  remove(key: string): Promise<void>;
  /** Removes all objects below a folder, whose name ends with a slash. */
  removeBelow(folder: string): Promise<void>;
  /** The objects below a folder, page by page, in any order; all of them for an empty name. */
  list(folder: string, signal?: AbortSignal): AsyncGenerator<readonly StoredKey[]>;
  /** Names right below a folder that have objects below them. */
  listFolders(folder: string): Promise<readonly string[]>;
  /** Aborts uploads right below a folder that have got no part for so long; gives their number. */
  sweepUploads(folder: string, olderThanMs: number, signal?: AbortSignal): Promise<number>;
  /** An address at which an object can be read for a while without us; null if there is none. */
  toLink(key: string, link: ObjectLink): string | null;
}

/** The error of an object that is not there. */
export const noSuchObject = (cause?: unknown): SwathError =>
  notFound('result-gone', 'This result is no longer stored.', { cause });

/** The error of an object that ends too early. */
export const objectCut = (bytes: number): SwathError =>
  internal('result-cut', 'A stored result is shorter than it was.', {
    cause: new Error(`it ends after ${bytes} bytes`),
  });
