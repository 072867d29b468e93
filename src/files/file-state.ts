import type { Stats } from 'node:fs';

/** The code of a failed system call, such as ENOSPC; null for any other error. */
export const toSystemCode = (error: unknown): string | null =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;

/** Whether a system call failed because its path does not exist. */
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
 * The state of a file: its size and modification time, which Node reads to a fraction of a microsecond. The inode number
 * is not part of it: copies on several nodes and user-space file systems (s3fs, rclone) have different ones for the same
 * bytes, and catalogs store this string.
 */
export const toFileStamp = ({ size, mtimeMs }: Pick<Stats, 'size' | 'mtimeMs'>): string =>
  `${size}-${mtimeMs}`;

/** The same for a local file that is always replaced as a whole: its inode number changes with each replacement. */
export const toInodeStamp = ({ ino, mtimeMs, size }: Pick<Stats, 'ino' | 'mtimeMs' | 'size'>): string =>
  `${ino}-${mtimeMs}-${size}`;
