/** What is answered about tasks on their two addresses, at once, to a poll and in a callback. */

import { hash } from 'node:crypto';
import type { DownloadKind } from '../../exports/index.ts';
import type { HistogramBins } from '../../numbers/index.ts';
import type { Callback, CreatedTask, StatisticsDocument, Task, TaskError } from '../../tasks/index.ts';
import { toDownloadResult, toStatisticsCode, toStatisticsResult } from '../statistics/statistics-answers.ts';

/** A kind of task. */
export type TaskKind = DownloadKind | 'statistics' | 'fields-statistics';

const TASK_KINDS = {
  lbe: 'bands',
  bandmath: 'index',
  jpeg: 'picture',
  mt_stats: 'statistics',
} as const satisfies Readonly<Record<string, TaskKind>>;

/** Statistics of many fields are ordered as those of one area are. */
const FIELDS_KIND = 'fields-statistics';
const FIELDS_TYPE = 'mt_stats';

/** A type of task on the wire. */
export type TaskType = keyof typeof TASK_KINDS;

/** All types. */
export const TASK_TYPES = Object.keys(TASK_KINDS) as readonly TaskType[];

/** The kind of a type; null for what is not one. */
export const toTaskKind = (type: unknown): (typeof TASK_KINDS)[TaskType] | null =>
  typeof type === 'string' && Object.hasOwn(TASK_KINDS, type) ? TASK_KINDS[type as TaskType] : null;

/** All kinds that are ordered as a type. */
export const toTaskKinds = (type: string): readonly TaskKind[] => {
  const kind = toTaskKind(type);
  if (kind === null) return [];
  return type === FIELDS_TYPE ? [kind, FIELDS_KIND] : [kind];
};

/** The type of a stored task; one that a newer version has stored is called by its kind. */
export const toTaskType = (kind: string): string => (kind === FIELDS_KIND ? FIELDS_TYPE : toPlainType(kind));

const toPlainType = (kind: string): string => TASK_TYPES.find((type) => TASK_KINDS[type] === kind) ?? kind;

/** What a finished task has for its caller: a link to a file, or statistics. */
interface TaskEnd {
  readonly resultUrl: string | null;
  readonly document: StatisticsDocument | null;
}

/** How an address answers about tasks: the download host and the statistics host have shapes of their own. */
interface TaskAnswers {
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

/** Seconds until a task of many fields is finished, as far as that is known: its progress counts milliseconds. */
const toSecondsLeft = ({ kind, state, progress: { done, total } }: Task): object =>
  kind === FIELDS_KIND && state === 'running' && total > 0
    ? { seconds_left: Math.ceil((total - done) / 1_000) }
    : {};

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
    ...toSecondsLeft(task),
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
    ...toSecondsLeft(task),
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

/** An answer that is made of the document of a task, as plain data: another thread may write it. */
export type DocumentQuestion = {
  /** JSON text. */
  readonly document: string;
} & (
  | {
      readonly kind: 'poll';
      readonly form: TaskForm;
      readonly task: Task;
      /** What the poll says of the callback; null for none. */
      readonly callback: object | null;
    }
  | { readonly kind: 'json'; readonly taskId: string; readonly histogram: HistogramBins | null }
  | { readonly kind: 'csv' }
  /** The curve of the first expression, its seasons and normals. */
  | { readonly kind: 'phenology'; readonly taskId: string }
  /** `area` is the JSON text of a GeoJSON geometry. */
  | { readonly kind: 'geojson'; readonly area: string }
);

/** Writes such an answer. */
export type WriteDocument = (
  question: DocumentQuestion,
  signal?: AbortSignal,
) => Promise<Uint8Array<ArrayBuffer>>;

/** What results are read, and links to them made with. */
export interface PollDeps {
  /** The address of the service as the caller uses it, without a trailing slash. */
  readonly publicUrl: string;
  /** The path and query of a link to a result, which works without a key for some time. */
  readonly toResultLink: (id: string, fileName: string) => Promise<string>;
  /** Reads the document of a finished task, as JSON. */
  readonly findDocument: (id: string) => Promise<string | null>;
  /** Writes the answer with a document. */
  readonly writeDocument: WriteDocument;
}

/** What a poll says of a task. */
interface TaskPoll {
  /** JSON. */
  readonly body: string | Uint8Array<ArrayBuffer>;
  /** A link to the file of a finished task; null if it has none. */
  readonly location: string | null;
}

/** Describes a task as a poll does, and as its callback does when it is over. */
export async function toPoll(
  task: Task,
  { form, callback }: { readonly form: TaskForm; readonly callback: object | null },
  { publicUrl, toResultLink, findDocument, writeDocument }: PollDeps,
): Promise<TaskPoll> {
  const answers = TASK_FORMS[form];
  const write = (body: object): string => JSON.stringify(callback === null ? body : { ...body, callback });
  if (task.state === 'finished' && task.result?.kind === 'file') {
    const location = `${publicUrl}${await toResultLink(task.id, task.result.fileName)}`;
    return { body: write(answers.toFinished(task, { resultUrl: location, document: null })), location };
  }
  if (task.state === 'finished') {
    const document = await findDocument(task.id);
    const body =
      document === null
        ? write(answers.toFinished(task, { resultUrl: null, document }))
        : await writeDocument({ kind: 'poll', form, task, callback, document });
    return { body, location: null };
  }
  const isOpen = task.state === 'queued' || task.state === 'running';
  return { body: write(isOpen ? answers.toOpen(task) : answers.toFailed(task)), location: null };
}

/** The message of a callback: what a poll says, without the state of the callback itself, which is not known before it ends. */
export async function toCallbackBody(
  task: Task,
  { form, publicUrl }: Pick<Callback, 'form' | 'publicUrl'>,
  deps: Omit<PollDeps, 'publicUrl'>,
): Promise<string> {
  const known = Object.hasOwn(TASK_FORMS, form) ? (form as TaskForm) : 'statistics';
  const { body } = await toPoll(task, { form: known, callback: null }, { publicUrl, ...deps });
  return typeof body === 'string' ? body : new TextDecoder().decode(body);
}

/** How far a callback is, for its caller. */
export const toCallbackAnswer = (callback: Callback) => ({
  state: callback.state,
  attempts: callback.attempts,
  last_status: callback.lastStatus,
  // Whether a name of our own network exists is not for callers to know.
  last_error: callback.lastError === 'address-not-allowed' ? 'unreachable' : callback.lastError,
  next_attempt_at: callback.nextAttemptAt,
  delivered_at: callback.deliveredAt,
});
