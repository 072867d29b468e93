import { Pool } from 'pg';
import { raw } from '../../sql/sql-clause.ts';
import type { PostgresOptions } from '../connection/connection.ts';
import { parseConnection } from '../connection/connection.ts';
import { makeSqlClient, usePool } from '../connection/sql-client.ts';

/** What an inspection of a database finds; null for what does not exist yet. */
interface PostgresInspection {
  /** Without the password. */
  readonly address: string;
  readonly server: string;
  readonly postgis: string | null;
  readonly schemaVersion: number | null;
  readonly keys: number;
  readonly scenes: number;
}

/** Inspects a database and changes nothing; rejects with a sentence if there is no database. */
export async function inspectPostgresStore(
  url: string,
  options: PostgresOptions = {},
): Promise<PostgresInspection> {
  const { config, address, schema } = parseConnection(url, { ...options, poolSize: 1 });
  const pool = new Pool(config);
  pool.on('error', () => {});
  const client = makeSqlClient(usePool(pool), address);
  const one = async <Row>(text: string): Promise<Row | undefined> => (await client.query<Row>(raw(text)))[0];
  try {
    const server = await one<{ text: string }>(`SELECT current_setting('server_version') AS text`);
    const postgis = await one<{ text: string }>(
      `SELECT extversion AS text FROM pg_extension WHERE extname = 'postgis'`,
    );
    const made = await one<{ made: boolean }>(`SELECT to_regclass('${schema}.shape') IS NOT NULL AS made`);
    const facts = { address, server: server?.text ?? 'unknown', postgis: postgis?.text ?? null };
    if (made?.made !== true) return { ...facts, schemaVersion: null, keys: 0, scenes: 0 };
    const version = await one<{ version: number }>(`SELECT version FROM ${schema}.shape`);
    const counts = await one<{ keys: string; scenes: string }>(
      `SELECT (SELECT count(*) FROM ${schema}.keys) AS keys, (SELECT count(*) FROM ${schema}.scenes) AS scenes`,
    );
    return {
      ...facts,
      schemaVersion: version?.version ?? 0,
      keys: Number(counts?.keys ?? 0),
      scenes: Number(counts?.scenes ?? 0),
    };
  } finally {
    await pool.end();
  }
}
