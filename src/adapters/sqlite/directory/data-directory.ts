import { accessSync, constants, mkdirSync } from 'node:fs';
import { badInput, tooLarge } from '../../../errors.ts';

/** Makes the data directory when it is missing, and says clearly why when it cannot be used. */
export function prepareDirectory(directory: string): void {
  try {
    // The rights of one that is there already are its owner's choice.
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw explainDirectory(error, directory);
  }
}

/** Turns what the file system says about the data directory into a sentence a person can act on. */
export function explainDirectory(error: unknown, directory: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return tooLarge('disk-full', `The data directory ${directory} cannot be written: the disk is full.`, {
      cause: error,
    });
  }
  if (['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENAMETOOLONG', 'ELOOP'].includes(code)) {
    return badInput(
      'data-not-writable',
      `The data directory ${directory} cannot be written (${code}). Check its owner and rights, or choose another with SWATH_DATA.`,
      { cause: error },
    );
  }
  return error;
}
