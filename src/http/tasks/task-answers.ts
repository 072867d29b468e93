import { createHash } from 'node:crypto';
import type { NewTask, Task, TaskError } from '../../tasks/index.ts';

/** What the wire calls the kinds of tasks. */
const WIRE_TYPES = { bands: 'lbe', index: 'bandmath', picture: 'jpeg' } as const;

/** How an address answers about tasks: the download host and the statistics host have shapes of their own. */
export interface TaskAnswers {
  /** 202: the task is stored. */
  toCreated(task: NewTask): object;
  /** 200: it waits, or is being worked on. */
  toOpen(task: Task): object;
  /** With the 303 that leads to the file. */
  toFinished(task: Task, resultUrl: string): object;
  /** 200: it has failed or was cancelled. */
  toFailed(task: Task): object;
}

/** A number that is the same for the same text; for display, it grants nothing. */
const toNumber = (text: string): number =>
  createHash('sha256').update(text).digest().readUInt32BE(0) % 2_147_483_647;

const toProgress = ({ progress: { done, total } }: Task): number => (total === 0 ? 0 : done / total);

/** Who asks and about what, as the download host says it. */
const toCaller = ({ id, owner, reference, kind }: Task) => ({
  type: WIRE_TYPES[kind as keyof typeof WIRE_TYPES] ?? kind,
  reference,
  token: createHash('sha256').update(`token ${id}`).digest('hex').slice(0, 32),
  client_id: toNumber(`client ${owner}`),
  download_id: toNumber(`download ${id}`),
});

const CANCELLED: TaskError = { code: 'cancelled', message: 'The task was cancelled.' };

const toError = (task: Task): TaskError =>
  task.state === 'cancelled'
    ? CANCELLED
    : (task.error ?? { code: 'internal', message: 'Something went wrong inside Swath.' });

/** The shapes of `{download_url}/api`. */
export const downloadAnswers: TaskAnswers = {
  toCreated: ({ id, reference, estimatedBytes }) => ({
    status: 'authentication',
    task_id: id,
    reference,
    estimated_bytes: estimatedBytes,
  }),
  toOpen: (task) => ({
    task_type: 'started',
    ...toCaller(task),
    result_url: null,
    progress: toProgress(task),
    queued: task.state === 'queued',
  }),
  toFinished: (task, resultUrl) => ({
    task_type: 'finish',
    ...toCaller(task),
    result_url: resultUrl,
    progress: 1,
  }),
  toFailed: (task) => {
    const { code, message } = toError(task);
    return { task_type: 'error', ...toCaller(task), error_status: code, error_message: message };
  },
};

/** The shapes of `{connect_url}/api/gdw/api`. */
export const statisticsAnswers: TaskAnswers = {
  toCreated: ({ id, reference, timeoutS, estimatedBytes }) => ({
    status: 'created',
    task_id: id,
    req_id: id,
    task_timeout: timeoutS,
    reference,
    estimated_bytes: estimatedBytes,
  }),
  toOpen: (task) => ({
    status: task.state === 'queued' ? 'created' : 'started',
    task_id: task.id,
    reference: task.reference,
    progress: toProgress(task),
  }),
  toFinished: (task, resultUrl) => ({
    status: 'finished',
    task_id: task.id,
    reference: task.reference,
    result_url: resultUrl,
    progress: 1,
  }),
  toFailed: (task) => {
    const { code, message } = toError(task);
    return {
      // Over in any case: programs poll until they read it.
      status: 'finished',
      task_type: 'error',
      task_id: task.id,
      reference: task.reference,
      error_status: code,
      error_message: message,
      errors: [{ error: message }],
    };
  },
};
