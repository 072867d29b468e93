import { randomBytes } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

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

/** The file operations of the writer, as a port: tests make each of them fail in turn. */
export interface OutputFiles {
  /** A new, empty file in the folder, under a name that is not in use. */
  createTemporary(folder: string): Promise<{ readonly path: string; readonly file: OutputFile }>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Makes renames in the folder durable. */
  syncFolder(folder: string): Promise<void>;
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

/** The real file system. */
export const nodeFiles: OutputFiles = {
  async createTemporary(folder) {
    // a fixed pattern, so that a sweep after a crash can tell leftovers from results
    const path = join(folder, `.swath-${randomBytes(8).toString('hex')}.part`);
    return { path, file: toOutputFile(await open(path, 'wx+')) };
  },
  rename,
  remove: (path) => rm(path, { force: true }),
  async syncFolder(folder) {
    // Windows cannot open a folder; NTFS journals renames by itself
    if (process.platform === 'win32') return;
    const handle = await open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  },
};

/** The same without waiting for the disk: for callers that make many files and sync them all at the end. */
export const withoutSync = (files: OutputFiles): OutputFiles => ({
  ...files,
  async createTemporary(folder) {
    const { path, file } = await files.createTemporary(folder);
    return { path, file: { ...file, sync: async () => {} } };
  },
  syncFolder: async () => {},
});
