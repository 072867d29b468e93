import type { ListedObject } from '../sources/index.ts';

/** An object, read whole. */
export interface StoredObject {
  readonly bytes: Uint8Array;
  /** Without quotes. */
  readonly etag: string;
  /** How long ago it was stored, by the clock of the store. */
  readonly ageMs: number;
}

/** When an object is to be written: in any case, if there is none, or if it still has this ETag. */
export type WriteCondition = 'always' | 'absent' | { readonly etag: string };

/** Small objects and large ones below a prefix of a bucket. Each is there when it is whole, and not before. */
export interface ObjectStore {
  /** A whole object; `same` if it still has the ETag that is known, null if there is none. */
  read(key: string, options: ReadOptions): Promise<StoredObject | 'same' | null>;
  /** A range of an object; null if there is no such range. */
  readRange(
    key: string,
    range: { readonly offset: number; readonly length: number },
  ): Promise<Uint8Array | null>;
  /** Writes bytes in one request; the ETag of the object, or null if the condition was not met. */
  put(key: string, bytes: Uint8Array, options: PutOptions): Promise<string | null>;
  /** Writes a file of this machine, in parts if it is large. */
  upload(key: string, path: string, contentType: string): Promise<void>;
  /** Also when there is none. */
  remove(key: string): Promise<void>;
  /** The objects whose keys begin so, page by page; keys without the prefix of the store. */
  list(prefix: string): AsyncGenerator<readonly ListedObject[]>;
  /** Names right below a folder that have objects below them. */
  listFolders(folder: string): Promise<readonly string[]>;
  /** Aborts uploads below a folder that have got no part for so long. */
  sweepUploads(folder: string, olderThanMs: number): Promise<void>;
}

/** How much of an object is read, and whether at all. */
export interface ReadOptions {
  readonly maxBytes: number;
  /** Of the state that the caller has already. */
  readonly knownEtag?: string;
}

/** As what and when an object is written. */
export interface PutOptions {
  readonly contentType: string;
  readonly when: WriteCondition;
}
