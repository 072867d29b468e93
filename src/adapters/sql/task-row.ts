import type { NewTask, Task, TaskError, TaskQuery, TaskResult, TaskState } from '../../tasks/index.ts';
import type { Clause } from './sql-clause.ts';
import { all, any, list, raw, sql } from './sql-clause.ts';

/** A task as both databases give it; PostgreSQL's bigint comes as text. */
export interface TaskRow {
  readonly id: string;
  readonly owner: string;
  readonly kind: string;
  readonly reference: string;
  readonly digest: string;
  readonly body: string;
  readonly priority: number;
  readonly estimated_bytes: number | string;
  readonly timeout_s: number;
  readonly state: TaskState;
  readonly token: number;
  readonly done: number;
  readonly total: number;
  readonly attempts: number;
  readonly deaths: number;
  readonly worker: string | null;
  readonly error: string | null;
  readonly result: string | null;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly ended_at: string | null;
}

/** The columns of a row that hold the order. */
export type NewTaskRow = Pick<
  TaskRow,
  'id' | 'owner' | 'kind' | 'reference' | 'digest' | 'body' | 'priority' | 'timeout_s'
> & { readonly estimated_bytes: number };

/** An order as a row. */
export const toTaskRow = (task: NewTask): NewTaskRow => ({
  id: task.id,
  owner: task.owner,
  kind: task.kind,
  reference: task.reference,
  digest: task.digest,
  body: JSON.stringify(task.order),
  priority: task.priority,
  estimated_bytes: task.estimatedBytes,
  timeout_s: task.timeoutS,
});

/** A row as a task. */
export const toTask = (row: TaskRow): Task => ({
  id: row.id,
  owner: row.owner,
  kind: row.kind,
  reference: row.reference,
  digest: row.digest,
  order: JSON.parse(row.body),
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
});

/** The bytes that a result takes in the blob store. */
export const storedBytes = (result: TaskResult): number => (result.kind === 'file' ? result.bytes : 0);

/** Lists tasks, newest first. */
export function listTasks(columns: string, { owner, state, kinds, limit, after }: TaskQuery): Clause {
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

/** What owners have in use: open tasks, finished ones, and bytes of results with the estimates of open tasks. */
export const TASK_USAGE = `SELECT owner,
    sum(CASE WHEN state IN ('queued', 'running') THEN 1 ELSE 0 END) AS open,
    sum(CASE WHEN state = 'finished' THEN 1 ELSE 0 END) AS finished,
    sum(CASE WHEN state IN ('queued', 'running') THEN estimated_bytes ELSE result_bytes END) AS bytes
  FROM tasks GROUP BY owner`;

/**
 * The turn of a new task of an owner ($1 of the caller's dialect): owners take turns. A new owner goes next to the task
 * that is first in the queue; each further task of an owner goes one turn behind its last one.
 */
export const nextTurn = (owner: string): string => `
  SELECT CASE WHEN own.turn IS NULL OR own.turn + 1 < front.turn THEN front.turn ELSE own.turn + 1 END AS turn
  FROM (SELECT max(turn) AS turn FROM tasks WHERE owner = ${owner} AND state IN ('queued', 'running')) own,
    (SELECT coalesce(
       (SELECT min(turn) FROM tasks WHERE state = 'queued'),
       (SELECT max(turn) FROM tasks WHERE state = 'running'),
       0) AS turn) front`;
