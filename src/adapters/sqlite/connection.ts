import type { SQLInputValue, StatementResultingChanges, StatementSync } from 'node:sqlite';
import { DatabaseSync } from 'node:sqlite';
import { makeLru } from '../../lru.ts';
import type { Clause } from '../sql/sql-clause.ts';

/** How long a statement waits for another process (`swath keys` while a server runs) before it gives up. */
export const BUSY_TIMEOUT_MS = 5_000;

/**
 * Max cache of a connection: for look-ups little, for threads what a batch of 4000 scenes changes in a
 * catalog of a million (70 MiB), so that no page of it is written twice, and the upper levels of the indexes.
 */
const LOOKUP_CACHE_KIB = 8 * 1024;
const THREAD_CACHE_KIB = 192 * 1024;
/**
 * Of a new database. A scene changes a page in each of five indexes, on pages far from the last scene's: the smaller a
 * page, the less is written for it. SQLite's own 4 KiB took more than twice the bytes to load a million scenes.
 */
const PAGE_BYTES = 1024;
/**
 * Bytes in the log before they are moved into the file: loading changes the same pages again and again, and twice the log
 * is a tenth less time for a million scenes. When a load has ended, the writing thread moves what is left.
 */
const CHECKPOINT_BYTES = 1024 * 2 ** 20;

/** Opens a connection for look-ups on the calling thread; creates the file if it is missing. */
export const connectLookups = (path: string): DatabaseSync => connect(path, LOOKUP_CACHE_KIB);

/** Opens a connection for a thread, to a database at the newest schema version. */
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

/** A prepared statement whose rows are of a known type: the columns that its text selects. */
interface Prepared<Row> {
  get(...values: SQLInputValue[]): Row | undefined;
  all(...values: SQLInputValue[]): Row[];
  run(...values: SQLInputValue[]): StatementResultingChanges;
}

/** A statement whose rows are of a type. That they are is for the reader of its text to see: it is not checked. */
export const toTyped = <Row>(statement: StatementSync): Prepared<Row> =>
  statement as unknown as Prepared<Row>;

/** Prepares a statement that gives rows of a type. */
export const prepare = <Row>(database: DatabaseSync, sql: string): Prepared<Row> =>
  toTyped(database.prepare(sql));

/** Runs clauses on a connection; each text is prepared once. */
interface Queries {
  query<Row>(clause: Clause): readonly Row[];
  /** Gives the number of rows that were changed. */
  change(clause: Clause): number;
}

/** More texts than the transitions of tasks and callbacks have. */
const MAX_PREPARED = 200;

/** The queries of a connection. */
export function makeQueries(database: DatabaseSync): Queries {
  const prepared = makeLru<Prepared<unknown>>({ max: MAX_PREPARED });
  function find(sql: string): Prepared<unknown> {
    const known = prepared.get(sql);
    if (known !== undefined) return known;
    const statement = prepare(database, sql);
    prepared.set(sql, statement);
    return statement;
  }
  return {
    query: <Row>({ sql, values }: Clause) => find(sql).all(...values) as Row[],
    change: ({ sql, values }) => Number(find(sql).run(...values).changes),
  };
}

/** Runs work in a transaction. */
export function inTransaction<Result>(database: DatabaseSync, work: () => Result): Result {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // On a full disk SQLite has rolled back already, and a second rollback would hide the real error.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/** Within a transaction: if the work throws, its changes are rolled back, and the rest of the transaction goes on. */
export function inSavepoint<Result>(database: DatabaseSync, work: () => Result): Result {
  database.exec('SAVEPOINT part');
  try {
    return work();
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK TO part');
    throw error;
  } finally {
    if (database.isTransaction) database.exec('RELEASE part');
  }
}

/** Prepares statements that are answered at once, on the calling thread; their errors come in words. */
export interface Lookups {
  prepare<Row>(sql: string): Pick<Prepared<Row>, 'get' | 'all'>;
}

/** Look-ups on a connection; `explain` turns what SQLite throws into what is thrown on. */
export function makeLookups(database: DatabaseSync, explain: (error: unknown) => unknown): Lookups {
  function attempt<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      throw explain(error);
    }
  }
  return {
    prepare<Row>(sql: string) {
      const statement = prepare<Row>(database, sql);
      return {
        get: (...values) => attempt(() => statement.get(...values)),
        all: (...values) => attempt(() => statement.all(...values)),
      };
    },
  };
}

/** Milliseconds on a monotonic clock that is the same in every thread; `performance.now()` starts at zero in each. */
export const sharedNowMs = (): number => Number(process.hrtime.bigint() / 1_000_000n);
