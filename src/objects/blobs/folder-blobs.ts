import { hash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { unavailable } from '../../errors.ts';
import type { FolderFiles, SyncedFile } from '../../files/index.ts';
import { ignoreMissing, nodeFiles } from '../../files/index.ts';
import { withBlobErrors } from './blob-errors.ts';
import type { BlobInfo, BlobStore, ListedBlob, StagedBlob } from './blob-store.ts';
import { checkBlobKey, isBlobKey } from './blob-store.ts';
import { obtainFolderId } from './folder-identity.ts';
import type { StagingDeps } from './staging.ts';
import { makeStaging } from './staging.ts';
import { streamFile } from './stream-file.ts';

/** Where a store of files lies, and with what it works. */
export interface FolderBlobsDeps extends Partial<Omit<StagingDeps, 'folder'>> {
  /** Made when missing; holds nothing but blobs and what is staged. */
  readonly folder: string;
}

/** The folder, inside that of the results, of files that are being made: on the same disk, so that a rename is enough. */
export const toStagingFolder = (folder: string): string => join(folder, 'staging');

/** Builds the store in a folder of this machine, or of a disk that machines share. */
export function makeFolderBlobs({ folder, files = nodeFiles, ...deps }: FolderBlobsDeps): BlobStore {
  const staging = makeStaging({ ...deps, files, folder: toStagingFolder(folder) });
  const publishFile = makePublishFile(folder, files);

  let id: Promise<string> | undefined;
  return {
    identify() {
      id ??= withBlobErrors(() => obtainFolderId(folder)).catch((error: unknown) => {
        // A disk that is away now may be there for the next call.
        id = undefined;
        throw error;
      });
      return id;
    },
    stage: (key) =>
      withBlobErrors(async () => {
        const target = toBlobPath(folder, checkBlobKey(key));
        const { path: own, remove } = await staging.open();
        const path = join(own, 'file');
        const staged: StagedBlob = {
          path,
          publish: (_meta, signal) =>
            withBlobErrors(async () => {
              signal?.throwIfAborted();
              const facts = await publishFile(path, target);
              await remove();
              return toInfo(key, facts);
            }, signal),
          discard: remove,
        };
        return staged;
      }),
    stat: (key) => withBlobErrors(() => readInfo(toBlobPath(folder, checkBlobKey(key)), key)),
    read: (key, range, signal) =>
      withBlobErrors(async () => {
        signal?.throwIfAborted();
        return streamFile(toBlobPath(folder, checkBlobKey(key)), range);
      }, signal),
    remove: (key) => withBlobErrors(() => files.remove(toBlobPath(folder, checkBlobKey(key)))),
    list: (signal) => listFolder(folder, signal),
    sweep: ({ olderThanMs }) =>
      withBlobErrors(async () => ({ staged: await staging.sweep(olderThanMs), uploads: 0 })),
    toLink: () => null,
  };
}

/** Two levels of 16 folders: even a million files are four thousand in each. */
function toBlobPath(folder: string, key: string): string {
  const digest = hash('sha256', key, 'hex');
  return join(folder, digest.charAt(0), digest.charAt(1), key);
}

/** Moves whole files under their final names. */
type PublishFile = (path: string, target: string) => Promise<SyncedFile>;

/** Builds it: a file is on the disk before it has its name, and the name is before the call returns. */
function makePublishFile(folder: string, files: FolderFiles): PublishFile {
  /** Folders that are on the disk themselves, as far as this process has seen to it. */
  const durable = new Set<string>();

  const ensureFolder = async (own: string): Promise<void> => {
    if (durable.has(own)) return;
    await files.makeFolder(own);
    // A folder is on the disk when the one above it is. Another process may have made it and not come so far yet.
    for (const above of [dirname(own), folder, dirname(folder)]) await files.syncFolder(above);
    durable.add(own);
  };

  return async (path, target) => {
    const facts = await files.syncFile(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      throw unavailable('staged-file-gone', 'The file was removed before it was finished.', { cause: error });
    });
    const own = dirname(target);
    await ensureFolder(own);
    await files.rename(path, target).catch(async (error: NodeJS.ErrnoException) => {
      // Somebody has removed the folder.
      if (error.code !== 'ENOENT' || !durable.delete(own)) throw error;
      await ensureFolder(own);
      await files.rename(path, target);
    });
    try {
      await files.syncFolder(own);
    } catch (error) {
      // Back to where it was, so that it can be published again; a file that cannot be moved is whole all the same.
      await files.rename(target, path).catch(() => {});
      throw error;
    }
    return facts;
  };
}

/** Names a state of a file: keys are used once, so that this changes only if a file is replaced. */
function toInfo(key: string, { bytes, modifiedAtMs }: SyncedFile): BlobInfo {
  const state = hash('sha256', `${key} ${bytes} ${modifiedAtMs}`, 'base64url');
  return { bytes, etag: state.slice(0, 27), modifiedAtMs };
}

async function readInfo(path: string, key: string): Promise<BlobInfo | null> {
  const facts = await stat(path).catch(ignoreMissing);
  return facts && toInfo(key, { bytes: facts.size, modifiedAtMs: facts.mtimeMs });
}

/** The folders of one level. */
const DIGITS = [...'0123456789abcdef'];

async function* listFolder(folder: string, signal?: AbortSignal): AsyncGenerator<ListedBlob> {
  for (const path of DIGITS.flatMap((a) => DIGITS.map((b) => join(folder, a, b)))) {
    const names = await withBlobErrors(() => readNames(path));
    for (const key of names) {
      signal?.throwIfAborted();
      const file = join(path, key);
      // Names that are not ours are neither shown nor touched.
      if (!isBlobKey(key) || toBlobPath(folder, key) !== file) continue;
      const info = await withBlobErrors(() => readInfo(file, key));
      if (info !== null) yield { key, ...info };
    }
  }
}

const readNames = async (path: string): Promise<readonly string[]> =>
  (await readdir(path).catch(ignoreMissing)) ?? [];
