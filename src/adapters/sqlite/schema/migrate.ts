import type { DatabaseSync } from 'node:sqlite';
import { badInput } from '../../../errors.ts';
import type { AreaGeometry } from '../../../geo/index.ts';
import { toWkb } from '../../sql/well-known-binary.ts';
import { makeDayCount } from '../counts/count-writes.ts';
import { connectLookups } from '../database/connect.ts';
import { explainSqlite } from '../database/explain-sqlite.ts';
import { prepare } from '../database/queries.ts';
import { inTransaction } from '../database/transaction.ts';
import { packRest } from '../scenes/packed-record.ts';
import { migrations } from './migrations.ts';

/** Opens the database, or creates it, and migrates it to the newest schema version. Nothing is ever repaired or deleted here. */
export function openDatabase(path: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    database = connectLookups(path);
    migrate(database);
    return database;
  } catch (error) {
    database?.close();
    throw explainSqlite(error, path);
  }
}

function migrate(database: DatabaseSync): void {
  const version = readSchemaVersion(database);
  if (version > migrations.length) {
    throw badInput(
      'store-newer',
      `The database was written by a newer Swath (its schema version is ${version}, this program knows ${migrations.length}). ` +
        'Update Swath, or use another data directory; nothing was changed.',
    );
  }
  if (version < migrations.length) defineMigrationFunctions(database);
  for (let next = version; next < migrations.length; next += 1) {
    inTransaction(database, () => {
      // Another process may have migrated while we waited for the lock.
      if (readSchemaVersion(database) === next) {
        database.exec(`${migrations[next]}; PRAGMA user_version = ${next + 1}`);
      }
    });
  }
}

/** Functions that migrations call and SQLite does not have. */
export function defineMigrationFunctions(database: DatabaseSync): void {
  database.function('packed_rest', { directOnly: true }, (text) => packRest(text as string));
  database.function('well_known_binary', { directOnly: true }, (text) =>
    Buffer.from(toWkb(JSON.parse(text as string) as AreaGeometry), 'hex'),
  );
  defineTallyFunction(database);
}

/** Defines `tally_of(dataset, date)`, which counts the clouds of a day again. */
export function defineTallyFunction(database: DatabaseSync): void {
  let countDay: ReturnType<typeof makeDayCount> | undefined;
  database.function('tally_of', { directOnly: true }, (dataset, date) => {
    // Prepared on first use: the first migrations have no clouds.
    countDay ??= makeDayCount(database);
    return countDay(dataset as string, date as string);
  });
}

/** The schema version: how many migrations have run. */
export function readSchemaVersion(database: DatabaseSync): number {
  return prepare<{ user_version: number }>(database, 'PRAGMA user_version').get()?.user_version ?? 0;
}
