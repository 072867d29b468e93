import { makeLru } from '../../../lru.ts';
import type { Lease, Task, TaskCount, TaskOutput, TaskStore } from '../../../tasks/index.ts';
import { list, raw, sql } from '../../sql/sql-clause.ts';
import type { OrderedTaskRow, TaskRow } from '../../sql/task-row.ts';
import {
  IS_STRIKE,
  listTasks,
  TASK_USAGE,
  toOrderedTask,
  toOutputRow,
  toTask,
  toTaskRow,
} from '../../sql/task-row.ts';
import type { SqlClient } from '../connection/sql-client.ts';
import type { JobAttempt, JobQueue } from '../queue/job-queue.ts';
import { shareCalls } from '../queue/share-calls.ts';
import type { TaskEvents } from '../queue/task-events.ts';
import { hasNul } from '../scenes/without-nul.ts';
import type { TaskToCreate } from './create-tasks.ts';
import { createTasks, toJobPriority } from './create-tasks.ts';
import { removeUnusedAreas } from './task-areas.ts';

interface TaskStoreDeps {
  readonly client: SqlClient;
  readonly queue: JobQueue;
  readonly events: TaskEvents;
}

/** As JavaScript writes times. */
const toTime = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS ${column}`;

const COLUMNS = `id, owner, kind, reference, digest, view_id, priority, estimated_bytes, timeout_s, state, token, done, total,
  attempts, deaths, alone, worker, error, result, ${toTime('created_at')}, ${toTime('started_at')}, ${toTime('ended_at')}`;

const LEASE = `UPDATE tasks SET state = 'running', token = token + 1, queue_attempt = job.attempt, worker = ?,
    lease_until = now() + ? * interval '1 ms', alone = CASE WHEN deaths > 0 THEN 1 ELSE 0 END, done = 0, total = 0, started_at = coalesce(started_at, now())
  FROM unnest(?::text[], ?::integer[]) AS job (task, attempt)
  WHERE id = job.task AND state = 'queued' RETURNING ${COLUMNS}, body,
    (SELECT json FROM task_areas WHERE owner = tasks.owner AND digest = tasks.area) AS area_json`;

const FINISH = `UPDATE tasks SET state = 'finished', result = ended.result, document = ended.document,
    result_bytes = ended.bytes, error = NULL, done = total, ended_at = now()
  FROM json_to_recordset(?::json) AS ended (task text, held integer, result text, document text, bytes bigint)
  WHERE id = ended.task AND token = ended.held AND state = 'running'`;

/** The end of a task that its worker wants to publish. */
interface TaskEnd {
  readonly lease: Lease;
  readonly output: TaskOutput;
}

/** Thrown in a transaction to undo all of it: the lease is not held any more. */
const NOT_HELD = new Error('the lease is not held');

/**
 * Tasks in PostgreSQL: our table says what they are, pg-boss when they are worked on. Both are changed in one transaction,
 * always the job first and the row second, so that no two of them wait for each other.
 */
export function makePostgresTaskStore({ client, queue, events }: TaskStoreDeps): TaskStore {
  async function inTransaction<Result>(work: (held: SqlClient) => Promise<Result>): Promise<Result> {
    await queue.ready();
    return client.inTransaction(work);
  }

  /** Runs work in a transaction; false, and nothing is changed, when it finds that a lease is not held. */
  async function whileHeld(work: (held: SqlClient) => Promise<void>): Promise<boolean> {
    try {
      await inTransaction(work);
      return true;
    } catch (error) {
      if (error === NOT_HELD) return false;
      throw error;
    }
  }

  /** Attempts that this process has leased and not ended, to save a round trip. Those it has lost are pushed out. */
  const leasedHere = makeLru<number>({ max: 1_000 });
  const toKey = ({ id, token }: Lease): string => `${id} ${token}`;

  /** The attempt of pg-boss's job that a lease is for; pg-boss and the row both refuse one that is not the last. */
  async function findAttempt(held: SqlClient, lease: Lease): Promise<JobAttempt> {
    const { id, token } = lease;
    const known = leasedHere.get(toKey(lease));
    if (known !== undefined) return { id, retryCount: known };
    const [row] = await held.query<{ queue_attempt: number }>(
      sql`SELECT queue_attempt FROM tasks WHERE id = ${id} AND token = ${token} AND state = 'running'`,
    );
    if (row === undefined) throw NOT_HELD;
    return { id, retryCount: row.queue_attempt };
  }

  const ensure = (isHeld: boolean): void => {
    if (!isHeld) throw NOT_HELD;
  };
  const ensureChanged = (ids: readonly string[]): void => ensure(ids.length === 1);

  const isChanged = async (held: SqlClient, statement: ReturnType<typeof sql>): Promise<boolean> =>
    (await held.query(list([statement, raw('RETURNING id')], ' '))).length === 1;

  const create = shareCalls((orders: readonly TaskToCreate[]) =>
    inTransaction((held) => createTasks(orders, { held, queue, events })),
  );

  const finish = shareCalls(async (ends: readonly TaskEnd[]) => {
    const isDone = await whileHeld(async (held) => {
      const attempts = [];
      for (const { lease } of ends) attempts.push(await findAttempt(held, lease));
      ensure(await queue.complete(held, attempts));
      const rows = ends.map(({ lease: { id, token }, output }) => ({
        task: id,
        held: token,
        ...toOutputRow(output),
      }));
      const changed = await events.change(held, 'over', { sql: FINISH, values: [JSON.stringify(rows)] });
      ensure(changed.length === ends.length);
      const done = await held.query<{ owner: string; area: string }>({
        sql: 'SELECT owner, area FROM tasks WHERE id = ANY(?::text[]) AND area IS NOT NULL',
        values: [changed],
      });
      await removeUnusedAreas(held, done);
    });
    // Which of several leases is not held is found out one by one.
    if (!isDone && ends.length > 1) throw NOT_HELD;
    return ends.map(() => isDone);
  });

  /** Removes tasks that are over, and the areas that no other task needs. */
  const remove = (which: ReturnType<typeof sql>): Promise<readonly Task[]> =>
    client.inTransaction(async (held) => {
      const rows = await held.query<TaskRow & { readonly area: string | null }>(
        sql`DELETE FROM tasks WHERE ${which} RETURNING ${raw(COLUMNS)}, area`,
      );
      await removeUnusedAreas(held, rows);
      return rows.map(toTask);
    });

  /**
   * A job that must run alone goes first: while one waits, who is not idle gets nothing. One that waits for its next attempt
   * counts too: that is a matter of seconds.
   */
  async function takeJobs(
    held: SqlClient,
    {
      max,
      isIdle,
      exceptOwners,
    }: { readonly max: number; readonly isIdle: boolean; readonly exceptOwners: readonly string[] },
  ): Promise<readonly JobAttempt[]> {
    const [waiting] = await held.query(
      raw(`SELECT 1 FROM tasks WHERE state = 'queued' AND deaths > 0 LIMIT 1`),
    );
    if (waiting === undefined) return queue.take(held, max, exceptOwners);
    const first = isIdle ? await queue.takeFirst(held) : null;
    return first === null ? [] : [first];
  }

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
      const [row] = await client.query<TaskRow>(sql`SELECT ${raw(COLUMNS)} FROM tasks WHERE id = ${id}`);
      return row === undefined ? null : toTask(row);
    },
    async findOrder(id) {
      const json = await findJson('body', id);
      return json === null ? null : JSON.parse(json);
    },
    findDocument: (id) => findJson('document', id),
    async list(query) {
      return (await client.query<TaskRow>(listTasks(COLUMNS, query))).map(toTask);
    },
    async count() {
      return client.query<TaskCount>(
        raw(
          'SELECT state, kind, count(*)::integer AS tasks FROM tasks GROUP BY state, kind ORDER BY state, kind',
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
    lease: ({ worker, max, leaseMs, isIdle = true, exceptOwners = [] }) =>
      inTransaction(async (held) => {
        const attempts = await takeJobs(held, { max, isIdle, exceptOwners });
        if (attempts.length === 0) return [];
        const rows = await held.query<OrderedTaskRow>({
          sql: LEASE,
          values: [worker, leaseMs, attempts.map(({ id }) => id), attempts.map((job) => job.retryCount)],
        });
        const byId = new Map(rows.map((row) => [row.id, row]));
        // A job without a task, as after a restored backup, is of no use.
        const useless = attempts.filter(({ id }) => !byId.has(id));
        if (useless.length > 0) await queue.complete(held, useless);
        return attempts.flatMap(({ id, retryCount }) => {
          const row = byId.get(id);
          if (row === undefined) return [];
          const lease = { id, token: row.token };
          leasedHere.set(toKey(lease), retryCount);
          return [{ task: toOrderedTask(row), lease, isAlone: row.alone === 1 }];
        });
      }),
    async renew({ id, token }, { done, total }, leaseMs) {
      const isHeld = await isChanged(
        client,
        sql`UPDATE tasks SET lease_until = now() + ${leaseMs} * interval '1 ms', done = ${done}, total = ${total}
            WHERE id = ${id} AND token = ${token} AND state = 'running'`,
      );
      if (isHeld) return 'held';
      const [row] = await client.query<{ state: string }>(sql`SELECT state FROM tasks WHERE id = ${id}`);
      return row?.state === 'queued' || row?.state === 'running' ? 'lost' : 'over';
    },
    finish: (lease, output) => finish({ lease, output }),
    fail: (lease, error, retryInMs) =>
      whileHeld(async (held) => {
        const { id, token } = lease;
        const attempt = await findAttempt(held, lease);
        ensure(
          retryInMs === null
            ? await queue.complete(held, [attempt])
            : await queue.giveBack(held, attempt, retryInMs),
        );
        const text = JSON.stringify(error);
        const change =
          retryInMs === null
            ? sql`state = 'failed', error = ${text}, ended_at = now()`
            : sql`state = 'queued', error = ${text}, attempts = attempts + 1`;
        ensureChanged(
          await events.change(
            held,
            retryInMs === null ? 'over' : 'queued',
            sql`UPDATE tasks SET ${change} WHERE id = ${id} AND token = ${token} AND state = 'running'`,
          ),
        );
      }),
    release: (lease) =>
      whileHeld(async (held) => {
        const { id, token } = lease;
        ensure(await queue.giveBack(held, await findAttempt(held, lease), 0));
        ensureChanged(
          await events.change(
            held,
            'queued',
            sql`UPDATE tasks SET state = 'queued' WHERE id = ${id} AND token = ${token} AND state = 'running'`,
          ),
        );
      }),
    cancel(id) {
      if (hasNul(id)) return Promise.resolve(false);
      return whileHeld(async (held) => {
        ensure(await isStored(held, id));
        await queue.remove(held, [id]);
        ensureChanged(
          await events.change(
            held,
            'over',
            sql`UPDATE tasks SET state = 'cancelled', ended_at = now()
                WHERE id = ${id} AND state IN ('queued', 'running')`,
          ),
        );
      });
    },
    async remove(id) {
      if (hasNul(id)) return null;
      const [task] = await remove(sql`id = ${id} AND state NOT IN ('queued', 'running')`);
      return task ?? null;
    },
    retry(id) {
      if (hasNul(id)) return Promise.resolve(false);
      return whileHeld(async (held) => {
        const [row] = await held.query<{ owner: string; priority: number; turn: number }>(
          sql`SELECT owner, priority, turn FROM tasks WHERE id = ${id}`,
        );
        if (row === undefined) throw NOT_HELD;
        await queue.remove(held, [id]);
        ensureChanged(
          await events.change(
            held,
            'queued',
            sql`UPDATE tasks SET state = 'queued', attempts = 0, deaths = 0, strikes = 0, died_alone_at = NULL,
                  error = NULL, started_at = NULL, ended_at = NULL, created_at = now()
                WHERE id = ${id} AND state IN ('failed', 'cancelled')`,
          ),
        );
        await queue.push(held, [{ id, owner: row.owner, priority: toJobPriority(row) }]);
      });
    },
    async sweep({ maxStrikes, maxDeaths, death, timeout }) {
      let [requeued, failed] = [0, 0];
      const lapsed = await client.query<LapsedRow>(
        raw(`SELECT id, token, deaths, alone, strikes + ${IS_STRIKE} AS strikes FROM tasks
             WHERE state = 'running' AND lease_until < now()`),
      );
      for (const { id, token, deaths, alone, strikes } of lapsed) {
        const isLast = alone === 1 && (strikes >= maxStrikes || deaths + 1 >= maxDeaths);
        const isDone = await whileHeld(async (held) => {
          const attempt = await findAttempt(held, { id, token });
          ensure(
            isLast
              ? await queue.complete(held, [attempt])
              : await queue.giveBackAlone(held, attempt, deaths + 1),
          );
          const change = isLast
            ? sql`state = 'failed', error = ${JSON.stringify(death)}, ended_at = now()`
            : sql`state = 'queued'`;
          ensureChanged(
            await events.change(
              held,
              isLast ? 'over' : 'queued',
              sql`UPDATE tasks SET ${change}, deaths = deaths + 1, strikes = ${strikes},
                    died_alone_at = CASE WHEN alone = 1 THEN now() ELSE died_alone_at END
                  WHERE id = ${id} AND token = ${token} AND state = 'running' AND lease_until < now()`,
            ),
          );
        });
        if (isDone && isLast) failed += 1;
        else if (isDone) requeued += 1;
      }
      const overdue = await client.query<{ id: string }>(
        raw(`SELECT id FROM tasks WHERE state IN ('queued', 'running')
             AND created_at + timeout_s * interval '1 s' <= now()`),
      );
      for (const { id } of overdue) {
        const isDone = await whileHeld(async (held) => {
          await queue.remove(held, [id]);
          ensureChanged(
            await events.change(
              held,
              'over',
              sql`UPDATE tasks SET state = 'failed', error = ${JSON.stringify(timeout)}, ended_at = now()
                  WHERE id = ${id} AND state IN ('queued', 'running')`,
            ),
          );
        });
        if (isDone) failed += 1;
      }
      return { requeued, failed };
    },
    prune({ endedBefore, owner, max }) {
      const whose = owner === undefined ? raw('true') : sql`owner = ${owner}`;
      return remove(
        sql`number IN (
              SELECT number FROM tasks WHERE ended_at < ${endedBefore}::timestamptz AND ${whose}
              ORDER BY ended_at LIMIT ${max} FOR UPDATE SKIP LOCKED)`,
      );
    },
    trim: ({ owner, keep, max }) =>
      remove(
        sql`number IN (
              SELECT number FROM tasks WHERE owner = ${owner} AND ended_at IS NOT NULL ORDER BY ended_at, number
              LIMIT least(${max}, greatest(0, (
                SELECT count(*) FROM tasks WHERE owner = ${owner} AND ended_at IS NOT NULL) - ${keep}))
              FOR UPDATE SKIP LOCKED)`,
      ),
    watch: events.watch,
  };
}

/** A task whose worker has gone silent, with the strikes that it has then. */
interface LapsedRow {
  readonly id: string;
  readonly token: number;
  readonly deaths: number;
  readonly alone: number;
  readonly strikes: number;
}

const isStored = async (client: SqlClient, id: string): Promise<boolean> =>
  (await client.query(sql`SELECT 1 FROM tasks WHERE id = ${id}`)).length === 1;
