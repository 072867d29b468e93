import type { Measured, SceneStatisticsStore } from '../../../statistics/index.ts';
import { sql } from '../../sql/sql-clause.ts';
import type { SqlClient } from '../connection/sql-client.ts';

/** Measurements in PostgreSQL. Only the newest are stored: about 400 bytes each. */
export function makePostgresSceneStatisticsStore(
  client: SqlClient,
  maxStored = 1_000_000,
): SceneStatisticsStore {
  return {
    async findMany(keys) {
      const rows = await client.query<{ key: string; measured: string }>(
        sql`SELECT key, measured FROM scene_statistics WHERE key IN (SELECT jsonb_array_elements_text(${JSON.stringify(keys)}::jsonb))`,
      );
      return new Map(rows.map(({ key, measured }) => [key, JSON.parse(measured) as Measured]));
    },
    async putMany(entries) {
      // In one order, so that two processes that store the same keys do not wait for each other in a ring.
      const sorted = [...new Map(entries)].toSorted(([a], [b]) => (a < b ? -1 : 1));
      const rows = sorted.map(([key, measured]) => ({ key, measured: JSON.stringify(measured) }));
      await client.query(
        sql`INSERT INTO scene_statistics (key, measured)
          SELECT key, measured FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row (key text, measured text)
          ON CONFLICT (key) DO UPDATE SET measured = excluded.measured`,
      );
      await client.query(
        sql`DELETE FROM scene_statistics WHERE number <= (SELECT max(number) FROM scene_statistics) - ${maxStored}::bigint`,
      );
    },
  };
}
