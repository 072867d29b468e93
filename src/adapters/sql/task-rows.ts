import type {
  Callback,
  CallbackState,
  CallbackStore,
  NewCallback,
  NewTask,
  OrderedTask,
  Task,
  TaskError,
  TaskOutput,
  TaskResult,
  TaskState,
  TaskStore,
} from '../../tasks/index.ts';
import type { Clause } from './sql-clause.ts';
import { all, any, list, raw, sql } from './sql-clause.ts';

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
    'id' | 'owner' | 'kind' | 'reference' | 'digest' | 'view_id' | 'priority' | 'timeout_s'
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
