import type { ContrastStore } from '../../../render/index.ts';
import { sql } from '../../sql/sql-clause.ts';
import type { SqlClient } from '../connection/sql-client.ts';

/** Computed contrast ranges in PostgreSQL. Only the newest are stored, so that ever new expressions do not fill the disk. */
export function makePostgresContrastStore(client: SqlClient, maxStored = 1_000_000): ContrastStore {
  return {
    async find(key) {
      const [row] = await client.query<{ min: number; max: number }>(
        sql`SELECT low AS min, high AS max FROM contrasts WHERE key = ${key}`,
      );
      return row ?? null;
    },
    async put(key, { min, max }) {
      await client.query(
        sql`INSERT INTO contrasts (key, low, high) VALUES (${key}, ${min}, ${max})
          ON CONFLICT (key) DO UPDATE SET low = excluded.low, high = excluded.high`,
      );
      await client.query(
        sql`DELETE FROM contrasts WHERE number <= (SELECT max(number) FROM contrasts) - ${maxStored}::bigint`,
      );
    },
  };
}
