import { internal } from '../../errors.ts';
import type { BlobRange, ObjectInfo, ObjectLink } from '../object-store.ts';

/** What is known of a stored blob; its ETag is a strong one. */
export type BlobInfo = ObjectInfo;

/** A blob of a list. */
export interface ListedBlob extends BlobInfo {
  readonly key: string;
}

/** How a blob is described where it is stored. */
export interface BlobMeta {
  readonly contentType: string;
}

/** A file that is being made. It lies on a disk of this machine, in a folder of its own. */
export interface StagedBlob {
  /** Where to write it: nothing is there yet. Files next to it are removed with it. */
  readonly path: string;
  /**
   * Makes the file, which must be complete, the blob of its key, durably and in one step: until then nothing is found
   * under the key, or the blob that was there before. After a failure the file is still staged, and may be published
   * again.
   */
  publish(meta: BlobMeta, signal?: AbortSignal): Promise<BlobInfo>;
  /** Removes the file and its folder; does nothing after `publish` or a second time. Never throws. */
  discard(): Promise<void>;
}

/** What a sweep removes. */
export interface BlobSweep {
  /**
   * Removes what has shown no sign of life for so long. A process that stages a file shows one every 20 seconds, an upload
   * with every part.
   */
  readonly olderThanMs: number;
  readonly signal?: AbortSignal;
}

/** What a sweep has removed. */
export interface BlobSweepResult {
  /** Folders of files that their processes will not finish. */
  readonly staged: number;
  /** Uploads that their processes will not complete. */
  readonly uploads: number;
}

/**
 * Large results of work, each written once and whole. What cannot be reached or written now throws `unavailable`, a full
 * disk or bucket `too-large` with the code `no-space`.
 */
export interface BlobStore {
  /** The same for all that read and write the same blobs, on any machine; made when it is first needed. */
  identify(): Promise<string>;
  stage(key: string): Promise<StagedBlob>;
  stat(key: string, signal?: AbortSignal): Promise<BlobInfo | null>;
  /**
   * The bytes of a range, or all, as they are pulled. Rejects with `not-found` if there is no such blob. The stream fails
   * rather than end early. Must be read to its end or cancelled.
   */
  read(
    key: string,
    range: BlobRange | null,
    signal?: AbortSignal,
  ): Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
  /** Also when there is none. */
  remove(key: string): Promise<void>;
  /** All blobs, in any order; those that are stored or removed meanwhile may be missing. */
  list(signal?: AbortSignal): AsyncIterable<ListedBlob>;
  /** Cleans up after processes that were killed; what live ones do is left alone. */
  sweep(options: BlobSweep): Promise<BlobSweepResult>;
  /** An address at which a blob can be read for a while without us; null if there is none. */
  toLink(key: string, link: ObjectLink): string | null;
}

/** Safe as a file name and as the end of an object's key, and never hidden. */
const KEY = /^[A-Za-z0-9][A-Za-z0-9.-]{0,99}$/;

/** Whether a name can be that of a blob. */
export const isBlobKey = (text: string): boolean => KEY.test(text);

/** Refuses a key that could leave its folder; keys are made by us, never taken from a request. */
export function checkBlobKey(key: string): string {
  if (isBlobKey(key)) return key;
  throw internal('bad-blob-key', 'A result has a name that cannot be stored.');
}
