import { accessSync, constants, mkdirSync } from 'node:fs';
import { badInput, unavailable } from '../../../errors.ts';
import { NEEDS_OPERATOR_S } from '../database/explain-sqlite.ts';

/** Makes the data directory if it is missing; throws a sentence that says why it cannot be used. */
export function prepareDirectory(directory: string): void {
  try {
    // The rights of an existing directory are its owner's choice.
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw explainDirectory(error, directory);
  }
}

/** What the file system says when it cannot write now, and our code for it. */
const UNAVAILABLE: ReadonlyMap<string, { readonly code: string; readonly reason: string }> = new Map([
  ['ENOSPC', { code: 'store-full', reason: 'the disk is full' }],
  ['EDQUOT', { code: 'store-full', reason: 'the quota of the disk is used up' }],
  ['EIO', { code: 'store-io-error', reason: 'the disk fails' }],
  ['EROFS', { code: 'store-read-only', reason: 'its disk is mounted read-only' }],
  ['EACCES', { code: 'store-read-only', reason: 'its owner or rights forbid it' }],
  ['EPERM', { code: 'store-read-only', reason: 'its owner or rights forbid it' }],
]);

/** What the file system says of a path at which no directory can be. */
const WRONG_PATH: ReadonlySet<string> = new Set(['ENOTDIR', 'EEXIST', 'ENAMETOOLONG', 'ELOOP']);

/** Turns what the file system says about the data directory into a sentence a person can act on. */
export function explainDirectory(error: unknown, directory: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const known = UNAVAILABLE.get(code);
  if (known !== undefined) {
    const text = `The data directory ${directory} cannot be written (${code}): ${known.reason}.`;
    return unavailable(known.code, `${text} Fix that, or choose another with SWATH_DATA.`, {
      cause: error,
      details: { retryAfterS: NEEDS_OPERATOR_S },
    });
  }
  if (!WRONG_PATH.has(code)) return error;
  return badInput(
    'data-not-writable',
    `The data directory ${directory} cannot be written (${code}). Check its path, or choose another with SWATH_DATA.`,
    { cause: error },
  );
}
