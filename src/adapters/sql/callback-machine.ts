import type { CallbackFailure, Lease } from '../../tasks/index.ts';
import type { QueueDialect } from './lease-queue.ts';
import { makeLeaseQueue } from './lease-queue.ts';
import type { Clause } from './sql-clause.ts';
import { raw, sql } from './sql-clause.ts';

/** Who asks for a callback to send. */
interface LeaseOptions {
  readonly leaseMs: number;
  readonly maxAttempts: number;
  readonly exceptOwners: readonly string[];
}

/** Callbacks that are to be sent: the trigger on the state of tasks sets the time. */
const IS_DUE = raw('ready_at IS NOT NULL');

/**
 * The state machine of callbacks, on the same queue as tasks:
 *
 *     waiting, retrying ──lease, deliver──▶ delivered
 *       ▲ ▲ ◀──release, fail with a delay── │
 *       │ └──retry── delivered, failed      └──fail, failLost──▶ failed
 *       └── its task ends
 *
 * A lease moves `ready_at` ahead, so that a callback whose process has died is due again by itself. An attempt counts from
 * its beginning: a message that kills its sender ends too.
 */
export function makeCallbackMachine(dialect: QueueDialect) {
  const { now, laterBy, after, atOnce, isPast, isNumberIn, skipLocked } = dialect;
  const queue = makeLeaseQueue(dialect, { table: 'callbacks', id: 'task_id' });
  /** One that has ended, or was cancelled, is not due any more. */
  const whileDue = (lease: Lease, changes: Clause): Clause =>
    sql`${queue.change(lease, changes)} AND ${IS_DUE}`;
  return {
    /** Selects something if a callback may be leased now. */
    findAny: (): Clause =>
      sql`SELECT 1 AS due FROM callbacks WHERE ${IS_DUE} AND ${isPast('ready_at')} LIMIT 1`,
    /** Ends callbacks whose last attempt was begun and never ended. */
    failLost: (maxAttempts: number, { status, error }: CallbackFailure): Clause =>
      sql`UPDATE callbacks SET state = 'failed', ready_at = NULL, last_status = ${status}, last_error = ${error}
        WHERE ${isNumberIn(sql`SELECT number FROM callbacks
          WHERE ${IS_DUE} AND ${isPast('ready_at')} AND attempts >= ${maxAttempts} ${skipLocked}`)}`,
    lease: ({ leaseMs, maxAttempts, exceptOwners }: LeaseOptions): Clause =>
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
