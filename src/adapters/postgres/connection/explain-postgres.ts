import { isSwathError } from '../../../errors.ts';
import { badInput, internal, timedOut, tooBusy, unavailable } from '../../errors.ts';
import type { Connection } from './connection.ts';

/** Errors of Node and pg when there is no server, or no longer one. */
const GONE =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|ENOENT|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|08...|57P0.)$/;
const GONE_TEXT = /Connection terminated|Query read timeout|timeout expired/;
/** The pool's message when all its connections stay in use. */
const BUSY_TEXT = /timeout exceeded when trying to connect/;
/** Codes for too many clients, too little memory, too few resources. */
const BUSY: ReadonlySet<string> = new Set(['53300', '53200', '53000']);

/** PostgreSQL's code for a missing privilege. */
export const INSUFFICIENT_PRIVILEGE = '42501';

/** Retry-After: soon, because a restart takes seconds; or after an operator has acted. */
const SOON_S = 2;
const NEEDS_OPERATOR_S = 30;

/** Turns PostgreSQL's error codes into messages that a person can act on; `address` has no password. */
export function explainPostgres(error: unknown, address: string): unknown {
  if (!(error instanceof Error) || isSwathError(error)) return error;
  const code = 'code' in error ? String(error.code) : '';
  // A name with several addresses fails with all their errors at once.
  const inner = error instanceof AggregateError ? String((error.errors[0] as { code?: string })?.code) : '';
  if (GONE.test(code) || GONE.test(inner) || GONE_TEXT.test(error.message)) {
    return unavailable(
      'store-unavailable',
      `PostgreSQL at ${address} does not answer (${code || inner || 'timed out'}). Is it running, and is SWATH_DATABASE_URL right?`,
      { cause: error, details: { retryAfterS: SOON_S } },
    );
  }
  if (BUSY.has(code) || BUSY_TEXT.test(error.message)) {
    return tooBusy('store-busy', `PostgreSQL at ${address} has no connection or memory to spare.`, {
      cause: error,
      details: { retryAfterS: SOON_S },
    });
  }
  switch (code) {
    case '28P01':
    case '28000':
      return unavailable(
        'store-refused',
        error.message.includes('pg_hba.conf')
          ? `PostgreSQL at ${address} does not accept the user of SWATH_DATABASE_URL from this host (${error.message}).`
          : `PostgreSQL at ${address} refuses the user or the password of SWATH_DATABASE_URL.`,
        { cause: error, details: { retryAfterS: NEEDS_OPERATOR_S } },
      );
    case '3D000':
      return badInput(
        'store-missing',
        `PostgreSQL at ${address} has no such database. Create it with "createdb", or correct SWATH_DATABASE_URL.`,
        { cause: error },
      );
    case '57014':
      return timedOut('store-timeout', 'PostgreSQL cancelled a statement because it took too long.', {
        cause: error,
      });
    case '22P05':
    case '22021':
      return badInput('bad-text', 'PostgreSQL cannot store a text with the character NUL in it.', {
        cause: error,
      });
    case '53100':
      return unavailable('store-full', `The disk of PostgreSQL at ${address} is full.`, {
        cause: error,
        details: { retryAfterS: NEEDS_OPERATOR_S },
      });
    case '58000':
    case '58030':
      return unavailable(
        'store-io-error',
        `PostgreSQL at ${address} cannot read or write its files (${error.message}). Is its disk failing or full?`,
        { cause: error, details: { retryAfterS: NEEDS_OPERATOR_S } },
      );
    case 'XX001':
    case 'XX002':
      return internal(
        'store-corrupt',
        `The database at ${address} is damaged (${error.message}). Nothing was changed. Restore a backup.`,
        { cause: error },
      );
    // The server uses this code also for files that it may not write.
    case INSUFFICIENT_PRIVILEGE:
      return unavailable(
        'store-refused',
        `PostgreSQL at ${address} denies what Swath needs (${error.message}). Check the rights of the user of SWATH_DATABASE_URL, and that the disk of the server can be written.`,
        { cause: error, details: { retryAfterS: NEEDS_OPERATOR_S } },
      );
    case '25006':
      return unavailable(
        'store-read-only',
        `PostgreSQL at ${address} is read-only: it is a standby, or the database is set so.`,
        { cause: error, details: { retryAfterS: NEEDS_OPERATOR_S } },
      );
    default:
      return error;
  }
}

/** Explains that a role may not connect; returns other errors unchanged. */
export function explainNoConnect(
  error: unknown,
  { address, role }: Pick<Connection, 'address' | 'role'>,
): unknown {
  if (!isSwathError(error) || error.code !== 'store-refused') return error;
  const [, database] = /^permission denied for database (.+)$/.exec((error.cause as Error).message) ?? [];
  if (database === undefined) return error;
  return badInput(
    'store-rights',
    `PostgreSQL at ${address} cannot be used yet. The role ${role} may not connect to the database. Let an administrator run:\n  GRANT CONNECT ON DATABASE ${database} TO ${role};`,
    { cause: error.cause },
  );
}
