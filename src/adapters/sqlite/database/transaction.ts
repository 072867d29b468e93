import type { DatabaseSync } from 'node:sqlite';

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
