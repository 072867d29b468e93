import { hash } from 'node:crypto';
import { join } from 'node:path';
import type { FolderFiles } from '../../files/index.ts';
import { nodeFiles } from '../../files/index.ts';
import { makeFolderObjects } from '../folder/folder-objects.ts';
import type { ObjectStore } from '../object-store.ts';
import { toBlobError, withBlobErrors } from './blob-errors.ts';
import type { BlobStore, ListedBlob } from './blob-store.ts';
import { checkBlobKey, isBlobKey } from './blob-store.ts';
import type { Staging, StagingDeps } from './staging.ts';
import { makeStaging } from './staging.ts';

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
