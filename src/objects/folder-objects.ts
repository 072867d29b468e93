import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FolderFiles, SyncedFile } from '../files/index.ts';
import {
  ignoreMissing,
  isGone,
  nodeFiles,
  toInodeStamp,
  toSystemCode,
  writeWholeFile,
} from '../files/index.ts';
import { internal, unavailable } from './errors.ts';
import type { BlobRange, ObjectStore, StoredKey } from './object-store.ts';
import { noSuchObject, objectCut } from './object-store.ts';

/** What tells a state of a file from another. */
type FileFacts = Pick<Stats, 'size' | 'mtimeMs' | 'ino'>;

/** Where objects are stored as files. */
interface FolderObjectsOptions {
  /** Made when missing. */
  readonly folder: string;
  readonly files?: FolderFiles;
  /** The ETag of a file; by its inode, time and size unless told: files are replaced whole. */
  readonly toEtag?: (key: string, facts: FileFacts) => string;
}

/** Builds the store in a folder of this machine, or of a disk that machines share. */
export function makeFolderObjects(options: FolderObjectsOptions): ObjectStore {
  const { folder, files = nodeFiles, toEtag = (_, facts) => toInodeStamp(facts) } = options;
  const publishFile = makePublishFile(folder, files);
  let id: Promise<string> | undefined;

  const toPath = (key: string): string => {
    if (!key.split('/').includes('..')) return join(folder, key);
    throw internal('bad-object-key', 'An object has a name that cannot be stored.');
  };
  const readFacts = async (key: string): Promise<Stats | null> => {
    try {
      const facts = await stat(toPath(key));
      return facts.isFile() ? facts : null;
    } catch (error) {
      if (isGone(error)) return null;
      throw error;
    }
  };

  const store: ObjectStore = {
    identify() {
      id ??= obtainFolderId(folder).catch((error: unknown) => {
        // A disk that is away now may be there for the next call.
        id = undefined;
        throw error;
      });
      return id;
    },
    async stat(key) {
      const facts = await readFacts(key);
      return facts && { bytes: facts.size, etag: toEtag(key, facts), modifiedAtMs: facts.mtimeMs };
    },
    read: (key, { maxBytes, knownEtag }) =>
      withFile(toPath(key), async (file) => {
        const facts = await file.stat();
        const etag = toEtag(key, facts);
        if (etag === knownEtag) return 'same';
        if (facts.size > maxBytes) throw internal('object-too-large', 'A stored object is too large.');
        return { bytes: await file.readFile(), etag, ageMs: Math.max(0, Date.now() - facts.mtimeMs) };
      }),
    readRange: (key, { offset, length }) =>
      withFile(toPath(key), async (file) => {
        const bytes = new Uint8Array(length);
        for (let done = 0; done < length; ) {
          const { bytesRead } = await file.read(bytes, done, length - done, offset + done);
          if (bytesRead === 0) return null;
          done += bytesRead;
        }
        return bytes;
      }),
    async stream(key, range, { signal, toError } = {}) {
      signal?.throwIfAborted();
      return streamFile(toPath(key), range, toError);
    },
    async put(key, bytes, { when }) {
      const path = toPath(key);
      if (when !== 'always') {
        // Looked at before it is written: processes that write the same objects of a folder hold a lock.
        const facts = await readFacts(key);
        const isMet = when === 'absent' ? facts === null : facts !== null && toEtag(key, facts) === when.etag;
        if (!isMet) return null;
      }
      await files.makeFolder(dirname(path));
      await writeWholeFile(path, (file) => file.write(bytes, 0), { files });
      return toEtag(key, await stat(path));
    },
    async publish(key, path, { signal }) {
      signal?.throwIfAborted();
      const { bytes, modifiedAtMs, ino } = await publishFile(path, toPath(key));
      const facts = { size: bytes, mtimeMs: modifiedAtMs, ino };
      return { bytes, etag: toEtag(key, facts), modifiedAtMs };
    },
    remove: (key) => files.remove(toPath(key)),
    removeBelow: (below) => files.removeFolder(toPath(below)),
    list: (below, signal) => listBelow(below, signal),
    async listFolders(below) {
      const entries = (await readdir(toPath(below), { withFileTypes: true }).catch(ignoreMissing)) ?? [];
      return entries
        .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
        .map(({ name }) => name);
    },
    sweepUploads: async () => 0,
    toLink: () => null,
  };
  return store;

  /** A page for each folder. */
  async function* listBelow(below: string, signal?: AbortSignal): AsyncGenerator<readonly StoredKey[]> {
    const entries = (await readdir(toPath(below), { withFileTypes: true }).catch(ignoreMissing)) ?? [];
    const page: StoredKey[] = [];
    for (const entry of entries.filter((one) => one.isFile())) {
      signal?.throwIfAborted();
      const key = `${below}${entry.name}`;
      const facts = await readFacts(key);
      // Another process may have removed it meanwhile.
      if (facts === null) continue;
      page.push({ key, size: facts.size, etag: toEtag(key, facts), modifiedAtMs: facts.mtimeMs });
    }
    if (page.length > 0) yield page;
    for (const entry of entries.filter((one) => one.isDirectory()))
      yield* listBelow(`${below}${entry.name}/`, signal);
  }
}

/** Opens a file for a moment; null if there is none. */
async function withFile<Result>(
  path: string,
  use: (file: Awaited<ReturnType<typeof open>>) => Promise<Result>,
): Promise<Result | null> {
  const opened = await open(path, 'r').catch((error: unknown) => {
    if (isGone(error)) return null;
    throw error;
  });
  if (opened === null) return null;
  await using file = opened;
  return await use(file);
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
    for (let above = dirname(own); above.length >= dirname(folder).length; above = dirname(above)) {
      await files.syncFolder(above);
      if (above === dirname(above)) break;
    }
    durable.add(own);
  };

  return async (path, target) => {
    const facts = await files.syncFile(path).catch((error: unknown) => {
      if (toSystemCode(error) !== 'ENOENT') throw error;
      throw unavailable('staged-file-gone', 'The file was removed before it was finished.', { cause: error });
    });
    const own = dirname(target);
    await ensureFolder(own);
    await files.rename(path, target).catch(async (error: unknown) => {
      // Somebody has removed the folder.
      if (toSystemCode(error) !== 'ENOENT' || !durable.delete(own)) throw error;
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

/** A folder with one file. Begins with a dot: never the name of a blob. */
const NAME = '.identity';
const FILE = 'id';

/** Reads the id of a folder of blobs; null where none was made yet. */
export async function readFolderId(folder: string): Promise<string | null> {
  const text = await readFile(join(folder, NAME, FILE), 'utf8').catch(ignoreMissing);
  return text?.trim() ?? null;
}

/**
 * The id of a folder of blobs, made when it is missing. A path does not tell whether two nodes share a folder: it may be
 * mounted elsewhere, or be another disk of the same name. Of several processes at once one makes it, and all read the same.
 */
export async function obtainFolderId(folder: string): Promise<string> {
  const known = await readFolderId(folder);
  if (known !== null) return known;
  const own = join(folder, `${NAME}.${randomUUID()}`);
  await mkdir(own, { recursive: true });
  await writeFile(join(own, FILE), `${randomUUID()}\n`);
  // A folder cannot replace one that has files, and has its files as soon as it has its name. A hard link would do the
  // same, but network shares often have none.
  const refusal = await rename(own, join(folder, NAME)).catch((error: unknown) => error);
  await rm(own, { recursive: true, force: true });
  const made = await readFolderId(folder);
  if (made !== null) return made;
  throw refusal ?? new Error('the id of a folder of results was removed');
}

/** One read: large enough for the disk, small enough that a thousand slow clients fit in memory. */
const CHUNK_BYTES = 256 * 1024;

/** Opens a file and streams a range of it, or all. The file is closed at the end, after a failure and by cancelling. */
async function streamFile(
  path: string,
  range: BlobRange | null,
  toError: (error: unknown) => unknown = (error) => error,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const file = await open(path, 'r').catch((error: unknown) => {
    throw toSystemCode(error) === 'ENOENT' ? noSuchObject(error) : error;
  });
  try {
    const { size } = await file.stat();
    const { start, end } = range ?? { start: 0, end: size };
    if (end > size) throw objectCut(size);
    let position = start;
    let isCancelled = false;
    return new ReadableStream<Uint8Array<ArrayBuffer>>(
      {
        async pull(controller) {
          try {
            const bytes = new Uint8Array(Math.min(CHUNK_BYTES, end - position));
            if (bytes.length > 0) {
              const { bytesRead } = await file.read(bytes, 0, bytes.length, position);
              if (bytesRead === 0) throw objectCut(position);
              position += bytesRead;
              if (isCancelled) return;
              controller.enqueue(bytesRead === bytes.length ? bytes : bytes.subarray(0, bytesRead));
            }
            if (position < end) return;
            // With its last bytes, so that the answer is over when its client has them.
            controller.close();
            await file.close();
          } catch (error) {
            await file.close().catch(() => {});
            controller.error(toError(error));
          }
        },
        cancel() {
          isCancelled = true;
          return file.close();
        },
      },
      // Nothing is read before it is asked for.
      { highWaterMark: 0 },
    );
  } catch (error) {
    await file.close();
    throw error;
  }
}
