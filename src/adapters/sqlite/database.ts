import { DatabaseSync } from 'node:sqlite';
import type { SwathError } from '../../errors.ts';
import { badInput, internal, tooBusy, unavailable } from '../../errors.ts';
import type { AreaGeometry } from '../../geo/index.ts';
import { toWkb } from '../well-known-binary.ts';
import { migrations } from './migrations.ts';
import { packRest } from './packed-record.ts';
import { makeDayCount } from './tally-writes.ts';
import { inTransaction } from './transaction.ts';

/** How long a statement waits for another process (`swath keys` beside a server) before it gives up. */
export const BUSY_TIMEOUT_MS = 5_000;

/** When to try again where a person has to do something first. */
export const NEEDS_OPERATOR_S = 30;

/** SQLite's primary result codes we tell people about: sqlite.org/rescode.html. */
const RESULT = {
  busy: 5,
  readOnly: 8,
  io: 10,
  corrupt: 11,
  full: 13,
  cantOpen: 14,
  notADatabase: 26,
} as const;

/**
 * What a connection keeps in memory at most: for look-ups little, for threads what a batch of 4000 scenes changes in a
 * catalog of a million (70 MiB), so that no page of it is written twice, and the upper levels of the indexes.
 */
const LOOKUP_CACHE_KIB = 8 * 1024;
const THREAD_CACHE_KIB = 192 * 1024;
/**
 * Of a new database. A scene changes a page in each of five indexes, at places far from the last scene's: the smaller a
 * page, the less is written for it. SQLite's own 4 KiB took more than twice the bytes to load a million scenes.
 */
const PAGE_BYTES = 1024;
/**
 * Bytes in the log before they are moved into the file: loading changes the same pages again and again, and twice the log
 * is a tenth less time for a million scenes. When a load has ended, the writing thread moves what is left.
 */
const CHECKPOINT_BYTES = 1024 * 2 ** 20;

/** Opens a connection for a thread, to a database that stands at the newest shape. */
export const connectThread = (path: string): DatabaseSync => connect(path, THREAD_CACHE_KIB);

function connect(path: string, cacheKib: number): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    // WAL lets readers and one writer work at once; FULL makes a committed row survive a power cut.
    database.exec(
      `PRAGMA page_size = ${PAGE_BYTES}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;
       PRAGMA cache_size = -${cacheKib}; PRAGMA wal_autocheckpoint = ${CHECKPOINT_BYTES / PAGE_BYTES}`,
    );
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Opens the database, or makes it, and brings it to the newest shape. Nothing is ever repaired or deleted here. */
export function openDatabase(path: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    database = connect(path, LOOKUP_CACHE_KIB);
    migrate(database);
    return database;
  } catch (error) {
    database?.close();
    throw explain(error, path);
  }
}

function migrate(database: DatabaseSync): void {
  const version = readVersion(database);
  if (version > migrations.length) {
    throw badInput(
      'store-newer',
      `The database was written by a newer Swath (its shape is ${version}, this program knows ${migrations.length}). ` +
        'Update Swath, or use another data directory; nothing was changed.',
    );
  }
  if (version < migrations.length) defineMigrationFunctions(database);
  for (let next = version; next < migrations.length; next += 1) {
    inTransaction(database, () => {
      // Another process may have migrated while we waited for the lock.
      if (readVersion(database) === next) {
        database.exec(`${migrations[next]}; PRAGMA user_version = ${next + 1}`);
      }
    });
  }
}

/** What migrations need and SQLite has not. */
export function defineMigrationFunctions(database: DatabaseSync): void {
  database.function('packed_rest', { directOnly: true }, (text) => packRest(text as string));
  database.function('well_known_binary', { directOnly: true }, (text) =>
    Buffer.from(toWkb(JSON.parse(text as string) as AreaGeometry), 'hex'),
  );
  defineTallyOf(database);
}

function defineTallyOf(database: DatabaseSync): void {
  let countDay: ReturnType<typeof makeDayCount> | undefined;
  database.function('tally_of', { directOnly: true }, (dataset, date) => {
    // Not before it is asked: the first steps know no clouds.
    countDay ??= makeDayCount(database);
    return countDay(dataset as string, date as string);
  });
}

function readVersion(database: DatabaseSync): number {
  return (database.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
}

/** Turns SQLite's result codes into sentences a person can act on. */
export function explain(error: unknown, path: string): SwathError | unknown {
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

/** What a closer look at a database finds. */
interface Inspection {
  /** Which migration it stands at. */
  readonly shape: number;
  readonly keys: number;
  readonly scenes: number;
  /** Problems found by SQLite's own check of every page and index, and by counting again; empty when all is well. */
  readonly damage: readonly string[];
}

/** Opens a database read-only and checks it whole. */
export function inspectDatabase(path: string): Inspection {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
    const opened = database;
    const rows = opened.prepare('PRAGMA integrity_check(20)').all() as { integrity_check: string }[];
    const count = (table: 'keys' | 'scenes'): number =>
      (opened.prepare(`SELECT count(*) AS n FROM ${table}`).get() as { n: number }).n;
    const damage = rows.map((row) => row.integrity_check).filter((text) => text !== 'ok');
    const shape = readVersion(opened);
    return {
      shape,
      keys: count('keys'),
      scenes: count('scenes'),
      damage: damage.length === 0 && shape === migrations.length ? findWrongTallies(opened) : damage,
    };
  } catch (error) {
    throw explain(error, path);
  } finally {
    database?.close();
  }
}

/** Days whose tally is another than that of their scenes: somebody has changed scenes by hand. */
function findWrongTallies(database: DatabaseSync): readonly string[] {
  defineTallyOf(database);
  const rows = database
    .prepare(
      `SELECT d.dataset, d.date FROM (SELECT dataset, date FROM scenes UNION SELECT dataset, date FROM tallies) d
       LEFT JOIN tallies t ON t.dataset = d.dataset AND t.date = d.date
       WHERE t.clouds IS NOT tally_of(d.dataset, d.date) LIMIT 20`,
    )
    .all() as { dataset: string; date: string }[];
  return rows.map(({ dataset, date }) => `the tally of ${dataset} on ${date} is not that of its scenes`);
}
