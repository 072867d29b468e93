import { Pool } from 'pg';
import type { ResultPlace } from '../../../tasks/index.ts';
import { PLACE_EXPIRES_MS } from '../../../tasks/index.ts';
import { raw } from '../../sql/sql-clause.ts';
import type { PostgresOptions } from '../connection/connection.ts';
import { parseConnection } from '../connection/connection.ts';
import { explainNoConnect } from '../connection/explain-postgres.ts';
import { makeSqlClient, usePool } from '../connection/sql-client.ts';
import { migrations } from './migrations.ts';
import type { MissingPrecondition } from './preconditions.ts';
import { findMissingPreconditions, readDatabaseFacts } from './preconditions.ts';

/** What an inspection of a database finds; null for what does not exist yet. */
interface PostgresInspection {
  /** Without the password. */
  readonly address: string;
  readonly server: string;
  readonly postgis: string | null;
  readonly schemaVersion: number | null;
  readonly keys: number;
  readonly scenes: number;
  readonly resultPlaces: readonly ResultPlace[];
  /** What keeps Swath from working there. */
  readonly missing: readonly MissingPrecondition[];
}

/** Inspects a database and changes nothing; rejects with a sentence if there is no database. */
export async function inspectPostgresStore(
  url: string,
  options: PostgresOptions = {},
): Promise<PostgresInspection> {
  const connection = parseConnection(url, { ...options, poolSize: 1 });
  const { config, address, schema } = connection;
  const pool = new Pool(config);
  pool.on('error', () => {});
  const client = makeSqlClient(usePool(pool), address);
  const one = async <Row>(text: string): Promise<Row | undefined> => (await client.query<Row>(raw(text)))[0];
  const readPlaces = (): Promise<readonly ResultPlace[]> =>
    client.query(
      raw(`SELECT node, store_id AS "storeId", place FROM ${schema}.result_places
        WHERE seen_at > now() - interval '${PLACE_EXPIRES_MS} milliseconds' ORDER BY node`),
    );
  try {
    const found = await readDatabaseFacts(client, schema);
    const missing = findMissingPreconditions(found);
    const facts = { address, server: found.version, postgis: found.postgis?.version ?? null, missing };
    const nothing = { ...facts, schemaVersion: null, keys: 0, scenes: 0, resultPlaces: [] };
    // Without rights nothing more can be told.
    if (missing.length > 0) return nothing;
    const made = await one<{ made: boolean }>(`SELECT to_regclass('${schema}.shape') IS NOT NULL AS made`);
    if (made?.made !== true) return nothing;
    const version = await one<{ version: number }>(`SELECT version FROM ${schema}.shape`);
    const counts = await one<{ keys: string; scenes: string }>(
      `SELECT (SELECT count(*) FROM ${schema}.keys) AS keys, (SELECT count(*) FROM ${schema}.scenes) AS scenes`,
    );
    return {
      ...facts,
      schemaVersion: version?.version ?? 0,
      keys: Number(counts?.keys ?? 0),
      scenes: Number(counts?.scenes ?? 0),
      resultPlaces: version?.version === migrations.length ? await readPlaces() : [],
    };
  } catch (error) {
    throw explainNoConnect(error, connection);
  } finally {
    await pool.end();
  }
}
