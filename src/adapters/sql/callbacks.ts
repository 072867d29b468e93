/** Callbacks in SQL, the same on both databases: their rows, and their state machine on the same queue as tasks. */

import type {
  Callback,
  CallbackFailure,
  CallbackState,
  CallbackStore,
  Lease,
  NewCallback,
} from '../../tasks/index.ts';
import type { Clause } from './sql.ts';
import { all, list, raw, sql } from './sql.ts';
import type { QueueDialect } from './tasks.ts';
import { makeLeaseQueue } from './tasks.ts';

/** A callback from either database. */
export interface CallbackRow {
  readonly task_id: string;
  readonly owner: string;
  readonly url: string;
  readonly form: string;
  readonly public_url: string;
  readonly state: CallbackState;
  readonly token: number;
  readonly attempts: number;
  readonly last_status: number | null;
  readonly last_error: string | null;
  readonly next_at: string | null;
  readonly delivered_at: string | null;
}

/** A new callback; plain values, so that it can be sent to threads. */
export type NewCallbackRow = Pick<CallbackRow, 'url' | 'form' | 'public_url'>;

/** A request for a callback as a row. */
export const toCallbackRow = ({ url, form, publicUrl }: NewCallback): NewCallbackRow => ({
  url,
  form,
  public_url: publicUrl,
});

/** A row as a callback. */
export const toCallback = (row: CallbackRow): Callback => ({
  taskId: row.task_id,
  owner: row.owner,
  url: row.url,
  form: row.form,
  publicUrl: row.public_url,
  state: row.state,
  attempts: row.attempts,
  lastStatus: row.last_status,
  lastError: row.last_error,
  nextAttemptAt: row.next_at,
  deliveredAt: row.delivered_at,
});

/** Lists callbacks, newest first. */
export function listCallbacks(
  columns: string,
  { owner, state, limit }: Parameters<CallbackStore['list']>[0],
): Clause {
  const conditions = [
    ...(owner === undefined ? [] : [sql`owner = ${owner}`]),
    ...(state === undefined ? [] : [sql`state = ${state}`]),
  ];
  return list(
    [
      raw(`SELECT ${columns} FROM callbacks WHERE`),
      all(conditions),
      sql`ORDER BY number DESC LIMIT ${limit}`,
    ],
    ' ',
  );
}

/** The process that leases a callback. */
interface CallbackLeaseOptions {
  readonly leaseMs: number;
  readonly maxAttempts: number;
  readonly exceptOwners: readonly string[];
}

/** True for a callback to send: the trigger on the task state sets the time. */
const IS_DUE = raw('ready_at IS NOT NULL');

/**
 * The state machine of callbacks, on the same queue as tasks:
 *
 *     waiting, retrying ──lease, deliver──▶ delivered
 *       ▲ ▲ ◀──release, fail with a delay── │
 *       │ └──retry── delivered, failed      └──fail, failLost──▶ failed
 *       └── its task ends
 *
 * A lease moves `ready_at` ahead, so that a callback becomes due again if its process dies. An attempt counts when it
 * begins, so that a callback that crashes its sender is given up too.
 */
export function makeCallbackMachine(dialect: QueueDialect) {
  const { now, laterBy, after, atOnce, isPast, isNumberIn, skipLocked } = dialect;
  const queue = makeLeaseQueue(dialect, { table: 'callbacks', id: 'task_id' });
  /** Changes a callback only while it is due: not after its end or cancellation. */
  const whileDue = (lease: Lease, changes: Clause): Clause =>
    sql`${queue.change(lease, changes)} AND ${IS_DUE}`;
  return {
    /** Selects a row if a callback may be leased now. */
    findAny: (): Clause =>
      sql`SELECT 1 AS due FROM callbacks WHERE ${IS_DUE} AND ${isPast('ready_at')} LIMIT 1`,
    /** Fails callbacks whose last attempt began and never ended. */
    failLost: (maxAttempts: number, { status, error }: CallbackFailure): Clause =>
      sql`UPDATE callbacks SET state = 'failed', ready_at = NULL, last_status = ${status}, last_error = ${error}
        WHERE ${isNumberIn(sql`SELECT number FROM callbacks
          WHERE ${IS_DUE} AND ${isPast('ready_at')} AND attempts >= ${maxAttempts} ${skipLocked}`)}`,
    lease: ({ leaseMs, maxAttempts, exceptOwners }: CallbackLeaseOptions): Clause =>
      queue.take(
        queue.findReady({
          waiting: sql`${IS_DUE} AND attempts < ${maxAttempts}`,
          order: 'ready_at, number',
          max: 1,
          exceptOwners,
        }),
        sql`attempts = attempts + 1, next_at = NULL, ready_at = ${after(leaseMs)}`,
      ),
    deliver: (lease: Lease, status: number): Clause =>
      whileDue(
        lease,
        sql`state = 'delivered', ready_at = NULL, last_status = ${status}, last_error = NULL, delivered_at = ${now}`,
      ),
    fail(lease: Lease, { status, error }: CallbackFailure, retryInMs: number | null): Clause {
      const next =
        retryInMs === null
          ? raw(`state = 'failed', ready_at = NULL, next_at = NULL`)
          : sql`state = 'retrying', ready_at = ${after(retryInMs)}, next_at = ${laterBy(retryInMs)}`;
      return whileDue(lease, sql`${next}, last_status = ${status}, last_error = ${error}`);
    },
    release: (lease: Lease): Clause =>
      whileDue(lease, sql`ready_at = ${atOnce}, attempts = attempts - 1, token = token + 1`),
    retry: (taskId: string): Clause =>
      sql`UPDATE callbacks SET state = 'waiting', ready_at = ${atOnce}, token = token + 1, attempts = 0, next_at = NULL,
          delivered_at = NULL
        WHERE task_id = ${taskId}
          AND EXISTS (SELECT 1 FROM tasks WHERE id = task_id AND state IN ('finished', 'failed'))`,
  };
}
