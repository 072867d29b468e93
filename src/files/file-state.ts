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

/** The state of a file that is always replaced as a whole: its inode number changes with each replacement. */
export const toInodeStamp = ({ ino, mtimeMs, size }: Pick<Stats, 'ino' | 'mtimeMs' | 'size'>): string =>
  `${ino}-${mtimeMs}-${size}`;
