import { randomBytes } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { chmod, mkdir, open, rename, rm, rmdir, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { throwIfCancelled } from '../async/index.ts';
import type { SwathError } from '../errors.ts';
import { isSwathError } from '../errors.ts';
import { internal, tooLarge } from './errors.ts';
import { toSystemCode } from './file-state.ts';

/** A file that a writer has open. */
export interface OutputFile {
  /** Writes all bytes at the position, or throws. */
  write(bytes: Uint8Array, position: number): Promise<void>;
  /** Fills `into` from the position, or throws. */
  read(into: Uint8Array, position: number): Promise<void>;
  /** Resolves when the bytes are on disk. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Facts about a file on disk. */
export interface SyncedFile {
  readonly bytes: number;
  readonly modifiedAtMs: number;
  readonly ino: number;
}

/** File operations for writers that publish whole files, as a port: tests make each of them fail in turn. */
export interface OutputFiles {
  /** Creates an empty file with an unused name in the folder; `mode` overrides the umask. */
  createTemporary(
    folder: string,
    mode?: number,
  ): Promise<{ readonly path: string; readonly file: OutputFile }>;
  rename(from: string, to: string): Promise<void>;
  /** Removes a file if it exists. */
  remove(path: string): Promise<void>;
  /** Makes renames in the folder durable. */
  syncFolder(folder: string): Promise<void>;
}

/** Operations on folders whose files other code writes, and on those files. */
export interface FolderFiles extends OutputFiles {
  /** Creates a folder and its parents; returns the topmost new one, or null if all existed. */
  makeFolder(path: string): Promise<string | null>;
  /** Resolves when the bytes of a file are on disk. */
  syncFile(path: string): Promise<SyncedFile>;
  /** Removes a folder with its content if it exists. */
  removeFolder(path: string): Promise<void>;
  /** Sets the modification time of a folder to now. */
  touch(path: string): Promise<void>;
}

function toOutputFile(handle: FileHandle): OutputFile {
  return {
    async write(bytes, position) {
      for (let done = 0; done < bytes.length; ) {
        // a nearly full disk writes a part first and reports ENOSPC only for the next call
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

/** The real file system. The umask decides who may read new files (docs/operate/data-directory.md). */
export const nodeFiles: FolderFiles = {
  async createTemporary(folder, mode) {
    // a fixed pattern, so that a sweep after a crash can tell leftovers from results
    const path = join(folder, `.swath-${randomBytes(8).toString('hex')}.part`);
    const handle = await open(path, 'wx+');
    // After opening, because the umask would remove bits from a mode given to `open`.
    if (mode !== undefined) await chmod(path, mode);
    return { path, file: toOutputFile(handle) };
  },
  rename,
  remove: (path) => rm(path, { force: true }),
  async syncFolder(folder) {
    // Windows cannot open a folder; NTFS journals renames itself
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
    // One system call for an empty folder, the usual case after a file is published; `rm` makes five.
    await rmdir(path).catch(() => rm(path, { recursive: true, force: true }));
  },
  async touch(path) {
    const now = new Date();
    await utimes(path, now, now);
  },
};

/** The same without waiting for the disk, for callers that write many files and sync them all at the end. */
export const withoutSync = (files: OutputFiles): OutputFiles => ({
  ...files,
  async createTemporary(folder, mode) {
    const { path, file } = await files.createTemporary(folder, mode);
    return { path, file: { ...file, sync: async () => {} } };
  },
  syncFolder: async () => {},
});

/** Options for writing a file. */
interface WriteOptions {
  readonly files?: OutputFiles;
  /** Aborts the write. */
  readonly signal?: AbortSignal | null | undefined;
  /** Permissions of the file; by default the umask decides. */
  readonly mode?: number;
}

/** Turns a disk error into one of ours. */
export function toWriteError(error: unknown): SwathError {
  if (isSwathError(error)) return error;
  const code = toSystemCode(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return tooLarge('no-space', 'The disk has no room left for the file.', { cause: error });
  }
  return internal('write-failed', 'The file could not be written to disk.', { cause: error });
}

/** A file in the making, still under a temporary name. */
interface UnfinishedFile {
  readonly file: OutputFile;
  /** Syncs the file and renames it, durably; after a failure no file is left. */
  publish(): Promise<void>;
  /** Removes the file; does nothing after a call of `publish`. */
  discard(): Promise<void>;
}

/** Begins a file that gets its name when it is complete: the path never shows a partial file. */
export async function openUnfinished(path: string, options: WriteOptions = {}): Promise<UnfinishedFile> {
  const { files = nodeFiles, signal, mode } = options;
  const folder = dirname(path);
  const { path: temporary, file } = await files.createTemporary(folder, mode);
  let isOver = false;
  // The first error says what happened; if the disk fails here too, the temporary file stays.
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

/** Writes a file durably and completely, or not at all. */
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

/** Writes chunks in order to a path, durably and completely, or not at all. */
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
