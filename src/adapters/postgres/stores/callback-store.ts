import type { CallbackStore } from '../../../tasks/index.ts';
import type { CallbackRow, NewCallbackRow } from '../../sql/callback-row.ts';
import { listCallbacks, toCallback } from '../../sql/callback-row.ts';
import type { Clause } from '../../sql/sql-clause.ts';
import { list, raw, sql } from '../../sql/sql-clause.ts';
import type { SqlClient } from '../connection/sql-client.ts';
import { hasNul } from '../scenes/without-nul.ts';

/** As JavaScript writes times. */
const toTime = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS ${column}`;

const COLUMNS = `task_id, owner, url, form, public_url, state, token, attempts, last_status, last_error,
  ${toTime('next_at')}, ${toTime('delivered_at')}`;

/** Stores the callback of a new task, in the transaction of its creation. */
export async function insertCallback(
  held: SqlClient,
  { id, owner }: { readonly id: string; readonly owner: string },
  { url, form, public_url }: NewCallbackRow,
): Promise<void> {
  await held.query(
    sql`INSERT INTO callbacks (task_id, owner, url, form, public_url, state, token, attempts)
        VALUES (${id}, ${owner}, ${url}, ${form}, ${public_url}, 'waiting', 0, 0)`,
  );
}

/** Callbacks in PostgreSQL; a trigger on the table of tasks makes them due. */
export function makePostgresCallbackStore(client: SqlClient): CallbackStore {
  const isChanged = async (statement: Clause): Promise<boolean> =>
    (await client.query(list([statement, raw('RETURNING task_id')], ' '))).length === 1;

  return {
    async find(taskId) {
      if (hasNul(taskId)) return null;
      const [row] = await client.query<CallbackRow>(
        sql`SELECT ${raw(COLUMNS)} FROM callbacks WHERE task_id = ${taskId}`,
      );
      return row === undefined ? null : toCallback(row);
    },
    async list(query) {
      return (await client.query<CallbackRow>(listCallbacks(COLUMNS, query))).map(toCallback);
    },
    async lease({ leaseMs, maxAttempts, lost, exceptOwners }) {
      // A process that has taken one has locked it until the transaction ends: others take the next one.
      const [row] = await client.query<CallbackRow>(
        sql`WITH lost AS (
              UPDATE callbacks SET state = 'failed', ready_at = NULL, last_status = ${lost.status}, last_error = ${lost.error}
              WHERE number IN (
                SELECT number FROM callbacks WHERE ready_at <= now() AND attempts >= ${maxAttempts} FOR UPDATE SKIP LOCKED)
            ), due AS (
              SELECT number FROM callbacks
              WHERE ready_at <= now() AND attempts < ${maxAttempts}
                AND owner NOT IN (SELECT jsonb_array_elements_text(${JSON.stringify(exceptOwners)}::jsonb))
              ORDER BY ready_at, number LIMIT 1 FOR UPDATE SKIP LOCKED
            )
            UPDATE callbacks SET token = token + 1, attempts = attempts + 1, next_at = NULL,
              ready_at = now() + ${leaseMs} * interval '1 ms'
            WHERE number = (SELECT number FROM due) RETURNING ${raw(COLUMNS)}`,
      );
      if (row === undefined) return null;
      return { callback: toCallback(row), lease: { id: row.task_id, token: row.token } };
    },
    deliver: ({ id, token }, status) =>
      isChanged(
        sql`UPDATE callbacks SET state = 'delivered', ready_at = NULL, last_status = ${status}, last_error = NULL,
              delivered_at = now()
            WHERE task_id = ${id} AND token = ${token}`,
      ),
    fail: ({ id, token }, { status, error }, retryInMs) => {
      const change =
        retryInMs === null
          ? raw(`state = 'failed', ready_at = NULL, next_at = NULL`)
          : sql`state = 'retrying', ready_at = now() + ${retryInMs} * interval '1 ms',
              next_at = now() + ${retryInMs} * interval '1 ms'`;
      return isChanged(
        sql`UPDATE callbacks SET ${change}, last_status = ${status}, last_error = ${error}
            WHERE task_id = ${id} AND token = ${token}`,
      );
    },
    release: ({ id, token }) =>
      isChanged(
        sql`UPDATE callbacks SET ready_at = now(), attempts = attempts - 1, token = token + 1
            WHERE task_id = ${id} AND token = ${token}`,
      ),
    async retry(taskId) {
      if (hasNul(taskId)) return false;
      return isChanged(
        sql`UPDATE callbacks SET state = 'waiting', ready_at = now(), token = token + 1, attempts = 0, next_at = NULL,
              delivered_at = NULL
            WHERE task_id = ${taskId}
              AND EXISTS (SELECT 1 FROM tasks WHERE id = task_id AND state IN ('finished', 'failed'))`,
      );
    },
  };
}
