import { hash } from 'node:crypto';
import type { CreatedTask, StatisticsDocument, Task, TaskError } from '../../tasks/index.ts';
import { toDownloadResult, toStatisticsCode, toStatisticsResult } from './statistics-answers.ts';
import { toTaskType } from './task-types.ts';

/** What a finished task has for its caller: a link to a file, or statistics. */
interface TaskEnd {
  readonly resultUrl: string | null;
  readonly document: StatisticsDocument | null;
}

/** How an address answers about tasks: the download host and the statistics host have shapes of their own. */
export interface TaskAnswers {
  /** 202: the task is stored. */
  toCreated(task: CreatedTask): object;
  /** 200: it waits, or is being worked on. */
  toOpen(task: Task): object;
  /** 303 with a link to the file; 200 with the result itself if there is no file. */
  toFinished(task: Task, end: TaskEnd): object;
  /** 200: it has failed or was cancelled. */
  toFailed(task: Task): object;
}

/** A number that is the same for the same text; for display, it grants nothing. */
const toNumber = (text: string): number => hash('sha256', text, 'buffer').readUInt32BE(0) % 2_147_483_647;

/** The share of the work that is done, 0 to 1. */
export const toProgress = ({ progress: { done, total } }: Task): number => (total === 0 ? 0 : done / total);

/** The fields about the caller and the task in answers of the download host. */
const toCaller = ({ id, owner, reference, kind }: Task) => ({
  type: toTaskType(kind),
  reference,
  token: hash('sha256', `token ${id}`, 'hex').slice(0, 32),
  client_id: toNumber(`client ${owner}`),
  download_id: toNumber(`download ${id}`),
});

/** The error of a cancelled task. */
export const CANCELLED: TaskError = { code: 'cancelled', message: 'The task was cancelled.' };

/** Why a task has failed, for its caller. */
export const toError = (task: Task): TaskError =>
  task.state === 'cancelled'
    ? CANCELLED
    : (task.error ?? { code: 'internal', message: 'Something went wrong inside Swath.' });

/** What `error_status` says: of statistics, a code of the interface or null. */
export const toErrorStatus = ({ kind }: Task, error: TaskError): string | null =>
  kind === 'statistics' ? toStatisticsCode(error) : error.code;

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
  toFinished: (task, { resultUrl, document }) => ({
    task_type: 'finish',
    ...toCaller(task),
    result_url: resultUrl,
    ...(document === null ? {} : { result: toDownloadResult(document), hash_id: null }),
    progress: 1,
  }),
  toFailed: (task) => {
    const error = toError(task);
    return {
      task_type: 'error',
      ...toCaller(task),
      error_status: toErrorStatus(task, error),
      error_message: error.message,
    };
  },
};

/** The file of a finished task, or its statistics. */
const toStatisticsEnd = ({ resultUrl, document }: TaskEnd): object =>
  document === null ? { result_url: resultUrl } : toStatisticsResult(document);

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
  toFinished: (task, end) => ({
    status: 'finished',
    task_id: task.id,
    reference: task.reference,
    ...toStatisticsEnd(end),
    progress: 1,
  }),
  toFailed: (task) => {
    const error = toError(task);
    const { message } = error;
    return {
      // Over in any case: programs poll until they read it.
      status: 'finished',
      task_type: 'error',
      task_id: task.id,
      reference: task.reference,
      error_status: toErrorStatus(task, error),
      error_message: message,
      errors: [{ error: message }],
    };
  },
};

/** The schemas of the two addresses of tasks, by the names under which callbacks store them. */
export const TASK_FORMS = { download: downloadAnswers, statistics: statisticsAnswers } as const;

/** One of the two addresses of tasks. */
export type TaskForm = keyof typeof TASK_FORMS;
