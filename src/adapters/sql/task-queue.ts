import type { CallbackFailure, Lease, SweepRule, Task, TaskError, TaskState } from '../../tasks/index.ts';
import type { Clause } from './sql-clause.ts';
import { raw, sql } from './sql-clause.ts';

/** The parts of a queue's SQL that differ between databases. */
export interface QueueDialect {
  /** The wall time, as tables store it. */
  readonly now: Clause;
  /** The wall time `ms` from now. */
  laterBy(ms: number): Clause;
  /** A time `ms` from now on the store's own clock, which does not jump: leases and delays run by it. */
  after(ms: number): Clause;
  /** A time on that clock that is always past. */
  readonly atOnce: Clause;
  isPast(column: string): Clause;
  /** True for a task that has exceeded its time limit. */
  readonly isOverdue: Clause;
  /** True for a row whose number a statement selects; the statement runs once. */
  isNumberIn(numbers: Clause): Clause;
  /** The strings of a list as rows. */
  rowsOf(strings: readonly string[]): Clause;
  /** The end of a SELECT for rows to change: it skips rows that another transaction is changing. */
  readonly skipLocked: Clause;
}

/** A table whose rows are leased, and its column with the id of a lease. */
interface LeasedTable {
  readonly table: 'tasks' | 'callbacks';
  readonly id: 'id' | 'task_id';
}

/** Which rows to lease, and in which order. */
interface ReadyQuery {
  readonly waiting: Clause;
  readonly order: string;
  readonly max: number;
  readonly exceptOwners?: readonly string[];
}

/**
 * Leases rows of a table. A lease holds the row's token, its number of leases so far: it is valid until the next lease, and
 * only its holder may change the row. A row needs the columns `number`, `owner`, `token` and `ready_at`, the time from
 * which on it may be leased.
 */
interface LeaseQueue {
  /** Selects the numbers of rows that may be leased now. Concurrent processes get different ones. */
  findReady(query: ReadyQuery): Clause;
  /** Leases the rows with these numbers. */
  take(numbers: Clause, changes: Clause): Clause;
  /** Changes the row of a lease, unless the row has a later lease. */
  change(lease: Lease, changes: Clause): Clause;
}

/** Builds the statements of a queue for one database. */
function makeLeaseQueue(dialect: QueueDialect, { table, id }: LeasedTable): LeaseQueue {
  const { isPast, isNumberIn, rowsOf, skipLocked } = dialect;
  const [name, key] = [raw(table), raw(id)];
  return {
    findReady({ waiting, order, max, exceptOwners = [] }) {
      const others = exceptOwners.length === 0 ? raw('') : sql`AND owner NOT IN (${rowsOf(exceptOwners)})`;
      // The limit is part of the SQL: a plan for an unknown limit would sort the whole queue.
      return sql`SELECT number FROM ${name} WHERE ${waiting} AND ${isPast('ready_at')} ${others}
        ORDER BY ${raw(`${order} LIMIT ${Math.trunc(max)}`)} ${skipLocked}`;
    },
    take: (numbers, changes) =>
      sql`UPDATE ${name} SET token = token + 1, ${changes} WHERE ${isNumberIn(numbers)}`,
    change: (lease, changes) =>
      sql`UPDATE ${name} SET ${changes} WHERE ${key} = ${lease.id} AND token = ${lease.token}`,
  };
}

/** The worker that leases tasks, and how many. */
interface TaskLeaseOptions {
  readonly worker: string;
  readonly max: number;
  readonly isIdle: boolean;
  readonly leaseMs: number;
  readonly exceptOwners: readonly string[];
}

/** The end of tasks: their results, and which tasks they belong to. */
interface FinishOptions {
  readonly changes: Clause;
  /** A list with the changes; empty for a single task. */
  readonly from?: Clause;
  readonly which: Clause;
}

const OPEN = raw(`state IN ('queued', 'running')`);
const WAITS_ALONE = raw(`state = 'queued' AND deaths > 0`);
const WAITS = raw(`state = 'queued' AND deaths = 0`);

/** 1 for a task that died alone, unless another task has died alone since its last death: then the cause is elsewhere. */
const IS_STRIKE = raw(`CASE WHEN alone = 1 AND NOT EXISTS (SELECT 1 FROM tasks other
  WHERE other.id <> tasks.id AND other.died_alone_at > tasks.died_alone_at) THEN 1 ELSE 0 END`);

const to = (state: TaskState): Clause => raw(`state = '${state}'`);

/**
 * The state machine of tasks, the same on every database:
 *
 *     queued ──lease──▶ running ──finish──▶ finished
 *       ▲ ◀──release, tryAgain, requeueDead── │
 *       │                                     ├──fail, giveUpDead, failOverdue──▶ failed
 *       │                                     └──cancel──▶ cancelled
 *       └──retry── failed, cancelled
 *
 * A queued task can also be cancelled, or exceed its time limit. Each transition is one statement, which changes nothing if
 * the task is in another state or the lease is not the last one.
 */
export function makeTaskMachine(dialect: QueueDialect) {
  const { now, after, atOnce, isPast, isOverdue, isNumberIn, skipLocked } = dialect;
  const queue = makeLeaseQueue(dialect, { table: 'tasks', id: 'id' });

  const ended = sql`ended_at = ${now}`;
  const died = sql`deaths = deaths + 1, strikes = strikes + ${IS_STRIKE},
    died_alone_at = CASE WHEN alone = 1 THEN ${now} ELSE died_alone_at END`;
  const lapsed = (): Clause => sql`state = 'running' AND ${isPast('lease_until')}`;
  /** True for a task whose workers have died too often. */
  const isDoomed = ({ maxStrikes, maxDeaths }: SweepRule): Clause =>
    sql`(alone = 1 AND (strikes + ${IS_STRIKE} >= ${maxStrikes} OR deaths + 1 >= ${maxDeaths}))`;
  const whileRunning = (lease: Lease, changes: Clause): Clause =>
    sql`${queue.change(lease, changes)} AND state = 'running'`;
  /** Changes many tasks at once. It skips tasks that another process is changing; a later sweep changes them. */
  const changeAll = (changes: Clause, which: Clause): Clause =>
    sql`UPDATE tasks SET ${changes} WHERE ${isNumberIn(sql`SELECT number FROM tasks WHERE ${which} ${skipLocked}`)}`;

  return {
    /** While a task that must run alone is waiting, an idle worker gets that task, and others get nothing. */
    lease({ worker, max, isIdle, leaseMs, exceptOwners }: TaskLeaseOptions): Clause {
      const inTurn = queue.findReady({
        waiting: WAITS,
        order: 'priority DESC, turn, number',
        max,
        exceptOwners,
      });
      const alone = queue.findReady({ waiting: WAITS_ALONE, order: 'deaths, number', max: 1 });
      const unlessAlone = sql`SELECT number FROM (${inTurn}) in_turn
        WHERE NOT EXISTS (SELECT 1 FROM tasks WHERE ${WAITS_ALONE} AND ${isPast('ready_at')})`;
      return queue.take(
        isIdle ? sql`SELECT number FROM (${alone}) alone UNION ALL ${unlessAlone}` : unlessAlone,
        sql`${to('running')}, worker = ${worker}, lease_until = ${after(leaseMs)},
          alone = CASE WHEN deaths > 0 THEN 1 ELSE 0 END, done = 0, total = 0,
          started_at = coalesce(started_at, ${now})`,
      );
    },
    renew: (lease: Lease, { done, total, storedBytes = 0 }: Task['progress'], leaseMs: number): Clause =>
      whileRunning(
        lease,
        sql`lease_until = ${after(leaseMs)}, done = ${done}, total = ${total}, estimated_bytes =
          CASE WHEN estimated_bytes < ${storedBytes} THEN ${storedBytes} ELSE estimated_bytes END`,
      ),
    finish: ({ changes, from = raw(''), which }: FinishOptions): Clause =>
      sql`UPDATE tasks SET ${to('finished')}, ${changes}, error = NULL, done = total, ${ended}
        ${from} WHERE ${which} AND state = 'running'`,
    fail: (lease: Lease, error: TaskError): Clause =>
      whileRunning(lease, sql`${to('failed')}, error = ${JSON.stringify(error)}, ${ended}`),
    tryAgain: (lease: Lease, error: TaskError, inMs: number): Clause =>
      whileRunning(
        lease,
        sql`${to('queued')}, error = ${JSON.stringify(error)}, attempts = attempts + 1, ready_at = ${after(inMs)}`,
      ),
    release: (lease: Lease): Clause => whileRunning(lease, sql`${to('queued')}, ready_at = ${atOnce}`),
    cancel: (id: string): Clause =>
      sql`UPDATE tasks SET ${to('cancelled')}, ${ended} WHERE id = ${id} AND ${OPEN}`,
    /** Resets a task, which keeps its turn. */
    retry: (id: string): Clause =>
      sql`UPDATE tasks SET ${to('queued')}, attempts = 0, deaths = 0, strikes = 0, died_alone_at = NULL, error = NULL,
          started_at = NULL, ended_at = NULL, created_at = ${now}, ready_at = ${atOnce}
        WHERE id = ${id} AND state IN ('failed', 'cancelled')`,
    giveUpDead: (rule: SweepRule): Clause =>
      changeAll(
        sql`${to('failed')}, ${died}, error = ${JSON.stringify(rule.death)}, ${ended}`,
        sql`${lapsed()} AND ${isDoomed(rule)}`,
      ),
    requeueDead: (rule: SweepRule): Clause =>
      changeAll(
        sql`${to('queued')}, ${died}, ready_at = ${atOnce}`,
        sql`${lapsed()} AND NOT ${isDoomed(rule)}`,
      ),
    failOverdue: ({ timeout }: SweepRule): Clause =>
      changeAll(
        sql`${to('failed')}, error = ${JSON.stringify(timeout)}, ${ended}`,
        sql`${OPEN} AND ${isOverdue}`,
      ),
  };
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
