import { DatabaseSync } from 'node:sqlite';

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
