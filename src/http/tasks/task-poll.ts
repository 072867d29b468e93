import type { HistogramBins } from '../../numbers/index.ts';
import type { Callback, Task } from '../../tasks/index.ts';
import type { TaskForm } from './task-answers.ts';
import { TASK_FORMS } from './task-answers.ts';

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
export interface TaskPoll {
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
