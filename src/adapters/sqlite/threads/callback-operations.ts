import type { DatabaseSync } from 'node:sqlite';
import type { CallbackFailure, Lease } from '../../../tasks/index.ts';
import type { Clause } from '../../sql/sql-clause.ts';
import { raw, sql } from '../../sql/sql-clause.ts';
import { makeCallbackMachine } from '../../sql/task-queue.ts';
import type { CallbackRow, NewCallbackRow } from '../../sql/task-rows.ts';
import { makeQueries } from '../database/queries.ts';
import { inSavepoint } from '../database/transaction.ts';
import { sqliteQueue } from './queue-dialect.ts';

/** The columns of a callback. */
export const CALLBACK_COLUMNS = `task_id, owner, url, form, public_url, state, token, attempts, last_status, last_error,
  next_at, delivered_at`;

/** All that changes callbacks. Each call is one of several that share a commit, so it begins no transaction of its own. */
export function makeCallbackOperations(database: DatabaseSync) {
  const machine = makeCallbackMachine(sqliteQueue);
  const { query, change } = makeQueries(database);
  const isChanged = (transition: Clause): boolean => change(transition) === 1;

  return {
    /** Part of the creation of its task. */
    insert: (taskId: string, owner: string, { url, form, public_url }: NewCallbackRow): void => {
      change(sql`INSERT INTO callbacks (task_id, owner, url, form, public_url, state, token, attempts)
        VALUES (${taskId}, ${owner}, ${url}, ${form}, ${public_url}, 'waiting', 0, 0)`);
    },
    lease: (
      leaseMs: number,
      maxAttempts: number,
      lost: CallbackFailure,
      exceptOwners: readonly string[],
    ): CallbackRow | null =>
      inSavepoint(database, () => {
        change(machine.failLost(maxAttempts, lost));
        const leasing = machine.lease({ leaseMs, maxAttempts, exceptOwners });
        const [row] = query<CallbackRow>(sql`${leasing} RETURNING ${raw(CALLBACK_COLUMNS)}`);
        return row ?? null;
      }),
    deliver: (lease: Lease, status: number): boolean => isChanged(machine.deliver(lease, status)),
    fail: (lease: Lease, failure: CallbackFailure, retryInMs: number | null): boolean =>
      isChanged(machine.fail(lease, failure, retryInMs)),
    release: (lease: Lease): boolean => isChanged(machine.release(lease)),
    retry: (taskId: string): boolean => isChanged(machine.retry(taskId)),
  };
}
