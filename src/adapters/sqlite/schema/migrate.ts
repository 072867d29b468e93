import { DatabaseSync } from 'node:sqlite';
import type { AreaGeometry } from '../../../geo/index.ts';
import type { ResultPlace } from '../../../tasks/index.ts';
import { PLACE_EXPIRES_MS } from '../../../tasks/index.ts';
import { badInput } from '../../errors.ts';
import { toWkb } from '../../sql/scenes.ts';
import { BUSY_TIMEOUT_MS, connectLookups, inTransaction, prepare } from '../connection.ts';
import { explainSqlite } from '../explain-sqlite.ts';
import { packRest } from '../scenes/packed-records.ts';
import { makeDayCount } from '../scenes/scene-counts.ts';
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

/** Defines the functions that migrations call and SQLite lacks. */
export function defineMigrationFunctions(database: DatabaseSync): void {
  database.function('packed_rest', { directOnly: true }, (text) => packRest(text as string));
  database.function('well_known_binary', { directOnly: true }, (text) =>
    Buffer.from(toWkb(JSON.parse(text as string) as AreaGeometry), 'hex'),
  );
  defineTallyFunction(database);
}

/** Defines `tally_of(dataset, date)`, which counts the clouds of a day again. */
function defineTallyFunction(database: DatabaseSync): void {
  let countDay: ReturnType<typeof makeDayCount> | undefined;
  database.function('tally_of', { directOnly: true }, (dataset, date) => {
    // Prepared on first use: the first migrations have no clouds.
    countDay ??= makeDayCount(database);
    return countDay(dataset as string, date as string);
  });
}

/** The schema version: how many migrations have run. */
function readSchemaVersion(database: DatabaseSync): number {
  return prepare<{ user_version: number }>(database, 'PRAGMA user_version').get()?.user_version ?? 0;
}

/** The result of an inspection. */
interface Inspection {
  readonly schemaVersion: number;
  readonly keys: number;
  readonly scenes: number;
  /** Scenes of live catalogs that were used. */
  readonly knownScenes: number;
  readonly resultPlaces: readonly ResultPlace[];
  /** Problems that SQLite's own check of every page and index finds, and those of a recount; empty if there are none. */
  readonly damage: readonly string[];
}

/** Opens a database read-only and checks all of it. */
export function inspectDatabase(path: string): Inspection {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
    const opened = database;
    const rows = prepare<{ integrity_check: string }>(opened, 'PRAGMA integrity_check(20)').all();
    const count = (table: 'keys' | 'scenes' | 'known_scenes'): number =>
      prepare<{ n: number }>(opened, `SELECT count(*) AS n FROM ${table}`).get()?.n ?? 0;
    const damage = rows.map((row) => row.integrity_check).filter((text) => text !== 'ok');
    const schemaVersion = readSchemaVersion(opened);
    // Older ones lack tables.
    const isNewest = schemaVersion === migrations.length;
    return {
      schemaVersion,
      keys: count('keys'),
      scenes: count('scenes'),
      knownScenes: isNewest ? count('known_scenes') : 0,
      resultPlaces: isNewest ? readPlaces(opened) : [],
      damage: damage.length === 0 && isNewest ? findWrongCounts(opened) : damage,
    };
  } catch (error) {
    throw explainSqlite(error, path);
  } finally {
    database?.close();
  }
}

function readPlaces(database: DatabaseSync): readonly ResultPlace[] {
  const places = prepare<ResultPlace>(
    database,
    'SELECT node, store_id AS storeId, place FROM result_places WHERE seen_at > ? ORDER BY node',
  );
  return places.all(Date.now() - PLACE_EXPIRES_MS).map((row) => ({ ...row }));
}

/** Days whose counts differ from their scenes, because somebody changed scenes by hand. */
function findWrongCounts(database: DatabaseSync): readonly string[] {
  defineTallyFunction(database);
  const rows = prepare<{ dataset: string; date: string }>(
    database,
    `SELECT d.dataset, d.date FROM (SELECT dataset, date FROM scenes UNION SELECT dataset, date FROM tallies) d
       LEFT JOIN tallies t ON t.dataset = d.dataset AND t.date = d.date
       WHERE t.clouds IS NOT tally_of(d.dataset, d.date) LIMIT 20`,
  ).all();
  return rows.map(
    ({ dataset, date }) => `the count table disagrees with the scenes of ${dataset} on ${date}`,
  );
}
