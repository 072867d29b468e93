import type { Callback, StatisticsDocument, Task } from '../../tasks/index.ts';
import type { TaskAnswers } from './task-answers.ts';
import { downloadAnswers, statisticsAnswers } from './task-answers.ts';

/** The schemas of the two addresses of tasks, by the names under which callbacks store them. */
export const TASK_FORMS = { download: downloadAnswers, statistics: statisticsAnswers } as const;

/** One of the two addresses of tasks. */
export type TaskForm = keyof typeof TASK_FORMS;

/** What results are read, and links to them made with. */
export interface PollDeps {
  /** Where the caller reaches the service, without a trailing slash. */
  readonly publicUrl: string;
  /** The path and query of a link to a result, which works without a key for some time. */
  readonly toResultLink: (id: string, fileName: string) => Promise<string>;
  /** Reads the document of a finished task. */
  readonly findDocument: (id: string) => Promise<unknown>;
}

/** What a poll says of a task. */
export interface TaskPoll {
  readonly body: object;
  /** A link to the file of a finished task; null if it has none. */
  readonly location: string | null;
}

/** Describes a task as a poll does, and as its callback does when it is over. */
export async function toPoll(
  task: Task,
  answers: TaskAnswers,
  { publicUrl, toResultLink, findDocument }: PollDeps,
): Promise<TaskPoll> {
  if (task.state === 'finished' && task.result?.kind === 'file') {
    const location = `${publicUrl}${await toResultLink(task.id, task.result.fileName)}`;
    return { body: answers.toFinished(task, { resultUrl: location, document: null }), location };
  }
  if (task.state === 'finished') {
    const document = (await findDocument(task.id)) as StatisticsDocument | null;
    return { body: answers.toFinished(task, { resultUrl: null, document }), location: null };
  }
  const isOpen = task.state === 'queued' || task.state === 'running';
  return { body: isOpen ? answers.toOpen(task) : answers.toFailed(task), location: null };
}

/** The message of a callback: what a poll says, without the state of the callback itself, which is not known before it ends. */
export async function toCallbackBody(
  task: Task,
  { form, publicUrl }: Pick<Callback, 'form' | 'publicUrl'>,
  deps: Omit<PollDeps, 'publicUrl'>,
): Promise<string> {
  const answers = TASK_FORMS[form as TaskForm] ?? statisticsAnswers;
  const { body } = await toPoll(task, answers, { publicUrl, ...deps });
  return JSON.stringify(body);
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
