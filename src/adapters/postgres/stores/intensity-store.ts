import type { IntensityAnswer, IntensityStore } from '../../../render/index.ts';
import { sql } from '../../sql/sql-clause.ts';
import type { SqlClient } from '../connection/sql-client.ts';

/** Intensity ranges in PostgreSQL. Only the newest are stored, so that ever new rectangles do not fill the disk. */
export function makePostgresIntensityStore(client: SqlClient, maxStored = 100_000): IntensityStore {
  return {
    async find(key) {
      const [row] = await client.query<{ answer: string }>(
        sql`SELECT answer FROM intensities WHERE key = ${key}`,
      );
      return row === undefined ? null : (JSON.parse(row.answer) as IntensityAnswer);
    },
    async put(key, answer) {
      await client.query(
        sql`INSERT INTO intensities (key, answer) VALUES (${key}, ${JSON.stringify(answer)})
          ON CONFLICT (key) DO UPDATE SET answer = excluded.answer`,
      );
      await client.query(
        sql`DELETE FROM intensities WHERE number <= (SELECT max(number) FROM intensities) - ${maxStored}::bigint`,
      );
    },
  };
}
