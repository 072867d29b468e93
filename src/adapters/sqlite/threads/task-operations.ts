import type { DatabaseSync } from 'node:sqlite';
import type {
  CallbackFailure,
  Lease,
  SweepRule,
  Task,
  TaskCreated,
  TaskError,
  TaskLimits,
} from '../../../tasks/index.ts';
import type { CallbackRow, NewCallbackRow } from '../../sql/callbacks.ts';
import { makeCallbackMachine } from '../../sql/callbacks.ts';
import type { Clause } from '../../sql/sql.ts';
import { raw, sql } from '../../sql/sql.ts';
import type { NewTaskRow, OrderedTaskRow, OutputRow, QueueDialect, TaskRow } from '../../sql/tasks.ts';
import { makeTaskMachine, nextTurn } from '../../sql/tasks.ts';
import { inSavepoint, makeQueries, prepare, sharedNowMs } from '../connection.ts';

/** The longest delay or lease: a later time was written before a restart of the machine, when its clock was ahead. */
const LONGEST_MS = 3_600_000;

/** The SQLite dialect: times are milliseconds of the machine's monotonic clock, and one transaction writes at a time. */
export const sqliteQueue: QueueDialect = {
  // The ISO format of JavaScript.
  now: raw(`strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`),
  laterBy: (ms) => sql`${new Date(Date.now() + Math.min(ms, LONGEST_MS)).toISOString()}`,
  after: (ms) => sql`${sharedNowMs() + Math.min(ms, LONGEST_MS)}`,
  atOnce: raw('0'),
  isPast(column) {
    const nowMs = sharedNowMs();
    return sql`(${raw(column)} <= ${nowMs} OR ${raw(column)} > ${nowMs + LONGEST_MS})`;
  },
  isOverdue: raw(`unixepoch(created_at) + timeout_s <= unixepoch('now')`),
  isNumberIn: (numbers) => sql`number IN (${numbers})`,
  rowsOf: (strings) => sql`SELECT value FROM json_each(${JSON.stringify(strings)})`,
  skipLocked: raw(''),
};

/** The columns of a task without its order. */
export const TASK_COLUMNS = `id, owner, kind, reference, digest, view_id, priority, estimated_bytes, timeout_s, state, token,
  done, total, attempts, deaths, alone, worker, error, result, created_at, started_at, ended_at, traceparent`;

/** Further columns for the runner: the order and its area. */
const ORDER = `(SELECT body FROM task_orders WHERE task_id = tasks.id) AS body,
  (SELECT json FROM task_areas WHERE owner = tasks.owner AND digest = tasks.area) AS area_json`;

const OPEN = `state IN ('queued', 'running')`;

/** Writes of tasks. Several calls share a commit, so none begins a transaction. */
export function makeTaskOperations(
  database: DatabaseSync,
  insertCallback: (taskId: string, owner: string, row: NewCallbackRow) => void,
) {
  const findKnown = prepare<{ id: string }>(
    database,
    `SELECT id FROM tasks WHERE owner = ? AND reference = ? AND digest = ?
       AND state IN ('queued', 'running', 'finished') ORDER BY number DESC LIMIT 1`,
  );
  const countOwn = prepare<Count>(database, `SELECT count(*) AS n FROM tasks WHERE owner = ? AND ${OPEN}`);
  const countOpen = prepare<Count>(database, `SELECT count(*) AS n FROM tasks WHERE ${OPEN}`);
  const sumBytes = prepare<Count>(
    database,
    `SELECT coalesce(sum(order_bytes + CASE WHEN ${OPEN} THEN estimated_bytes ELSE result_bytes END), 0)
       + (SELECT coalesce(sum(bytes), 0) FROM task_areas WHERE owner = ?1) AS n
     FROM tasks WHERE owner = ?1`,
  );
  const countEnded = prepare<Count>(
    database,
    `SELECT count(*) AS n FROM tasks WHERE owner = ? AND ended_at IS NOT NULL`,
  );
  const sumAreas = prepare<Count>(
    database,
    'SELECT coalesce(sum(bytes), 0) AS n FROM task_areas WHERE owner = ?',
  );
  const hasArea = prepare(database, 'SELECT 1 FROM task_areas WHERE owner = ? AND digest = ?');
  const insertArea = prepare(
    database,
    'INSERT INTO task_areas (owner, digest, bytes, json) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const insertOrder = prepare(database, 'INSERT INTO task_orders (task_id, body) VALUES (?, ?)');
  const insertDocument = prepare(database, 'INSERT INTO task_documents (task_id, document) VALUES (?, ?)');
  const findTurn = prepare<{ turn: number }>(database, nextTurn('?'));
  const insert = prepare(
    database,
    `INSERT INTO tasks (id, owner, kind, reference, digest, state, priority, turn, token, attempts, deaths, ready_at, done,
       total, timeout_s, estimated_bytes, result_bytes, created_at, view_id, order_bytes, area, traceparent)
     VALUES (?, ?, ?, ?, ?, 'queued', ?, ?, 0, 0, 0, 0, 0, 0, ?, ?, 0, ${sqliteQueue.now.sql}, ?, ?, ?, ?)`,
  );
  const prune = prepare<TaskRow>(
    database,
    `DELETE FROM tasks WHERE number IN (
       SELECT number FROM tasks WHERE ended_at < ? AND (?2 IS NULL OR owner = ?2) ORDER BY ended_at LIMIT ?)
     RETURNING ${TASK_COLUMNS}`,
  );
  const trim = prepare<TaskRow>(
    database,
    `DELETE FROM tasks WHERE number IN (
       SELECT number FROM tasks WHERE owner = ?1 AND ended_at IS NOT NULL ORDER BY ended_at, number
       LIMIT min(?3, max(0, (SELECT count(*) FROM tasks WHERE owner = ?1 AND ended_at IS NOT NULL) - ?2)))
     RETURNING ${TASK_COLUMNS}`,
  );
  const remove = prepare<TaskRow>(
    database,
    `DELETE FROM tasks WHERE id = ? AND NOT ${OPEN} RETURNING ${TASK_COLUMNS}`,
  );
  const stateOf = prepare<{ state: string | null }>(database, 'SELECT state FROM tasks WHERE id = ?');

  const machine = makeTaskMachine(sqliteQueue);
  const { query, change } = makeQueries(database);
  const isChanged = (transition: Clause): boolean => change(transition) === 1;
  const countOf = (row: Count | undefined): number => row?.n ?? 0;

  function findFull(row: NewTaskRow, limits: TaskLimits): TaskCreated | null {
    const open = countOf(countOwn.get(row.owner));
    if (open + 1 > limits.openPerOwner) return { kind: 'full', limit: 'openPerOwner', used: open };
    const all = countOf(countOpen.get());
    if (all + 1 > limits.open) return { kind: 'full', limit: 'open', used: all };
    const bytes = countOf(sumBytes.get(row.owner));
    const { owner, estimated_bytes, order_bytes, area } = row;
    const areaBytes = area === null || hasArea.get(owner, area.digest) !== undefined ? 0 : area.bytes;
    if (bytes + estimated_bytes + order_bytes + areaBytes > limits.bytesPerOwner)
      return { kind: 'full', limit: 'bytesPerOwner', used: bytes };
    if (areaBytes === 0) return null;
    const areas = countOf(sumAreas.get(owner));
    if (areas + areaBytes <= limits.areaBytesPerOwner) return null;
    return { kind: 'full', limit: 'areaBytesPerOwner', used: areas };
  }

  return {
    create: (row: NewTaskRow, limits: TaskLimits, callback: NewCallbackRow | null): TaskCreated =>
      inSavepoint(database, () => {
        const { id, owner, kind, reference, digest, priority } = row;
        const known = findKnown.get(owner, reference, digest);
        if (known !== undefined) return { kind: 'known', id: known.id };
        const full = findFull(row, limits);
        if (full !== null) return full;
        const { turn } = findTurn.get(owner) ?? { turn: 0 };
        const { timeout_s, estimated_bytes, view_id, order_bytes, body, area, traceparent } = row;
        const order = [timeout_s, estimated_bytes, view_id, order_bytes, area?.digest ?? null, traceparent];
        insert.run(id, owner, kind, reference, digest, priority, turn, ...order);
        insertOrder.run(id, body);
        if (area !== null) insertArea.run(owner, area.digest, area.bytes, area.json);
        if (callback !== null) insertCallback(id, owner, callback);
        return { kind: 'created', ended: countOf(countEnded.get(owner)) };
      }),
    lease: (
      worker: string,
      max: number,
      leaseMs: number,
      exceptOwners: readonly string[],
      isIdle: boolean,
    ): readonly OrderedTaskRow[] => {
      const leasing = machine.lease({ worker, max, leaseMs, exceptOwners, isIdle });
      return query(sql`${leasing} RETURNING ${raw(TASK_COLUMNS)}, ${raw(ORDER)}`);
    },
    renew: (lease: Lease, progress: Task['progress'], leaseMs: number) => {
      if (isChanged(machine.renew(lease, progress, leaseMs))) return 'held';
      const { state } = stateOf.get(lease.id) ?? { state: null };
      return state === 'queued' || state === 'running' ? 'lost' : 'over';
    },
    finish: ({ id, token }: Lease, { result, document, bytes }: OutputRow): boolean =>
      inSavepoint(database, () => {
        const isFinished = isChanged(
          machine.finish({
            changes: sql`result = ${result}, result_bytes = ${bytes}`,
            which: sql`id = ${id} AND token = ${token}`,
          }),
        );
        if (isFinished && document !== null) insertDocument.run(id, document);
        return isFinished;
      }),
    fail: (lease: Lease, error: TaskError, retryInMs: number | null): boolean =>
      isChanged(retryInMs === null ? machine.fail(lease, error) : machine.tryAgain(lease, error, retryInMs)),
    release: (lease: Lease): boolean => isChanged(machine.release(lease)),
    cancel: (id: string): boolean => isChanged(machine.cancel(id)),
    remove: (id: string): TaskRow | null => remove.get(id) ?? null,
    retry: (id: string): boolean => isChanged(machine.retry(id)),
    sweep: (rule: SweepRule) =>
      inSavepoint(database, () => {
        const dead = change(machine.giveUpDead(rule));
        const requeued = change(machine.requeueDead(rule));
        return { requeued, failed: dead + change(machine.failOverdue(rule)) };
      }),
    prune: (endedBefore: string, owner: string | null, max: number): readonly TaskRow[] =>
      prune.all(endedBefore, owner, max),
    trim: (owner: string, keep: number, max: number): readonly TaskRow[] => trim.all(owner, keep, max),
  };
}

/** The result of a count. */
interface Count {
  readonly n: number;
}

/** The columns of a callback. */
export const CALLBACK_COLUMNS = `task_id, owner, url, form, public_url, state, token, attempts, last_status, last_error,
  next_at, delivered_at`;

/** Writes of callbacks. Several calls share a commit, so none begins a transaction. */
export function makeCallbackOperations(database: DatabaseSync) {
  const machine = makeCallbackMachine(sqliteQueue);
  const { query, change } = makeQueries(database);
  const isChanged = (transition: Clause): boolean => change(transition) === 1;

  return {
    /** Inserts a callback together with its task. */
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
