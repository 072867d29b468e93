import type { DatabaseSync } from 'node:sqlite';
import type { CallbackFailure, Lease } from '../../../tasks/index.ts';
import type { CallbackRow, NewCallbackRow } from '../../sql/callback-row.ts';
import { inSavepoint } from '../database/transaction.ts';
import { sharedNowMs } from './shared-clock.ts';

/** The columns of a callback. */
export const CALLBACK_COLUMNS = `task_id, owner, url, form, public_url, state, token, attempts, last_status, last_error,
  next_at, delivered_at`;

/** The longest delay or lease: what lies further ahead was written before the machine started, when its clock was ahead. */
const LONGEST_MS = 3_600_000;

/** True of callbacks that are due at ?1 on the clock of the machine. */
export const IS_DUE = `ready_at IS NOT NULL AND (ready_at <= ?1 OR ready_at > ?1 + ${LONGEST_MS})`;

/** All that changes callbacks. Each call is one of several that share a commit, so it begins no transaction of its own. */
export function makeCallbackOperations(database: DatabaseSync) {
  const insert = database.prepare(
    `INSERT INTO callbacks (task_id, owner, url, form, public_url, state, token, attempts)
     VALUES (?, ?, ?, ?, ?, 'waiting', 0, 0)`,
  );
  const failLost = database.prepare(
    `UPDATE callbacks SET state = 'failed', ready_at = NULL, last_status = ?3, last_error = ?4
     WHERE ${IS_DUE} AND attempts >= ?2`,
  );
  const findDue = database.prepare(
    `SELECT number FROM callbacks WHERE ${IS_DUE} AND owner NOT IN (SELECT value FROM json_each(?2))
     ORDER BY ready_at, number LIMIT 1`,
  );
  const lease = database.prepare(
    `UPDATE callbacks SET token = token + 1, attempts = attempts + 1, ready_at = ?, next_at = NULL
     WHERE number = ? RETURNING ${CALLBACK_COLUMNS}`,
  );
  const deliver = database.prepare(
    `UPDATE callbacks SET state = 'delivered', ready_at = NULL, last_status = ?, last_error = NULL,
       delivered_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
     WHERE task_id = ? AND token = ?`,
  );
  const fail = database.prepare(
    `UPDATE callbacks SET state = ?, ready_at = ?, next_at = ?, last_status = ?, last_error = ?
     WHERE task_id = ? AND token = ?`,
  );
  const release = database.prepare(
    'UPDATE callbacks SET ready_at = 0, attempts = attempts - 1, token = token + 1 WHERE task_id = ? AND token = ?',
  );
  const retry = database.prepare(
    `UPDATE callbacks SET state = 'waiting', ready_at = 0, token = token + 1, attempts = 0, next_at = NULL,
       delivered_at = NULL
     WHERE task_id = ? AND EXISTS (SELECT 1 FROM tasks WHERE id = task_id AND state IN ('finished', 'failed'))`,
  );
  const isOne = ({ changes }: { changes: number | bigint }): boolean => Number(changes) === 1;

  return {
    /** Part of the creation of its task. */
    insert: (taskId: string, owner: string, { url, form, public_url }: NewCallbackRow): void => {
      insert.run(taskId, owner, url, form, public_url);
    },
    lease: (
      leaseMs: number,
      maxAttempts: number,
      lost: CallbackFailure,
      exceptOwners: readonly string[],
    ): CallbackRow | null =>
      inSavepoint(database, () => {
        const nowMs = sharedNowMs();
        failLost.run(nowMs, maxAttempts, lost.status, lost.error);
        const due = findDue.get(nowMs, JSON.stringify(exceptOwners)) as { number: number } | undefined;
        if (due === undefined) return null;
        return { ...(lease.get(nowMs + leaseMs, due.number) as unknown as CallbackRow) };
      }),
    deliver: ({ id, token }: Lease, status: number): boolean => isOne(deliver.run(status, id, token)),
    fail: ({ id, token }: Lease, { status, error }: CallbackFailure, retryInMs: number | null): boolean => {
      if (retryInMs === null) return isOne(fail.run('failed', null, null, status, error, id, token));
      const delayMs = Math.min(retryInMs, LONGEST_MS);
      const nextAt = new Date(Date.now() + delayMs).toISOString();
      return isOne(fail.run('retrying', sharedNowMs() + delayMs, nextAt, status, error, id, token));
    },
    release: ({ id, token }: Lease): boolean => isOne(release.run(id, token)),
    retry: (taskId: string): boolean => isOne(retry.run(taskId)),
  };
}
