import { SwathError } from '../../errors.ts';
import type { CallbackStore, Task, Tasks } from '../../tasks/index.ts';
import { notFound, unsupported } from '../errors.ts';
import type { FileExplainer } from '../explain/explain-files.ts';
import { explainFile, refuseDrawn } from '../explain/explain-files.ts';
import type { StatisticsExplainer } from '../explain/explain-statistics.ts';
import { answerExplainedOrder, explainOrder } from '../explain/explain-statistics.ts';
import { Answer } from '../kit/answers.ts';
import type { ApiRequest, Endpoint } from '../kit/endpoint.ts';
import { json } from '../kit/json-schema.ts';
import { readExplainMode } from '../kit/parameters.ts';
import type { StatisticsDefaults, TakenStatistics } from '../statistics/statistics-orders.ts';
import { DOWNLOAD_DEFAULTS, STATISTICS_DEFAULTS } from '../statistics/statistics-orders.ts';
import type { PollDeps, TaskForm } from './task-answers.ts';
import { TASK_FORMS, toCallbackAnswer, toPoll } from './task-answers.ts';
import type { TaskDocs } from './task-docs.ts';
import { downloadDocs, statisticsDocs } from './task-docs.ts';
import type { OrderDeps, ReadOrder } from './task-orders.ts';
import { readOrder, taskBody } from './task-orders.ts';

/** What tasks are ordered and answered with. */
export interface TaskDeps
  extends OrderDeps,
    StatisticsExplainer,
    Pick<PollDeps, 'toResultLink' | 'writeDocument'> {
  readonly tasks: Tasks;
  readonly callbacks: Pick<CallbackStore, 'find'>;
  /** How long tasks stay after their end, with their files. */
  readonly retentionMs: number;
  /** Aborts when the service shuts down: then polls are answered at once. */
  readonly stopping: AbortSignal;
}

/** One of the two addresses of tasks: the form of its answers, and how long it holds a poll of an unfinished task. */
interface TaskHost {
  readonly form: TaskForm;
  readonly holdMs: number;
  readonly docs: TaskDocs;
  /** What statistics ordered there take for params that are left out. */
  readonly statistics: StatisticsDefaults;
}

/** How long a poll is held on the statistics address (shared decision: programs poll every second or two). */
const HOLD_MS = 10_000;

/** `/api`, the address of downloads. */
export const downloadHost: TaskHost = {
  form: 'download',
  holdMs: 0,
  docs: downloadDocs,
  statistics: DOWNLOAD_DEFAULTS,
};

/** `/api/gdw/api`, the address of statistics. */
export const statisticsHost: TaskHost = {
  form: 'statistics',
  holdMs: HOLD_MS,
  docs: statisticsDocs,
  statistics: STATISTICS_DEFAULTS,
};

/** Task state changes: it is never cached. */
export const noStore = { 'cache-control': 'no-store' };

/** The answer to a task that does not exist, or belongs to another key. */
export const unknownTask = (): Error => notFound('unknown-task', 'There is no task with this task_id.');

/** The parameter of addresses of one task. */
export const taskParameter = {
  task_id: {
    description: 'As returned when the task was created.',
    schema: json.string({ format: 'uuid' }),
    example: '0b9d2c1e-6c0f-4f7e-9a59-0d6f1f0e8f5a',
  },
} as const satisfies Endpoint['params'];

/** `POST` of a task. */
export const createTask = (deps: TaskDeps, { form, docs, statistics }: TaskHost): Endpoint => ({
  ...docs.create,
  handle: async (request) => orderTask(request, await readOrder(request, statistics, deps), form, deps),
});

/** Stores the order of a task, and says so. */
export async function orderTask(
  { ticket: { owner }, publicUrl }: ApiRequest,
  { callbackUrl, file: _planned, refusal: _polled, rejected = {}, ...order }: ReadOrder,
  form: TaskForm,
  { tasks }: Pick<TaskDeps, 'tasks'>,
): Promise<Answer> {
  const callback = callbackUrl === null ? null : { url: callbackUrl, form, publicUrl };
  const task = await tasks.create({ owner, ...order, callback });
  return Answer.json({ ...TASK_FORMS[form].toCreated(task), ...rejected }, { status: 202, headers: noStore });
}

/** `POST /api/tasks/estimate`: what an order would make, without ordering it. */
export const estimateTask = (deps: OrderDeps & StatisticsExplainer & FileExplainer): Endpoint => ({
  summary: 'Estimate a task',
  description:
    'Validates an order like the endpoint that takes it, with the same error codes. Nothing is stored, and no quota is used.',
  tag: 'Tasks',
  body: taskBody,
  answers: {
    200: {
      description: 'The order can be carried out.',
      content: {
        'application/json': json.object({
          estimated_bytes: json.number({ description: 'What the file will take at most, roughly.' }),
          file_name: json.nullable(json.string(), {
            description: 'Null for statistics, which make no file.',
          }),
        }),
      },
    },
    400: { description: 'The order is malformed or cannot be carried out; the message says why.' },
    404: { description: 'No such scene, area or colormap.' },
    413: { description: 'The body is too large.' },
    422: {
      description:
        'What cannot be explained: soil moisture, and with explain=drawn any order (not-explained).',
    },
  },
  async handle(request) {
    const read = await readOrder(request, DOWNLOAD_DEFAULTS, deps);
    const { estimatedBytes, file, refusal } = read;
    if (refusal !== null) throw new SwathError('bad-input', refusal.code, refusal.message);
    const mode = readExplainMode(request.query);
    if (mode !== null) {
      refuseDrawn(mode);
      if (file !== null) return explainFile(request, file, deps);
      return answerExplainedOrder(request, await explainRead(read, request, deps));
    }
    const body = { estimated_bytes: estimatedBytes, file_name: file?.fileName ?? null };
    return Answer.json(body, { headers: noStore });
  },
});

/** Explains an order of statistics that was read. */
function explainRead({ order, area }: ReadOrder, request: ApiRequest, deps: StatisticsExplainer) {
  if (area === null) throw unsupported('not-explained', 'This order has no area.');
  return explainOrder({ order: order as TakenStatistics['order'], area }, request, deps);
}

/** `GET` of a task: the poll. */
export const readTask = (deps: TaskDeps, { form, holdMs, docs }: TaskHost): Endpoint => ({
  ...docs.read,
  params: taskParameter,
  async handle(request) {
    const task = await findTask(request, holdMs, deps);
    if (task === null) throw unknownTask();
    return answerTask(request, task, form, deps);
  },
});

/** `DELETE` of a task. */
export const deleteTask = (deps: TaskDeps, { docs }: TaskHost): Endpoint => ({
  ...docs.remove,
  params: taskParameter,
  async handle(request) {
    const removed = await deps.tasks.remove(request.params.task_id ?? '', request.ticket.owner);
    if (removed === null) throw unknownTask();
    return new Answer(null, { status: 204, headers: noStore });
  },
});

function findTask(
  { params, ticket }: ApiRequest,
  holdMs: number,
  { tasks, stopping }: TaskDeps,
): Promise<Task | null> {
  const id = params.task_id ?? '';
  if (holdMs === 0) return tasks.find(id, ticket.owner);
  const signal = ticket.signal === undefined ? stopping : AbortSignal.any([ticket.signal, stopping]);
  return tasks.wait(id, ticket.owner, { waitMs: holdMs, signal });
}

async function answerTask(
  { publicUrl }: ApiRequest,
  task: Task,
  form: TaskForm,
  { toResultLink, writeDocument, callbacks, tasks }: TaskDeps,
): Promise<Answer> {
  const { findDocument } = tasks;
  const found = await callbacks.find(task.id);
  const callback = found === null ? null : toCallbackAnswer(found);
  const deps = { publicUrl, toResultLink, findDocument, writeDocument };
  const { body, location } = await toPoll(task, { form, callback }, deps);
  const headers = { ...noStore, 'content-type': 'application/json' };
  return location === null
    ? new Answer(body, { headers })
    : new Answer(body, { status: 303, headers: { ...headers, location } });
}
