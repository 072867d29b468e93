import type { JS } from '@duckdb/node-api';
import { DuckDBInstance } from '@duckdb/node-api';

/** Asks DuckDB, an independent reader of tables; its rows as plain objects. */
export async function askDuckDb(sql: string): Promise<Record<string, JS>[]> {
  const database = await DuckDBInstance.create(':memory:');
  const connection = await database.connect();
  try {
    return (await connection.runAndReadAll(sql)).getRowObjectsJS();
  } finally {
    connection.closeSync();
    database.closeSync();
  }
}
