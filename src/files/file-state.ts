import type { Stats } from 'node:fs';

/** The code of a system call that failed, such as ENOSPC; null for any other error. */
export const toSystemCode = (error: unknown): string | null =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;

/** Whether a system call failed because its path is not there. */
export const isGone = (error: unknown): boolean => {
  const code = toSystemCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
};

/** Returns null if the file is missing, because another process may have removed it; throws any other error. */
export function ignoreMissing(error: unknown): null {
  if (toSystemCode(error) === 'ENOENT') return null;
  throw error;
}

/**
 * The state of a file by its size and its modification time, which Node gives to a fraction of a microsecond. Without
 * the inode number: copies on several nodes and file systems in user space (s3fs, rclone) have others for the same
 * bytes, and catalogs store this text.
 */
export const toFileStamp = ({ size, mtimeMs }: Pick<Stats, 'size' | 'mtimeMs'>): string =>
  `${size}-${mtimeMs}`;

/** The same for a file of this machine that is always replaced whole: its inode number tells one from another, too. */
export const toInodeStamp = ({ ino, mtimeMs, size }: Pick<Stats, 'ino' | 'mtimeMs' | 'size'>): string =>
  `${ino}-${mtimeMs}-${size}`;
