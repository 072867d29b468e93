import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Pool } from 'pg';
import { parseConnection } from '../../../src/adapters/postgres/connection/connection.ts';
import { makeSqlClient, usePool } from '../../../src/adapters/postgres/connection/sql-client.ts';
import { openPostgresStore } from '../../../src/adapters/postgres/index.ts';
import { raw } from '../../../src/adapters/sql/sql.ts';
import { makeLookups } from '../../../src/adapters/sqlite/connection.ts';
import { openSqliteStore } from '../../../src/adapters/sqlite/index.ts';
import { makeDatabaseThread } from '../../../src/adapters/sqlite/threads/database-threads.ts';
import { makeSchemaName } from '../../ports/postgres-schema.ts';
import { postgresMigrations, sqliteMigrations } from './migrations.ts';
import type { StoreUnderTest } from './note-store-contract.ts';
import { makePostgresNoteStore } from './postgres-note-store.ts';
import { makeSqliteNoteStore } from './sqlite-note-store.ts';

/** A new SQLite database with the migrations of Swath and of the example. */
export async function openSqlite(): Promise<StoreUnderTest> {
  const directory = mkdtempSync(join(tmpdir(), 'swath-note-port-'));
  await openSqliteStore(directory).close();
  const path = join(directory, 'swath.db');
  const migrated = new DatabaseSync(path);
  for (const step of sqliteMigrations) migrated.exec(step);
  migrated.close();

  function connect(): StoreUnderTest {
    const database = new DatabaseSync(path);
    const lookups = makeLookups(database, (error) => error);
    const writer = makeDatabaseThread(path);
    const disconnect = async (): Promise<void> => {
      await writer.close();
      database.close();
    };
    return {
      notes: makeSqliteNoteStore(lookups, writer.ask),
      async reopen() {
        await disconnect();
        return connect();
      },
      async close() {
        await disconnect();
        rmSync(directory, { recursive: true });
      },
    };
  }
  return connect();
}

/** A new schema of PostgreSQL with the migrations of Swath and of the example. */
export async function openPostgres(url: string): Promise<StoreUnderTest> {
  const connection = parseConnection(url, { schema: makeSchemaName(), poolSize: 2 });
  await (await openPostgresStore(url, { schema: connection.schema })).close();

  function connect(): StoreUnderTest & { readonly client: ReturnType<typeof makeSqlClient> } {
    const pool = new Pool(connection.config);
    const client = makeSqlClient(usePool(pool), 'the example');
    return {
      client,
      notes: makePostgresNoteStore(client),
      async reopen() {
        await pool.end();
        return connect();
      },
      async close() {
        await client.query(raw(`DROP SCHEMA ${connection.schema} CASCADE`));
        await pool.end();
      },
    };
  }
  const { client, ...store } = connect();
  for (const step of postgresMigrations) await client.query(raw(step));
  return store;
}
