import { mkdir, open, rename, rm, rmdir, utimes } from 'node:fs/promises';

/** What is known of a file on the disk. */
export interface SyncedFile {
  readonly bytes: number;
  readonly modifiedAtMs: number;
}

/** The file operations of a blob store that change something, as a port: tests make each of them fail in turn. */
export interface BlobFiles {
  /** Makes a folder and those above it; gives the topmost that was made, null when all were there. */
  makeFolder(path: string): Promise<string | null>;
  /** Returns when the bytes of a file are on the disk. */
  syncFile(path: string): Promise<SyncedFile>;
  /** Returns when the names in a folder are on the disk. */
  syncFolder(path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** Removes a file or a folder with all that is in it, if it is there. */
  remove(path: string): Promise<void>;
  /** Sets the time of a folder to now. */
  touch(path: string): Promise<void>;
}

/** The real file system. Who may read what is made is up to the umask (docs/operate/data-directory.md). */
export const nodeBlobFiles: BlobFiles = {
  async makeFolder(path) {
    return (await mkdir(path, { recursive: true })) ?? null;
  },
  async syncFile(path) {
    const handle = await open(path, 'r+');
    try {
      await handle.sync();
      const { size, mtimeMs } = await handle.stat();
      return { bytes: size, modifiedAtMs: mtimeMs };
    } finally {
      await handle.close();
    }
  },
  async syncFolder(path) {
    // Windows cannot open a folder; NTFS journals renames by itself.
    if (process.platform === 'win32') return;
    const handle = await open(path, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  },
  rename,
  async remove(path) {
    // One call for an empty folder, as that of each published file is; `rm` makes five.
    await rmdir(path).catch(() => rm(path, { recursive: true, force: true }));
  },
  async touch(path) {
    const now = new Date();
    await utimes(path, now, now);
  },
};
