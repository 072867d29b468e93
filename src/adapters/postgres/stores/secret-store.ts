import type { SecretStore } from '../../../keys/index.ts';
import { sql } from '../../sql/sql-clause.ts';
import type { SqlClient } from '../connection/sql-client.ts';

/** Secrets in PostgreSQL. */
export function makePostgresSecretStore(client: SqlClient): SecretStore {
  const find = async (name: string): Promise<string | undefined> => {
    const [row] = await client.query<{ value: string }>(sql`SELECT value FROM secrets WHERE name = ${name}`);
    return row?.value;
  };
  return {
    async obtain(name, fresh) {
      const known = await find(name);
      if (known !== undefined) return known;
      await client.query(
        sql`INSERT INTO secrets (name, value) VALUES (${name}, ${fresh}) ON CONFLICT (name) DO NOTHING`,
      );
      return (await find(name)) ?? fresh;
    },
  };
}
