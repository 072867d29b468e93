import type { SwathError } from '../../../errors.ts';
import { internal, isSwathError, tooLarge } from '../../../errors.ts';

/** What a failure of the disk means to the caller. */
export function toWriteError(error: unknown): SwathError {
  if (isSwathError(error)) return error;
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return tooLarge('no-space', 'The disk has no room left for the image.', { cause: error });
  }
  return internal('cog-write-failed', 'The image could not be written to disk.', { cause: error });
}
