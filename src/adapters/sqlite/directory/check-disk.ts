import { access, constants, statfs } from 'node:fs/promises';
import { unavailable } from '../../../errors.ts';
import { NEEDS_OPERATOR_S } from '../database/explain-sqlite.ts';

/** With less the next write of a large area does not fit. */
const SCARCE_BYTES = 4 * 2 ** 20;

/** Rejects when the disk of the database is full, or it may not be written; writes nothing. */
export async function checkDisk(directory: string, path: string): Promise<void> {
  const details = { retryAfterS: NEEDS_OPERATOR_S };
  try {
    await access(directory, constants.W_OK);
    await access(path, constants.W_OK);
  } catch (error) {
    throw unavailable(
      'store-read-only',
      `The database ${path} cannot be written (${(error as NodeJS.ErrnoException).code}). Check its owner and rights, and that its disk is not mounted read-only.`,
      { cause: error, details },
    );
  }
  const { blocks, bfree, bavail, bsize } = await statfs(directory);
  // The superuser may use what is reserved. A file system that counts no blocks tells nothing.
  const free = (process.getuid?.() === 0 ? bfree : bavail) * bsize;
  if (blocks > 0 && free < SCARCE_BYTES) {
    const text = `The disk of the database ${path} is full: ${Math.floor(free / 1024)} KiB are left.`;
    throw unavailable('store-full', text, { details });
  }
}
