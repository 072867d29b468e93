import { badInput, internal, timedOut, tooBusy } from '../../errors.ts';

/** What Node and pg say when there is no server, or no longer one. */
const GONE =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|ENOENT|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|08...|57P0.|53300)$/;
const GONE_TEXT = /timeout exceeded when trying to connect|Connection terminated|Query read timeout/;

/** Turns PostgreSQL's error codes into sentences a person can act on; `place` holds no password, nor do they. */
export function explainPostgres(error: unknown, place: string): unknown {
  if (!(error instanceof Error)) return error;
  const code = 'code' in error ? String(error.code) : '';
  // A name with several addresses fails with all their errors at once.
  const inner = error instanceof AggregateError ? String((error.errors[0] as { code?: string })?.code) : '';
  if (GONE.test(code) || GONE.test(inner) || GONE_TEXT.test(error.message)) {
    return tooBusy(
      'store-unreachable',
      `PostgreSQL at ${place} does not answer (${code || inner || 'timed out'}). Is it running, and is SWATH_DATABASE_URL right?`,
      { cause: error, details: { retryAfterS: 5 } },
    );
  }
  switch (code) {
    case '28P01':
    case '28000':
      return badInput(
        'store-refused',
        `PostgreSQL at ${place} refuses the user or the password of SWATH_DATABASE_URL.`,
        { cause: error },
      );
    case '3D000':
      return badInput(
        'store-missing',
        `PostgreSQL at ${place} has no such database. Make it with "createdb", or correct SWATH_DATABASE_URL.`,
        { cause: error },
      );
    case '57014':
      return timedOut('store-timeout', 'PostgreSQL gave a statement up because it took too long.', {
        cause: error,
      });
    case '22P05':
    case '22021':
      return badInput('bad-text', 'PostgreSQL cannot keep a text with the character NUL in it.', {
        cause: error,
      });
    case '53100':
      return internal('disk-full', `The disk of PostgreSQL at ${place} is full.`, { cause: error });
    case '25006':
      return badInput(
        'data-not-writable',
        `PostgreSQL at ${place} only reads: it is a standby, or the database is set so.`,
        { cause: error },
      );
    default:
      return error;
  }
}

/** Says what to do when PostGIS cannot be had. */
export function explainPostgis(error: unknown, place: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === '42501') {
    return badInput(
      'postgis-not-enabled',
      `The user of SWATH_DATABASE_URL may not enable PostGIS at ${place}. Let an administrator run "CREATE EXTENSION postgis" in that database.`,
      { cause: error },
    );
  }
  if (code === '0A000' || code === '58P01') {
    return badInput(
      'postgis-missing',
      `PostgreSQL at ${place} has no PostGIS. Install it (Debian: apt install postgresql-postgis), then start again.`,
      { cause: error },
    );
  }
  return explainPostgres(error, place);
}
