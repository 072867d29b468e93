import type { Stats } from 'node:fs';

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
