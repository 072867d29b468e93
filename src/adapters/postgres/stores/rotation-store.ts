import type { RotationStore } from '../../../keys/index.ts';
import { sql } from '../../sql/sql-clause.ts';
import type { SqlClient } from '../connection/sql-client.ts';
import { hasNul } from '../scenes/without-nul.ts';

/** Rotations of callback secrets in PostgreSQL. */
export function makePostgresRotationStore(client: SqlClient): RotationStore {
  return {
    async count(keyId) {
      if (hasNul(keyId)) return 0;
      const [row] = await client.query<{ count: number }>(
        sql`SELECT count FROM callback_rotations WHERE key_id = ${keyId}`,
      );
      return row?.count ?? 0;
    },
    async add(keyId) {
      const [row] = await client.query<{ count: number }>(
        sql`INSERT INTO callback_rotations (key_id, count) VALUES (${keyId}, 1)
            ON CONFLICT (key_id) DO UPDATE SET count = callback_rotations.count + 1 RETURNING count`,
      );
      return (row as { count: number }).count;
    },
  };
}
