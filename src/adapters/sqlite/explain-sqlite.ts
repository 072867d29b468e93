import type { SwathError } from '../../errors.ts';
import { internal, tooBusy, unavailable } from '../errors.ts';

/** Retry-After for errors that an operator has to fix first. */
export const NEEDS_OPERATOR_S = 30;

/** SQLite's primary result codes that are explained: sqlite.org/rescode.html. */
const RESULT = {
  permission: 3,
  busy: 5,
  readOnly: 8,
  io: 10,
  corrupt: 11,
  full: 13,
  cantOpen: 14,
  notADatabase: 26,
} as const;

/** Turns SQLite's result codes into messages that a person can act on. */
export function explainSqlite(error: unknown, path: string): SwathError | unknown {
  if (!(error instanceof Error && 'errcode' in error && typeof error.errcode === 'number')) return error;
  // Extended codes carry the primary one in the low byte.
  switch (error.errcode & 0xff) {
    case RESULT.corrupt:
    case RESULT.notADatabase:
      return internal(
        'store-corrupt',
        `The database ${path} is damaged (${error.message}). Nothing was changed. Restore a backup of the data ` +
          'directory, or move the file away to start with an empty catalog.',
        { cause: error },
      );
    case RESULT.permission:
    case RESULT.readOnly:
    case RESULT.cantOpen:
      return unavailable(
        'store-read-only',
        `The database ${path} cannot be opened for writing. Check its owner and rights, and that its disk is not mounted read-only.`,
        { cause: error, details: { retryAfterS: NEEDS_OPERATOR_S } },
      );
    case RESULT.full:
      return unavailable('store-full', `The database ${path} cannot be written: its disk is full.`, {
        cause: error,
        details: { retryAfterS: NEEDS_OPERATOR_S },
      });
    case RESULT.io:
      return unavailable(
        'store-io-error',
        `The database ${path} cannot be read or written (${error.message}). Is its disk full, over a quota, read-only or failing?`,
        { cause: error, details: { retryAfterS: NEEDS_OPERATOR_S } },
      );
    case RESULT.busy:
      return tooBusy('store-busy', `The database ${path} is held by another program for more than 5 s.`, {
        cause: error,
        details: { retryAfterS: 2 },
      });
    default:
      return error;
  }
}
