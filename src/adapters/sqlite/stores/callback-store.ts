import type { CallbackStore } from '../../../tasks/index.ts';
import { makeCallbackMachine } from '../../sql/task-queue.ts';
import type { CallbackRow } from '../../sql/task-rows.ts';
import { listCallbacks, toCallback } from '../../sql/task-rows.ts';
import type { Lookups } from '../database/lookups.ts';
import { CALLBACK_COLUMNS } from '../threads/callback-operations.ts';
import type { Ask } from '../threads/database-threads.ts';
import { sqliteQueue } from '../threads/queue-dialect.ts';

/** Callbacks in SQLite; triggers on the table of tasks make them due. */
export function makeSqliteCallbackStore(database: Lookups, write: Ask): CallbackStore {
  const byTask = database.prepare<CallbackRow>(`SELECT ${CALLBACK_COLUMNS} FROM callbacks WHERE task_id = ?`);
  const { findAny } = makeCallbackMachine(sqliteQueue);
  return {
    async find(taskId) {
      const row = byTask.get(taskId);
      return row === undefined ? null : toCallback(row);
    },
    async list(query) {
      const { sql, values } = listCallbacks(CALLBACK_COLUMNS, query);
      return database
        .prepare<CallbackRow>(sql)
        .all(...values)
        .map(toCallback);
    },
    async lease({ leaseMs, maxAttempts, lost, exceptOwners }) {
      // Most looks find nothing, and need no transaction.
      const { sql, values } = findAny();
      if (database.prepare(sql).get(...values) === undefined) return null;
      const row = await write('leaseCallback', leaseMs, maxAttempts, lost, exceptOwners);
      if (row === null) return null;
      return { callback: toCallback(row), lease: { id: row.task_id, token: row.token } };
    },
    deliver: (lease, status) => write('deliverCallback', lease, status),
    fail: (lease, failure, retryInMs) => write('failCallback', lease, failure, retryInMs),
    release: (lease) => write('releaseCallback', lease),
    retry: (taskId) => write('retryCallback', taskId),
  };
}
