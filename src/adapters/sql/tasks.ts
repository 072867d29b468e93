/** Tasks in SQL, the same on both databases: their rows, and their state machine on a queue of leases. */

import type {
  Lease,
  NewTask,
  OrderedTask,
  SweepRule,
  Task,
  TaskError,
  TaskOutput,
  TaskResult,
  TaskState,
  TaskStore,
} from '../../tasks/index.ts';
import type { Clause } from './sql.ts';
import { all, any, list, raw, sql } from './sql.ts';

/** A task without its order, from either database; PostgreSQL returns bigint as a string. */
export interface TaskRow {
  readonly id: string;
  readonly owner: string;
  readonly kind: string;
  readonly reference: string;
  readonly digest: string;
  readonly view_id: string | null;
  readonly priority: number;
  readonly estimated_bytes: number | string;
  readonly timeout_s: number;
  readonly state: TaskState;
  readonly token: number;
  readonly done: number;
  readonly total: number;
  readonly attempts: number;
  readonly deaths: number;
  /** 1 if the current or last run is alone. */
  readonly alone: number;
  readonly worker: string | null;
  readonly error: string | null;
  /** The file as JSON, or the size of the document, which is stored separately. */
  readonly result: string | null;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly ended_at: string | null;
  readonly traceparent: string | null;
}

/** A task with its order, for its runner. */
export interface OrderedTaskRow extends TaskRow {
  readonly body: string;
  /** The area as JSON. */
  readonly area_json: string | null;
}

/** The area of an order as a row. */
export interface TaskAreaRow {
  readonly digest: string;
  readonly json: string;
  readonly bytes: number;
}

/** The row of a new task. */
export interface NewTaskRow
  extends Pick<
    TaskRow,
    'id' | 'owner' | 'kind' | 'reference' | 'digest' | 'view_id' | 'priority' | 'timeout_s' | 'traceparent'
  > {
  readonly estimated_bytes: number;
  readonly body: string;
  /** The size of the body. */
  readonly order_bytes: number;
  readonly area: TaskAreaRow | null;
}

/** An order as a row. */
export function toTaskRow({ area, ...task }: NewTask): NewTaskRow {
  const body = JSON.stringify(task.order);
  return {
    id: task.id,
    owner: task.owner,
    kind: task.kind,
    reference: task.reference,
    digest: task.digest,
    view_id: task.viewId,
    priority: task.priority,
    estimated_bytes: task.estimatedBytes,
    timeout_s: task.timeoutS,
    traceparent: task.traceparent ?? null,
    body,
    order_bytes: Buffer.byteLength(body),
    area: area === null ? null : { ...area, bytes: Buffer.byteLength(area.json) },
  };
}

/** A row as a task. */
export const toTask = (row: TaskRow): Task => ({
  id: row.id,
  owner: row.owner,
  kind: row.kind,
  reference: row.reference,
  digest: row.digest,
  viewId: row.view_id,
  priority: row.priority,
  estimatedBytes: Number(row.estimated_bytes),
  timeoutS: row.timeout_s,
  state: row.state,
  progress: { done: row.done, total: row.total },
  attempts: row.attempts,
  deaths: row.deaths,
  worker: row.worker,
  error: row.error === null ? null : (JSON.parse(row.error) as TaskError),
  result: row.result === null ? null : (JSON.parse(row.result) as TaskResult),
  createdAt: row.created_at,
  startedAt: row.started_at,
  endedAt: row.ended_at,
  ...(row.traceparent === null ? {} : { traceparent: row.traceparent }),
});

/** A row as a task with its order. */
export const toOrderedTask = (row: OrderedTaskRow): OrderedTask => ({
  ...toTask(row),
  order: JSON.parse(row.body),
  area: row.area_json === null ? null : JSON.parse(row.area_json),
});

/** The columns for the result of a task. */
export interface OutputRow {
  readonly result: string;
  /** The document as JSON; null for a file. */
  readonly document: string | null;
  /** The size of the file in the blob store, or of the document in the database. */
  readonly bytes: number;
}

/** The result of a task as columns. */
export function toOutputRow(output: TaskOutput): OutputRow {
  const toJson = (result: TaskResult): string => JSON.stringify(result);
  if (output.kind === 'file') return { result: toJson(output), document: null, bytes: output.bytes };
  const document = JSON.stringify(output.document);
  const bytes = Buffer.byteLength(document);
  return { result: toJson({ kind: 'document', bytes }), document, bytes };
}

/** Lists tasks, newest first. */
export function listTasks(
  columns: string,
  { owner, state, kinds, limit, after }: Parameters<TaskStore['list']>[0],
): Clause {
  const conditions = [
    ...(owner === undefined ? [] : [sql`owner = ${owner}`]),
    ...(state === undefined ? [] : [sql`state = ${state}`]),
    ...(kinds === undefined ? [] : [any(kinds.map((kind) => sql`kind = ${kind}`))]),
    ...(after === undefined ? [] : [sql`number < (SELECT number FROM tasks WHERE id = ${after})`]),
  ];
  return list(
    [raw(`SELECT ${columns} FROM tasks WHERE`), all(conditions), sql`ORDER BY number DESC LIMIT ${limit}`],
    ' ',
  );
}

/** Usage by owner: open and finished tasks, and the bytes of orders and results with the estimates of open tasks. */
export const TASK_USAGE = `SELECT owner, sum(open) AS open, sum(finished) AS finished, sum(bytes) AS bytes FROM (
    SELECT owner, CASE WHEN state IN ('queued', 'running') THEN 1 ELSE 0 END AS open,
      CASE WHEN state = 'finished' THEN 1 ELSE 0 END AS finished,
      order_bytes + CASE WHEN state IN ('queued', 'running') THEN estimated_bytes ELSE result_bytes END AS bytes
    FROM tasks
    UNION ALL
    SELECT owner, 0, 0, bytes FROM task_areas
  ) parts GROUP BY owner`;

/**
 * The turn of an owner's new task (`owner` in the caller's dialect): owners take turns. A new owner gets the turn of the
 * first task in the queue; each further task of an owner comes one turn after its last one.
 */
export const nextTurn = (owner: string): string => `
  SELECT CASE WHEN own.turn IS NULL OR own.turn + 1 < front.turn THEN front.turn ELSE own.turn + 1 END AS turn
  FROM (SELECT max(turn) AS turn FROM tasks WHERE owner = ${owner} AND state IN ('queued', 'running')) own,
    (SELECT coalesce(
       (SELECT min(turn) FROM tasks WHERE state = 'queued'),
       (SELECT max(turn) FROM tasks WHERE state = 'running'),
       0) AS turn) front`;

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
export function makeLeaseQueue(dialect: QueueDialect, { table, id }: LeasedTable): LeaseQueue {
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
