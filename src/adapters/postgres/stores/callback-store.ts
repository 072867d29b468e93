import type { CallbackStore } from '../../../tasks/index.ts';
import type { Clause } from '../../sql/sql-clause.ts';
import { raw, sql } from '../../sql/sql-clause.ts';
import { makeCallbackMachine } from '../../sql/task-queue.ts';
import type { CallbackRow, NewCallbackRow } from '../../sql/task-rows.ts';
import { listCallbacks, toCallback } from '../../sql/task-rows.ts';
import type { SqlClient } from '../connection/sql-client.ts';
import { postgresQueue } from '../queue/queue-dialect.ts';
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
  const machine = makeCallbackMachine(postgresQueue);
  const change = async (transition: Clause): Promise<boolean> =>
    (await client.query(sql`${transition} RETURNING task_id`)).length === 1;

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
    async lease({ lost, maxAttempts, ...options }) {
      const [row] = await client.query<CallbackRow>(
        sql`WITH lost AS (${machine.failLost(maxAttempts, lost)})
            ${machine.lease({ ...options, maxAttempts })} RETURNING ${raw(COLUMNS)}`,
      );
      if (row === undefined) return null;
      return { callback: toCallback(row), lease: { id: row.task_id, token: row.token } };
    },
    deliver: (lease, status) => change(machine.deliver(lease, status)),
    fail: (lease, failure, retryInMs) => change(machine.fail(lease, failure, retryInMs)),
    release: (lease) => change(machine.release(lease)),
    retry: async (taskId) => !hasNul(taskId) && change(machine.retry(taskId)),
  };
}
