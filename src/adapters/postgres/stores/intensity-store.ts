import type { IntensityAnswer, IntensityStore } from '../../../render/index.ts';
import { sql } from '../../sql/sql-clause.ts';
import type { SqlClient } from '../connection/sql-client.ts';

/** Ranges of intensities in PostgreSQL, the newest ones: whoever asks for ever other rectangles fills no disk. */
export function makePostgresIntensityStore(client: SqlClient, maxKept = 100_000): IntensityStore {
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
        sql`DELETE FROM intensities WHERE number <= (SELECT max(number) FROM intensities) - ${maxKept}::bigint`,
      );
    },
  };
}
