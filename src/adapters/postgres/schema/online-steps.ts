/**
 * What a migration does while other nodes read and write: it would lock tables for too long to be a step of the transaction.
 * The database itself says what is left to do, so that a start completes what a killed one has begun.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clause } from '../../sql/sql.ts';
import { raw, sql } from '../../sql/sql.ts';
import type { SqlClient } from '../connection/sql-client.ts';
import { FILL_MONTHS } from './month-step.ts';

/** Indexes that are built without locking writers out, by name; on an empty table the step that adds one makes it. */
const INDEXES: ReadonlyMap<string, string> = new Map([
  ['scenes_by_plane', 'scenes USING gist (to_plane(footprint, dataset))'],
  ['scenes_by_year', 'scenes USING gist (to_plane(footprint, dataset || left(date, 4)))'],
]);

/** Held by the one process that works on it, next to the lock of migrations. */
const ONLINE_LOCK = 79_294;
/** How often a process checks whether another one has finished. */
const POLL_MS = 250;
/** PostgreSQL's code for two transactions that wait for each other. */
const DEADLOCK = '40P01';
const ATTEMPTS = 5;

/**
 * Builds what is missing, and resolves when all of it exists, no matter which node built it. `client` has a single
 * connection, and waits outside of any transaction: an index is complete only when all transactions from before have ended.
 */
export async function completeOnline(client: SqlClient, schema: string): Promise<void> {
  while (await hasWork(client, schema)) {
    const [lock] = await client.query<{ locked: boolean }>(
      sql`SELECT pg_try_advisory_lock(${ONLINE_LOCK}, hashtext(${schema})) AS locked`,
    );
    if (lock?.locked !== true) {
      await sleep(POLL_MS);
      continue;
    }
    try {
      for (const name of await listMissing(client, schema)) await buildIndex(client, schema, name);
      await fillMonths(client, schema);
    } finally {
      // A broken connection has lost the lock.
      await client.query(sql`SELECT pg_advisory_unlock(${ONLINE_LOCK}, hashtext(${schema}))`).catch(() => {});
    }
  }
}

const hasWork = async (client: SqlClient, schema: string): Promise<boolean> =>
  (await listMissing(client, schema)).length > 0 || (await hasMonthsToFill(client, schema));

/** Indexes that are not there, or were left unfinished. */
async function listMissing(client: SqlClient, schema: string): Promise<readonly string[]> {
  const rows = await client.query<{ name: string }>(
    sql`SELECT c.relname AS name FROM pg_class c JOIN pg_index i ON i.indexrelid = c.oid
      WHERE c.relnamespace = ${schema}::regnamespace AND i.indisvalid`,
  );
  const built = new Set(rows.map(({ name }) => name));
  return [...INDEXES.keys()].filter((name) => !built.has(name));
}

async function buildIndex(client: SqlClient, schema: string, name: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    // A build that was interrupted leaves an index that is kept up to date and never used.
    await client.query(raw(`DROP INDEX CONCURRENTLY IF EXISTS ${schema}.${name}`));
    try {
      await client.query(raw(`CREATE INDEX CONCURRENTLY ${name} ON ${schema}.${INDEXES.get(name)}`));
      return;
    } catch (error) {
      if ((error as { readonly code?: unknown }).code !== DEADLOCK || attempt === ATTEMPTS) throw error;
    }
  }
}

async function hasMonthsToFill(client: SqlClient, schema: string): Promise<boolean> {
  const [row] = await client.query<{ left: boolean }>(
    raw(`SELECT EXISTS (SELECT FROM ${schema}.months_to_fill) AS left`),
  );
  return row?.left === true;
}

/** Fills a few months at a time; in between, writers go on. */
async function fillMonths(client: SqlClient, schema: string): Promise<void> {
  const fill: Clause = raw(FILL_MONTHS);
  while (await hasMonthsToFill(client, schema))
    await client.inTransaction(async (held) => {
      await held.query(raw(`LOCK TABLE ${schema}.scenes IN SHARE MODE`));
      await held.query(fill);
    });
}
