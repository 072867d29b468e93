import { hash } from 'node:crypto';
import { join } from 'node:path';
import type { SwathError } from '../errors.ts';
import { isSwathError } from '../errors.ts';
import type { FolderFiles } from '../files/index.ts';
import { nodeFiles, toSystemCode } from '../files/index.ts';
import { cancelled, internal, tooLarge, unavailable } from './errors.ts';
import { makeFolderObjects } from './folder-objects.ts';
import type { BlobRange, ObjectInfo, ObjectLink, ObjectStore } from './object-store.ts';
import type { Staging, StagingDeps } from './staging.ts';
import { makeStaging } from './staging.ts';

/** What is known of a stored blob; its ETag is a strong one. */
export type BlobInfo = ObjectInfo;

/** A blob of a list. */
export interface ListedBlob extends BlobInfo {
  readonly key: string;
}

/** How a blob is described where it is stored. */
interface BlobMeta {
  readonly contentType: string;
}

/** A file that is being made. It lies on a disk of this machine, in a folder of its own. */
interface StagedBlob {
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
interface BlobSweep {
  /**
   * Removes what has shown no sign of life for so long. A process that stages a file shows one every 20 seconds, an upload
   * with every part.
   */
  readonly olderThanMs: number;
  readonly signal?: AbortSignal;
}

/** What a sweep has removed. */
interface BlobSweepResult {
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
const isBlobKey = (text: string): boolean => KEY.test(text);

/** Refuses a key that could leave its folder; keys are made by us, never taken from a request. */
function checkBlobKey(key: string): string {
  if (isBlobKey(key)) return key;
  throw internal('bad-blob-key', 'A result has a name that cannot be stored.');
}

/** How long a caller waits before it asks a storage again that does not answer. */
const RETRY_AFTER_S = 30;

const noRoom = (cause: unknown): SwathError =>
  tooLarge('no-space', 'There is no room left to store the result.', { cause });

const notNow = (cause: unknown): SwathError =>
  unavailable('results-unavailable', 'The storage of results cannot be used at the moment.', {
    cause,
    details: { retryAfterS: RETRY_AFTER_S },
  });

/** Turns what a disk or a bucket threw into an error of the blob store. */
function toBlobError(error: unknown): SwathError {
  if (!isSwathError(error)) {
    const code = toSystemCode(error);
    return code === 'ENOSPC' || code === 'EDQUOT' ? noRoom(error) : notNow(error);
  }
  switch (error.tag) {
    case 'source-broken':
    case 'timed-out':
    case 'not-allowed':
      return notNow(error);
    default:
      return error.code === 'no-space' ? noRoom(error) : error;
  }
}

/** Runs work of a blob store; what it throws becomes an error of the store. After an abort, that is the reason. */
async function withBlobErrors<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!signal?.aborted) throw toBlobError(error);
    const { reason } = signal;
    throw isSwathError(reason)
      ? reason
      : cancelled('cancelled', 'The work was cancelled.', { cause: reason });
  }
}

interface BlobsDeps {
  readonly objects: ObjectStore;
  readonly staging: Staging;
  /** The key of the object that a blob is. */
  readonly toKey: (key: string) => string;
}

/** Builds the store of results over a store of objects: each is made in a folder of its own, and then published. */
export function makeBlobs({ objects, staging, toKey }: BlobsDeps): BlobStore {
  const keyOf = (key: string): string => toKey(checkBlobKey(key));
  return {
    identify: () => withBlobErrors(() => objects.identify()),
    stage: (key) =>
      withBlobErrors(async () => {
        const objectKey = keyOf(key);
        const { path: own, remove } = await staging.open();
        const path = join(own, 'file');
        return {
          path,
          publish: ({ contentType }, signal) =>
            withBlobErrors(async () => {
              const options = signal === undefined ? { contentType } : { contentType, signal };
              const info = await objects.publish(objectKey, path, options);
              await remove();
              return info;
            }, signal),
          discard: remove,
        };
      }),
    stat: (key, signal) => withBlobErrors(async () => objects.stat(keyOf(key), signal), signal),
    read: (key, range, signal) =>
      withBlobErrors(async () => objects.stream(keyOf(key), range, { signal, toError: toBlobError }), signal),
    remove: (key) => withBlobErrors(async () => objects.remove(keyOf(key))),
    list: (signal) => listBlobs(objects, toKey, signal),
    sweep: ({ olderThanMs, signal }) =>
      withBlobErrors(
        async () => ({
          staged: await staging.sweep(olderThanMs),
          uploads: await objects.sweepUploads('', olderThanMs, signal),
        }),
        signal,
      ),
    toLink: (key, link) => objects.toLink(keyOf(key), link),
  };
}

async function* listBlobs(
  objects: ObjectStore,
  toKey: BlobsDeps['toKey'],
  signal?: AbortSignal,
): AsyncGenerator<ListedBlob> {
  try {
    for await (const page of objects.list('', signal)) {
      for (const { key: whole, size: bytes, etag, modifiedAtMs } of page) {
        const key = whole.slice(whole.lastIndexOf('/') + 1);
        // Names that are not ours are neither shown nor touched.
        const isOurs = isBlobKey(key) && toKey(key) === whole;
        if (isOurs && etag !== null && modifiedAtMs !== null) yield { key, bytes, etag, modifiedAtMs };
      }
    }
  } catch (error) {
    throw toBlobError(error);
  }
}

/** Where a store of files lies, and with what it works. */
interface FolderBlobsDeps extends Partial<Omit<StagingDeps, 'folder' | 'files'>> {
  /** Made when missing; holds nothing but blobs and what is staged. */
  readonly folder: string;
  readonly files?: FolderFiles;
}

/** The folder, inside that of the results, of files that are being made: on the same disk, so that a rename is enough. */
export const toStagingFolder = (folder: string): string => join(folder, 'staging');

/** Builds the store of results in a folder. */
export function makeFolderBlobs({ folder, files = nodeFiles, ...deps }: FolderBlobsDeps): BlobStore {
  return makeBlobs({
    objects: makeFolderObjects({ folder, files, toEtag: toBlobEtag }),
    staging: makeStaging({ ...deps, files, folder: toStagingFolder(folder) }),
    toKey: toFolderKey,
  });
}

/** Two levels of 16 folders: even a million files are four thousand in each. */
function toFolderKey(key: string): string {
  const digest = hash('sha256', key, 'hex');
  return `${digest.charAt(0)}/${digest.charAt(1)}/${key}`;
}

/** Names a state of a file: keys are used once, so that this changes only if a file is replaced. */
function toBlobEtag(
  key: string,
  { size, mtimeMs }: { readonly size: number; readonly mtimeMs: number },
): string {
  const name = key.slice(key.lastIndexOf('/') + 1);
  return hash('sha256', `${name} ${size} ${mtimeMs}`, 'base64url').slice(0, 27);
}

/** The blob with the file that came with a task: the sweep of orphans leaves it while the task is open. */
export const toUploadKey = (taskId: string): string => `${taskId}.upload`;
