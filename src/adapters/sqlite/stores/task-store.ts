import { setInterval } from 'node:timers';
import type {
  CallbackStore,
  ResultPlace,
  ResultPlaceStore,
  TaskCount,
  TaskEvent,
  TaskStore,
} from '../../../tasks/index.ts';
import type { CallbackRow } from '../../sql/callbacks.ts';
import { listCallbacks, makeCallbackMachine, toCallback, toCallbackRow } from '../../sql/callbacks.ts';
import type { TaskRow } from '../../sql/tasks.ts';
import { listTasks, TASK_USAGE, toOrderedTask, toOutputRow, toTask, toTaskRow } from '../../sql/tasks.ts';
import type { Lookups } from '../connection.ts';
import type { Ask } from '../threads/database-threads.ts';
import { CALLBACK_COLUMNS, sqliteQueue, TASK_COLUMNS } from '../threads/task-operations.ts';

/** How often a process polls for changes of the database by another one. */
const LOOK_MS = 500;

/** Called when a task with a callback has ended in this process: the task store calls them for the callback store. */
type DueListeners = Set<() => void>;

/** Tasks in SQLite; their table is the queue. */
export function makeSqliteTaskStore(database: Lookups, write: Ask, dueListeners: DueListeners): TaskStore {
  const byId = database.prepare<TaskRow>(`SELECT ${TASK_COLUMNS} FROM tasks WHERE id = ?`);
  const orderOf = database.prepare<JsonRow>('SELECT body AS json FROM task_orders WHERE task_id = ?');
  const documentOf = database.prepare<JsonRow>(
    'SELECT document AS json FROM task_documents WHERE task_id = ?',
  );
  const counts = database.prepare<TaskCount>(
    'SELECT state, kind, count(*) AS tasks, min(created_at) AS oldestAt FROM tasks GROUP BY state, kind ORDER BY state, kind',
  );
  const usage = database.prepare<{ owner: string; open: number; finished: number; bytes: number }>(
    TASK_USAGE,
  );
  const callbackOf = database.prepare('SELECT 1 FROM callbacks WHERE task_id = ?');
  // Changes with each commit of another connection, our own writing thread included.
  const dataVersion = database.prepare<{ data_version: number }>('PRAGMA data_version');
  const listeners = new Set<(event: TaskEvent) => void>();
  let looking: NodeJS.Timeout | undefined;
  let seen: number | undefined;

  function tell(event: TaskEvent): void {
    for (const listener of listeners) listener(event);
  }

  function tellDue(): void {
    for (const listener of dueListeners) listener();
  }

  /** Polls for changes, in microseconds: SQLite reads a counter in shared memory. */
  function look(): void {
    const version = dataVersion.get()?.data_version;
    if (version === seen) return;
    seen = version;
    tell({ kind: 'queued' });
    tell({ kind: 'over' });
  }

  async function telling(id: string, kind: TaskEvent['kind'], writing: Promise<boolean>): Promise<boolean> {
    const isDone = await writing;
    if (isDone) tell({ kind, id });
    if (isDone && kind === 'over' && callbackOf.get(id) !== undefined) tellDue();
    return isDone;
  }

  return {
    async create(task, limits, callback = null) {
      const told = callback === null ? null : toCallbackRow(callback);
      const created = await write('createTask', toTaskRow(task), limits, told);
      if (created.kind === 'created') tell({ kind: 'queued', id: task.id });
      return created;
    },
    async find(id) {
      const row = byId.get(id);
      return row === undefined ? null : toTask(row);
    },
    async findOrder(id) {
      const row = orderOf.get(id);
      return row === undefined ? null : JSON.parse(row.json);
    },
    findDocument: async (id) => documentOf.get(id)?.json ?? null,
    async list(query) {
      const { sql, values } = listTasks(TASK_COLUMNS, query);
      return database
        .prepare<TaskRow>(sql)
        .all(...values)
        .map(toTask);
    },
    count: async () => counts.all().map((row) => ({ ...row })),
    async usage() {
      return new Map(
        usage.all().map(({ owner, open, finished, bytes }) => [owner, { open, finished, bytes }]),
      );
    },
    async lease({ worker, max, leaseMs, isIdle = true, exceptOwners = [] }) {
      const rows = await write('leaseTasks', worker, max, leaseMs, exceptOwners, isIdle);
      return rows.map((row) => ({
        task: toOrderedTask(row),
        lease: { id: row.id, token: row.token },
        isAlone: row.alone === 1,
      }));
    },
    renew: (lease, progress, leaseMs) => write('renewTask', lease, progress, leaseMs),
    finish: (lease, output) => telling(lease.id, 'over', write('finishTask', lease, toOutputRow(output))),
    fail: (lease, error, retryInMs) =>
      telling(lease.id, retryInMs === null ? 'over' : 'queued', write('failTask', lease, error, retryInMs)),
    release: (lease) => telling(lease.id, 'queued', write('releaseTask', lease)),
    cancel: (id) => telling(id, 'over', write('cancelTask', id)),
    async remove(id) {
      const row = await write('removeTask', id);
      return row === null ? null : toTask(row);
    },
    retry: (id) => telling(id, 'queued', write('retryTask', id)),
    async sweep(rule) {
      const swept = await write('sweepTasks', rule);
      if (swept.requeued > 0) tell({ kind: 'queued' });
      if (swept.failed > 0) {
        tell({ kind: 'over' });
        tellDue();
      }
      return swept;
    },
    async prune({ endedBefore, owner, max }) {
      return (await write('pruneTasks', endedBefore, owner ?? null, max)).map(toTask);
    },
    async trim({ owner, keep, max }) {
      return (await write('trimTasks', owner, keep, max)).map(toTask);
    },
    watch(listener) {
      listeners.add(listener);
      looking ??= setInterval(look, LOOK_MS).unref();
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        clearInterval(looking);
        looking = undefined;
      };
    },
  };
}

interface JsonRow {
  readonly json: string;
}

/** Callbacks in SQLite; triggers on the task table make them due. */
export function makeSqliteCallbackStore(
  database: Lookups,
  write: Ask,
  dueListeners: DueListeners,
): CallbackStore {
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
      // Most polls find nothing and need no transaction.
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
    watch(listener) {
      dueListeners.add(listener);
      return () => dueListeners.delete(listener);
    },
  };
}

const PUT = `INSERT INTO result_places (node, store_id, place, seen_at) VALUES (?, ?, ?, ?)
  ON CONFLICT (node) DO UPDATE SET store_id = excluded.store_id, place = excluded.place, seen_at = excluded.seen_at`;

/** Result places in SQLite, by the clock of the machine, which all processes share. */
export function makeSqliteResultPlaceStore(
  database: Lookups,
  write: Ask,
  wallClockMs: () => number = Date.now,
): ResultPlaceStore {
  const all = database.prepare<ResultPlace>(
    'SELECT node, store_id AS storeId, place FROM result_places WHERE seen_at >= ? ORDER BY node',
  );
  return {
    async put({ node, storeId, place }) {
      await write('run', PUT, [node, storeId, place, wallClockMs()]);
    },
    async list(withinMs) {
      const sinceMs = wallClockMs() - withinMs;
      await write('run', 'DELETE FROM result_places WHERE seen_at < ?', [sinceMs]);
      return all.all(sinceMs).map((row) => ({ ...row }));
    },
    async remove(node) {
      await write('run', 'DELETE FROM result_places WHERE node = ?', [node]);
    },
  };
}
