import type { SQLInputValue, StatementResultingChanges, StatementSync } from 'node:sqlite';
import { DatabaseSync } from 'node:sqlite';
import { makeLru } from '../../lru.ts';
import type { Clause } from '../sql/sql.ts';

/** How long a statement waits for another process (`swath keys` while a server runs) before it gives up. */
export const BUSY_TIMEOUT_MS = 5_000;

/**
 * Page cache of a connection: little for look-ups; for threads the pages that a batch of 4000 scenes changes in a catalog
 * of a million (70 MiB), so that none is written twice, and the upper levels of the indexes.
 */
const LOOKUP_CACHE_KIB = 8 * 1024;
const THREAD_CACHE_KIB = 192 * 1024;
/**
 * Page size of a new database. A scene changes a page in each of five indexes, far from those of the last scene: with
 * smaller pages less is written. SQLite's default of 4 KiB wrote more than twice the bytes for a million scenes.
 */
const PAGE_BYTES = 1024;
/**
 * Bytes in the log before a checkpoint: loading changes the same pages many times, and twice the log saves a tenth of the
 * time for a million scenes. After a load the writing thread moves the rest into the file.
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

/** A prepared statement with typed rows: the columns that its SQL selects. */
interface Prepared<Row> {
  get(...values: SQLInputValue[]): Row | undefined;
  all(...values: SQLInputValue[]): Row[];
  run(...values: SQLInputValue[]): StatementResultingChanges;
}

/** Gives the rows of a statement a type, which nothing checks: it must agree with the SQL. */
export const toTyped = <Row>(statement: StatementSync): Prepared<Row> =>
  statement as unknown as Prepared<Row>;

/** Prepares a statement with typed rows. */
export const prepare = <Row>(database: DatabaseSync, sql: string): Prepared<Row> =>
  toTyped(database.prepare(keepCompiled(sql)));

/**
 * SQLite compiles a statement with a bare placeholder as its limit again whenever values are bound, to plan for that limit;
 * for a short search that takes as long as running it. The planner does not look into a sum.
 */
const keepCompiled = (sql: string): string => sql.replaceAll(/\bLIMIT \?\d*/g, '$& + 0');

/** Runs clauses on a connection; each SQL string is prepared once. */
interface Queries {
  query<Row>(clause: Clause): readonly Row[];
  /** Returns the number of changed rows. */
  change(clause: Clause): number;
}

/** More than the transitions of tasks and callbacks need. */
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
    // On a full disk SQLite has already rolled back, and a second rollback would hide the real error.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/** Runs work within a transaction; if it throws, only its own changes are rolled back. */
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

/** Prepares statements that run on the calling thread; their errors are explained. */
export interface Lookups {
  prepare<Row>(sql: string): Pick<Prepared<Row>, 'get' | 'all'>;
}

/** Builds look-ups on a connection; `explain` translates SQLite's errors. */
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
