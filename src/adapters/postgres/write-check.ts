import { raw } from '../sql-clause.ts';
import { explainPostgres } from './explain-postgres.ts';
import type { SqlClient } from './sql-client.ts';

/** Changes a row that is there for that. */
export const CHECK_WRITES =
  'INSERT INTO write_checks VALUES (1, 1) ON CONFLICT (number) DO UPDATE SET count = write_checks.count + 1';

/** PostgreSQL's code for a statement that a read-only transaction refuses. */
const READ_ONLY = '25006';

/** Rejects when PostgreSQL only reads, as a standby does; writes nothing. */
export async function refuseReadOnly(client: SqlClient, place: string): Promise<void> {
  const [row] = await client.query<{ transaction_read_only: string }>(raw('SHOW transaction_read_only'));
  if (row?.transaction_read_only !== 'on') return;
  throw explainPostgres(Object.assign(new Error('transaction_read_only is on'), { code: READ_ONLY }), place);
}
