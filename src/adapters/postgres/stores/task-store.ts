import { makeBatch } from '../../../async/index.ts';
import type {
  CallbackStore,
  Lease,
  ResultPlace,
  ResultPlaceStore,
  Task,
  TaskCount,
  TaskEvent,
  TaskOutput,
  TaskStore,
} from '../../../tasks/index.ts';
import type { CallbackRow } from '../../sql/callbacks.ts';
import { listCallbacks, makeCallbackMachine, toCallback } from '../../sql/callbacks.ts';
import type { Clause } from '../../sql/sql.ts';
import { raw, sql } from '../../sql/sql.ts';
import type { OrderedTaskRow, TaskRow } from '../../sql/tasks.ts';
import {
  listTasks,
  makeTaskMachine,
  TASK_USAGE,
  toOrderedTask,
  toOutputRow,
  toTask,
  toTaskRow,
} from '../../sql/tasks.ts';
import type { SqlClient } from '../connection/sql-client.ts';
import { hasNul } from '../connection/sql-client.ts';
import type { TaskToCreate } from './create-tasks.ts';
import { createTasks, removeUnusedAreas } from './create-tasks.ts';
import type { TaskEvents } from './task-queue.ts';
import { postgresQueue } from './task-queue.ts';

const { isNumberIn, skipLocked } = postgresQueue;

interface TaskStoreDeps {
  readonly client: SqlClient;
  readonly events: TaskEvents;
}

/** The ISO format of JavaScript. */
const toTimeText = (time: string): string =>
  `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const toTime = (column: string): string => `${toTimeText(column)} AS ${column}`;

const TASK_COLUMNS = `id, owner, kind, reference, digest, view_id, priority, estimated_bytes, timeout_s, state, token, done, total,
  attempts, deaths, alone, worker, error, result, traceparent, ${toTime('created_at')}, ${toTime('started_at')}, ${toTime('ended_at')}`;

/** Further columns for the runner: the order and its area. */
const ORDER = `body, (SELECT json FROM task_areas WHERE owner = tasks.owner AND digest = tasks.area) AS area_json`;

const ENDED_FIELDS = 'task text, held integer, result text, document text, bytes bigint';

/** The end of a task that its worker wants to publish. */
interface TaskEnd {
  readonly lease: Lease;
  readonly output: TaskOutput;
}

/** Upper bound of calls in one transaction: their ids fit into one event (8,000 bytes). */
const MAX_SHARED = 100;
/** Concurrent transactions: one runs while the other waits for the disk. */
const MAX_TRANSACTIONS = 2;

const shareTransactions = <Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
): ((item: Item) => Promise<Result>) => makeBatch({ run, max: MAX_SHARED, maxRuns: MAX_TRANSACTIONS }).add;

/** Tasks in PostgreSQL; their table is the queue. */
export function makePostgresTaskStore({ client, events }: TaskStoreDeps): TaskStore {
  const machine = makeTaskMachine(postgresQueue);

  const change = async (kind: TaskEvent['kind'], transition: Clause): Promise<boolean> =>
    (await events.change(client, kind, transition)).length === 1;

  const create = shareTransactions((orders: readonly TaskToCreate[]) =>
    client.inTransaction((held) => createTasks(orders, { held, events })),
  );

  const finish = shareTransactions((ends: readonly TaskEnd[]) =>
    client.inTransaction(async (held) => {
      const rows = ends.map(({ lease, output }) => ({
        task: lease.id,
        held: lease.token,
        ...toOutputRow(output),
      }));
      const transition = machine.finish({
        changes: raw('result = ended.result, document = ended.document, result_bytes = ended.bytes'),
        from: sql`FROM json_to_recordset(${JSON.stringify(rows)}::json) AS ended (${raw(ENDED_FIELDS)})`,
        which: raw('id = ended.task AND token = ended.held'),
      });
      const finished = await events.change<FinishedRow>(held, 'over', transition, 'id, token, owner, area');
      await removeUnusedAreas(held, finished);
      const stored = new Set(finished.map(toKey));
      // Of two concurrent calls only one ends the lease.
      return ends.map(({ lease }) => stored.delete(toKey(lease)));
    }),
  );

  /** Removes ended tasks, and the areas that no other task needs. */
  const remove = (which: Clause): Promise<readonly Task[]> =>
    client.inTransaction(async (held) => {
      const rows = await held.query<TaskRow & { readonly area: string | null }>(
        sql`DELETE FROM tasks WHERE ${which} RETURNING ${raw(TASK_COLUMNS)}, area`,
      );
      await removeUnusedAreas(held, rows);
      return rows.map(toTask);
    });

  async function findJson(column: 'body' | 'document', id: string): Promise<string | null> {
    if (hasNul(id)) return null;
    const [row] = await client.query<{ json: string | null }>(
      sql`SELECT ${raw(column)} AS json FROM tasks WHERE id = ${id}`,
    );
    return row?.json ?? null;
  }

  return {
    create: (task, limits, callback = null) => create({ row: toTaskRow(task), limits, callback }),
    async find(id) {
      if (hasNul(id)) return null;
      const [row] = await client.query<TaskRow>(sql`SELECT ${raw(TASK_COLUMNS)} FROM tasks WHERE id = ${id}`);
      return row === undefined ? null : toTask(row);
    },
    async findOrder(id) {
      const json = await findJson('body', id);
      return json === null ? null : JSON.parse(json);
    },
    findDocument: (id) => findJson('document', id),
    async list(query) {
      return (await client.query<TaskRow>(listTasks(TASK_COLUMNS, query))).map(toTask);
    },
    async count() {
      return client.query<TaskCount>(
        raw(
          `SELECT state, kind, count(*)::integer AS tasks, ${toTimeText('min(created_at)')} AS "oldestAt"
           FROM tasks GROUP BY state, kind ORDER BY state, kind`,
        ),
      );
    },
    async usage() {
      const rows = await client.query<Record<'owner' | 'open' | 'finished' | 'bytes', string>>(
        raw(TASK_USAGE),
      );
      return new Map(
        rows.map(({ owner, open, finished, bytes }) => [
          owner,
          { open: Number(open), finished: Number(finished), bytes: Number(bytes) },
        ]),
      );
    },
    async lease({ worker, max, leaseMs, isIdle = true, exceptOwners = [] }) {
      const leasing = machine.lease({ worker, max, leaseMs, isIdle, exceptOwners });
      const rows = await client.query<OrderedTaskRow>(
        sql`${leasing} RETURNING ${raw(TASK_COLUMNS)}, ${raw(ORDER)}`,
      );
      return rows.map((row) => ({
        task: toOrderedTask(row),
        lease: { id: row.id, token: row.token },
        isAlone: row.alone === 1,
      }));
    },
    async renew(lease, progress, leaseMs) {
      const held = await client.query(sql`${machine.renew(lease, progress, leaseMs)} RETURNING id`);
      if (held.length === 1) return 'held';
      const [row] = await client.query<{ state: string }>(
        sql`SELECT state FROM tasks WHERE id = ${lease.id}`,
      );
      return row?.state === 'queued' || row?.state === 'running' ? 'lost' : 'over';
    },
    finish: (lease, output) => finish({ lease, output }),
    fail: (lease, error, retryInMs) =>
      retryInMs === null
        ? change('over', machine.fail(lease, error))
        : change('queued', machine.tryAgain(lease, error, retryInMs)),
    release: (lease) => change('queued', machine.release(lease)),
    cancel: async (id) => !hasNul(id) && change('over', machine.cancel(id)),
    async remove(id) {
      if (hasNul(id)) return null;
      const [task] = await remove(sql`id = ${id} AND state NOT IN ('queued', 'running')`);
      return task ?? null;
    },
    retry: async (id) => !hasNul(id) && change('queued', machine.retry(id)),
    async sweep(rule) {
      const dead = await events.change(client, 'over', machine.giveUpDead(rule));
      const requeued = await events.change(client, 'queued', machine.requeueDead(rule));
      const overdue = await events.change(client, 'over', machine.failOverdue(rule));
      return { requeued: requeued.length, failed: dead.length + overdue.length };
    },
    prune({ endedBefore, owner, max }) {
      const whose = owner === undefined ? raw('true') : sql`owner = ${owner}`;
      return remove(
        isNumberIn(
          sql`SELECT number FROM tasks WHERE ended_at < ${endedBefore}::timestamptz AND ${whose}
              ORDER BY ended_at LIMIT ${max} ${skipLocked}`,
        ),
      );
    },
    trim: ({ owner, keep, max }) =>
      remove(
        isNumberIn(
          sql`SELECT number FROM tasks WHERE owner = ${owner} AND ended_at IS NOT NULL ORDER BY ended_at, number
              LIMIT least(${max}, greatest(0, (
                SELECT count(*) FROM tasks WHERE owner = ${owner} AND ended_at IS NOT NULL) - ${keep}))
              ${skipLocked}`,
        ),
      ),
    watch: events.watch,
  };
}

/** A task that has just finished. */
interface FinishedRow extends Lease {
  readonly owner: string;
  readonly area: string | null;
}

const toKey = ({ id, token }: Lease): string => `${id} ${token}`;

const CALLBACK_COLUMNS = `task_id, owner, url, form, public_url, state, token, attempts, last_status, last_error,
  ${toTime('next_at')}, ${toTime('delivered_at')}`;

/** Callbacks in PostgreSQL; a trigger on the task table makes them due. */
export function makePostgresCallbackStore({ client, events }: TaskStoreDeps): CallbackStore {
  const machine = makeCallbackMachine(postgresQueue);
  const change = async (transition: Clause): Promise<boolean> =>
    (await client.query(sql`${transition} RETURNING task_id`)).length === 1;

  return {
    async find(taskId) {
      if (hasNul(taskId)) return null;
      const [row] = await client.query<CallbackRow>(
        sql`SELECT ${raw(CALLBACK_COLUMNS)} FROM callbacks WHERE task_id = ${taskId}`,
      );
      return row === undefined ? null : toCallback(row);
    },
    async list(query) {
      return (await client.query<CallbackRow>(listCallbacks(CALLBACK_COLUMNS, query))).map(toCallback);
    },
    async lease({ lost, maxAttempts, ...options }) {
      const [row] = await client.query<CallbackRow>(
        sql`WITH lost AS (${machine.failLost(maxAttempts, lost)})
            ${machine.lease({ ...options, maxAttempts })} RETURNING ${raw(CALLBACK_COLUMNS)}`,
      );
      if (row === undefined) return null;
      return { callback: toCallback(row), lease: { id: row.task_id, token: row.token } };
    },
    deliver: (lease, status) => change(machine.deliver(lease, status)),
    fail: (lease, failure, retryInMs) => change(machine.fail(lease, failure, retryInMs)),
    release: (lease) => change(machine.release(lease)),
    retry: async (taskId) => !hasNul(taskId) && change(machine.retry(taskId)),
    watch: (listener) =>
      events.watch(({ kind }) => {
        if (kind === 'over') listener();
      }),
  };
}

/** Result places in PostgreSQL, by the server's clock, because the clocks of nodes may differ. */
export function makePostgresResultPlaceStore(client: SqlClient): ResultPlaceStore {
  return {
    async put({ node, storeId, place }) {
      await client.query(
        sql`INSERT INTO result_places (node, store_id, place, seen_at) VALUES (${node}, ${storeId}, ${place}, now())
            ON CONFLICT (node) DO UPDATE SET store_id = excluded.store_id, place = excluded.place, seen_at = now()`,
      );
    },
    async list(withinMs) {
      await client.query(
        sql`DELETE FROM result_places WHERE seen_at < now() - make_interval(secs => ${withinMs / 1000})`,
      );
      return client.query<ResultPlace>(
        sql`SELECT node, store_id AS "storeId", place FROM result_places ORDER BY node`,
      );
    },
    async remove(node) {
      await client.query(sql`DELETE FROM result_places WHERE node = ${node}`);
    },
  };
}
