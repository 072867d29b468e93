import { randomBytes } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { chmod, mkdir, open, rename, rm, rmdir, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { throwIfCancelled } from '../async/index.ts';
import type { SwathError } from '../errors.ts';
import { isSwathError } from '../errors.ts';
import { internal, tooLarge } from './errors.ts';
import { toSystemCode } from './file-state.ts';

/** An open file of the writer. */
export interface OutputFile {
  /** Writes all bytes at the position, or throws. */
  write(bytes: Uint8Array, position: number): Promise<void>;
  /** Fills `into` from the position, or throws. */
  read(into: Uint8Array, position: number): Promise<void>;
  /** Returns when the bytes are on the disk. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** What is known of a file on the disk. */
export interface SyncedFile {
  readonly bytes: number;
  readonly modifiedAtMs: number;
  readonly ino: number;
}

/** The file operations of writers that publish whole files, as a port: tests make each of them fail in turn. */
export interface OutputFiles {
  /** A new, empty file in the folder, under a name that is not in use; `mode` replaces what the umask leaves. */
  createTemporary(
    folder: string,
    mode?: number,
  ): Promise<{ readonly path: string; readonly file: OutputFile }>;
  rename(from: string, to: string): Promise<void>;
  /** Removes a file, if it is there. */
  remove(path: string): Promise<void>;
  /** Makes renames in the folder durable. */
  syncFolder(folder: string): Promise<void>;
}

/** The operations on folders in which files are made elsewhere, and on those files. */
export interface FolderFiles extends OutputFiles {
  /** Makes a folder and those above it; gives the topmost that was made, null when all were there. */
  makeFolder(path: string): Promise<string | null>;
  /** Returns when the bytes of a file are on the disk. */
  syncFile(path: string): Promise<SyncedFile>;
  /** Removes a folder with all that is in it, if it is there. */
  removeFolder(path: string): Promise<void>;
  /** Sets the time of a folder to now. */
  touch(path: string): Promise<void>;
}

function toOutputFile(handle: FileHandle): OutputFile {
  return {
    async write(bytes, position) {
      for (let done = 0; done < bytes.length; ) {
        // a nearly full disk takes a part first and reports ENOSPC only with the next call
        const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
        done += bytesWritten;
      }
    },
    async read(into, position) {
      for (let done = 0; done < into.length; ) {
        const { bytesRead } = await handle.read(into, done, into.length - done, position + done);
        if (bytesRead === 0) throw new Error(`temporary file ends before byte ${position + into.length}`);
        done += bytesRead;
      }
    },
    sync: () => handle.sync(),
    close: () => handle.close(),
  };
}

/** The real file system. Who may read what is made is up to the umask (docs/operate/data-directory.md). */
export const nodeFiles: FolderFiles = {
  async createTemporary(folder, mode) {
    // a fixed pattern, so that a sweep after a crash can tell leftovers from results
    const path = join(folder, `.swath-${randomBytes(8).toString('hex')}.part`);
    const handle = await open(path, 'wx+');
    // At once, and not when it is opened: the umask would take bits away.
    if (mode !== undefined) await chmod(path, mode);
    return { path, file: toOutputFile(handle) };
  },
  rename,
  remove: (path) => rm(path, { force: true }),
  async syncFolder(folder) {
    // Windows cannot open a folder; NTFS journals renames by itself
    if (process.platform === 'win32') return;
    await using handle = await open(folder, 'r');
    await handle.sync();
  },
  async makeFolder(path) {
    return (await mkdir(path, { recursive: true })) ?? null;
  },
  async syncFile(path) {
    await using handle = await open(path, 'r+');
    await handle.sync();
    const { size, mtimeMs, ino } = await handle.stat();
    return { bytes: size, modifiedAtMs: mtimeMs, ino };
  },
  async removeFolder(path) {
    // One call for an empty folder, as that of each published file is; `rm` makes five.
    await rmdir(path).catch(() => rm(path, { recursive: true, force: true }));
  },
  async touch(path) {
    const now = new Date();
    await utimes(path, now, now);
  },
};

/** The same without waiting for the disk: for callers that make many files and sync them all at the end. */
export const withoutSync = (files: OutputFiles): OutputFiles => ({
  ...files,
  async createTemporary(folder, mode) {
    const { path, file } = await files.createTemporary(folder, mode);
    return { path, file: { ...file, sync: async () => {} } };
  },
  syncFolder: async () => {},
});

/** How a file is written. */
interface WriteOptions {
  readonly files?: OutputFiles;
  /** When to give up. */
  readonly signal?: AbortSignal | null | undefined;
  /** Who may read the file; up to the umask by default. */
  readonly mode?: number;
}

/** What a failure of the disk means to the caller. */
export function toWriteError(error: unknown): SwathError {
  if (isSwathError(error)) return error;
  const code = toSystemCode(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return tooLarge('no-space', 'The disk has no room left for the file.', { cause: error });
  }
  return internal('write-failed', 'The file could not be written to disk.', { cause: error });
}

/** A file that is being made and has not got its name yet. */
interface UnfinishedFile {
  readonly file: OutputFile;
  /** Syncs the file and gives it its name, durably; after a failure nothing is left. */
  publish(): Promise<void>;
  /** Removes it; does nothing once `publish` was called. */
  discard(): Promise<void>;
}

/** Begins a file that gets its name when it is whole: the path never shows a part of it. */
export async function openUnfinished(path: string, options: WriteOptions = {}): Promise<UnfinishedFile> {
  const { files = nodeFiles, signal, mode } = options;
  const folder = dirname(path);
  const { path: temporary, file } = await files.createTemporary(folder, mode);
  let isOver = false;
  // The first error is the one that says what happened; on a disk that fails here too the leftover stays.
  const remove = (leftover: string): Promise<void> => files.remove(leftover).catch(() => {});
  return {
    file,
    async publish() {
      isOver = true;
      let leftover = temporary;
      try {
        try {
          await file.sync();
        } finally {
          await file.close();
        }
        throwIfCancelled(signal);
        await files.rename(temporary, path);
        leftover = path;
        await files.syncFolder(folder);
      } catch (error) {
        await remove(leftover);
        throw error;
      }
    },
    async discard() {
      if (isOver) return;
      isOver = true;
      await file.close().catch(() => {});
      await remove(temporary);
    },
  };
}

/** Writes a file durably, whole or not at all. */
export async function writeWholeFile<T>(
  path: string,
  fill: (file: OutputFile) => Promise<T>,
  options: WriteOptions = {},
): Promise<T> {
  try {
    throwIfCancelled(options.signal);
    const unfinished = await openUnfinished(path, options);
    try {
      const result = await fill(unfinished.file);
      await unfinished.publish();
      return result;
    } finally {
      await unfinished.discard();
    }
  } catch (error) {
    throw toWriteError(error);
  }
}

/** Writes chunks one after the other to a path, durably and whole or not at all. */
export const writeChunks = (
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  options: WriteOptions = {},
): Promise<{ readonly size: number }> =>
  writeWholeFile(
    path,
    async (file) => {
      let size = 0;
      for await (const chunk of chunks) {
        throwIfCancelled(options.signal);
        await file.write(chunk, size);
        size += chunk.length;
      }
      return { size };
    },
    options,
  );
