import { DatabaseSync } from 'node:sqlite';
import type { ResultPlace } from '../../../tasks/index.ts';
import { PLACE_EXPIRES_MS } from '../../../tasks/index.ts';
import { BUSY_TIMEOUT_MS } from '../database/connect.ts';
import { explainSqlite } from '../database/explain-sqlite.ts';
import { prepare } from '../database/queries.ts';
import { defineTallyFunction, readSchemaVersion } from './migrate.ts';
import { migrations } from './migrations.ts';

/** What an inspection of a database finds. */
interface Inspection {
  readonly schemaVersion: number;
  readonly keys: number;
  readonly scenes: number;
  readonly resultPlaces: readonly ResultPlace[];
  /** Problems found by SQLite's own check of every page and index, and by counting again; empty if there are none. */
  readonly damage: readonly string[];
}

/** Opens a database read-only and checks all of it. */
export function inspectDatabase(path: string): Inspection {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
    const opened = database;
    const rows = prepare<{ integrity_check: string }>(opened, 'PRAGMA integrity_check(20)').all();
    const count = (table: 'keys' | 'scenes'): number =>
      prepare<{ n: number }>(opened, `SELECT count(*) AS n FROM ${table}`).get()?.n ?? 0;
    const damage = rows.map((row) => row.integrity_check).filter((text) => text !== 'ok');
    const schemaVersion = readSchemaVersion(opened);
    return {
      schemaVersion,
      keys: count('keys'),
      scenes: count('scenes'),
      resultPlaces: schemaVersion === migrations.length ? readPlaces(opened) : [],
      damage: damage.length === 0 && schemaVersion === migrations.length ? findWrongCounts(opened) : damage,
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

/** Days whose counts differ from their scenes: somebody has changed scenes by hand. */
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
