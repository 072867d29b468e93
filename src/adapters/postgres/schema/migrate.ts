import { Pool } from 'pg';
import type { ResultPlace } from '../../../tasks/index.ts';
import { PLACE_EXPIRES_MS } from '../../../tasks/index.ts';
import { badInput } from '../../errors.ts';
import { raw, sql } from '../../sql/sql.ts';
import type { Connection, PostgresOptions } from '../connection/connection.ts';
import { parseConnection } from '../connection/connection.ts';
import { explainNoConnect, explainPostgres, INSUFFICIENT_PRIVILEGE } from '../connection/explain-postgres.ts';
import type { SqlClient } from '../connection/sql-client.ts';
import { makeSqlClient, usePool } from '../connection/sql-client.ts';
import { migrations, WORKS_FROM } from './migrations.ts';
import { completeOnline } from './online-steps.ts';
import type { DatabaseFacts, MissingPrecondition } from './preconditions.ts';
import { findMissingPreconditions, readDatabaseFacts, refuseMissingPreconditions } from './preconditions.ts';

/** Any number that every Swath shares: "swath" on a phone keypad. */
const MIGRATION_LOCK = 79284;

/**
 * Migrates the database to the newest schema version, which is stored in its table `shape`. If many nodes start at once,
 * one migrates and the others wait. What would lock tables for long is done after the transaction. It uses its own connection, without the timeouts of searches: moving a million scenes
 * takes minutes.
 */
export async function migrate(connection: Connection): Promise<void> {
  const { statement_timeout: _server, query_timeout: _client, ...config } = connection.config;
  const pool = new Pool({ ...config, max: 1 });
  // Without a listener, the loss of an idle connection would end the process; queries reject anyway.
  pool.on('error', () => {});
  try {
    const client = makeSqlClient(usePool(pool), connection.address);
    if (await migrateWith(client, connection)) await completeOnline(client, connection.schema);
  } catch (error) {
    throw explainNoConnect(error, connection);
  } finally {
    await pool.end();
  }
}

/** True if the database now has the schema of this version; false if it has a newer one, which this version can use. */
async function migrateWith(client: SqlClient, { schema, address }: Connection): Promise<boolean> {
  return client.inTransaction(async (held) => {
    // Held until the end of the transaction, however it ends.
    await held.query(sql`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`);
    const before = await readDatabaseFacts(held, schema);
    const facts = (await enablePostgis(held, before, address))
      ? await readDatabaseFacts(held, schema)
      : before;
    refuseMissingPreconditions(findMissingPreconditions(facts), { address, database: facts.database });
    // Even with IF NOT EXISTS PostgreSQL demands the privilege to create schemas, which the owner of a schema may lack.
    if (!facts.schema.exists) await held.query(raw(`CREATE SCHEMA ${schema}`));
    await held.query(raw(`CREATE TABLE IF NOT EXISTS ${schema}.shape (version integer NOT NULL)`));
    const [row] = await held.query<{ version: number }>(raw(`SELECT version FROM ${schema}.shape`));
    const version = row?.version ?? 0;
    if (version > migrations.length) {
      // A node that starts again while others are upgraded. Its version is at least the one whose step adds the column.
      const [newer] = await held.query<{ works_from: number }>(raw(`SELECT works_from FROM ${schema}.shape`));
      if (newer !== undefined && newer.works_from <= migrations.length) return false;
      throw badInput(
        'store-newer',
        `The database at ${address} was written by a newer Swath (its schema version is ${version}, this program knows ${migrations.length}). Update Swath; nothing was changed.`,
      );
    }
    for (const step of migrations.slice(version)) await held.query(raw(step));
    if (version === migrations.length) return true;
    await held.query(raw(`DELETE FROM ${schema}.shape`));
    await held.query(
      sql`INSERT INTO ${raw(`${schema}.shape`)} (version, works_from) VALUES (${migrations.length}, ${WORKS_FROM})`,
    );
    return true;
  });
}

/** Tries to enable PostGIS; false if the role may not, which the facts then report. */
async function enablePostgis(
  client: SqlClient,
  { postgis, availablePostgis }: DatabaseFacts,
  address: string,
): Promise<boolean> {
  if (postgis !== null || availablePostgis === null) return false;
  await client.execute('SAVEPOINT before_postgis');
  try {
    await client.execute('CREATE EXTENSION postgis SCHEMA public');
    return true;
  } catch (error) {
    const { code } = error as { readonly code?: string };
    if (code !== INSUFFICIENT_PRIVILEGE) throw explainPostgres(error, address);
    await client.execute('ROLLBACK TO SAVEPOINT before_postgis');
    return false;
  }
}

/** The result of an inspection; null for what does not exist yet. */
interface PostgresInspection {
  /** The address without the password. */
  readonly address: string;
  readonly server: string;
  readonly postgis: string | null;
  readonly schemaVersion: number | null;
  /** Whether the schema is that of this version, so that nothing has to be migrated. */
  readonly isNewest: boolean;
  readonly keys: number;
  readonly scenes: number;
  /** Scenes of live catalogs that were used. */
  readonly knownScenes: number;
  readonly resultPlaces: readonly ResultPlace[];
  /** The preconditions that the database lacks. */
  readonly missing: readonly MissingPrecondition[];
}

/** Inspects a database and changes nothing; the error explains why there is no connection. */
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
    const counted = { keys: 0, scenes: 0, knownScenes: 0, resultPlaces: [] };
    const nothing = { ...facts, ...counted, schemaVersion: null, isNewest: false };
    // Without privileges nothing more can be read.
    if (missing.length > 0) return nothing;
    const made = await one<{ made: boolean }>(`SELECT to_regclass('${schema}.shape') IS NOT NULL AS made`);
    if (made?.made !== true) return nothing;
    const version = await one<{ version: number }>(`SELECT version FROM ${schema}.shape`);
    const counts = await one<{ keys: string; scenes: string }>(
      `SELECT (SELECT count(*) FROM ${schema}.keys) AS keys, (SELECT count(*) FROM ${schema}.scenes) AS scenes`,
    );
    // Older databases lack tables.
    const isNewest = version?.version === migrations.length;
    const known = isNewest
      ? await one<{ n: string }>(`SELECT count(*) AS n FROM ${schema}.known_scenes`)
      : undefined;
    return {
      ...facts,
      schemaVersion: version?.version ?? 0,
      isNewest,
      keys: Number(counts?.keys ?? 0),
      scenes: Number(counts?.scenes ?? 0),
      knownScenes: Number(known?.n ?? 0),
      resultPlaces: isNewest ? await readPlaces() : [],
    };
  } catch (error) {
    throw explainNoConnect(error, connection);
  } finally {
    await pool.end();
  }
}
