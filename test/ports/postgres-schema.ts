import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

/** Set by scripts/with-postgres.ts, or by hand to any database with PostGIS that may be used for tests. */
export const postgresUrl = process.env.TEST_DATABASE_URL;

/** A schema no other test uses. */
export const makeSchemaName = (): string => `test_${randomBytes(6).toString('hex')}`;

/** Runs statements while a store is open, as an administrator would. */
export async function withClient<Result>(
  url: string,
  schema: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: url, options: `-c search_path=${schema},public -c jit=off` });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The lock under which a store that opens adds PostGIS (adapters/postgres/schema/migrate.ts). */
const MIGRATION_LOCK = 79_284;

/** Adds PostGIS to the database: `IF NOT EXISTS` alone fails when another test adds it at the same moment. */
export async function addPostgis(client: Client): Promise<void> {
  await client.query(
    `BEGIN; SELECT pg_advisory_xact_lock(${MIGRATION_LOCK}); CREATE EXTENSION IF NOT EXISTS postgis SCHEMA public; COMMIT`,
  );
}
