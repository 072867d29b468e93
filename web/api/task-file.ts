/** The file of a task that the page has ordered and waits for. */
import { makeTaskCalls } from '../../clients/typescript/src/tasks.ts';
import type { DownloadTask } from '../state/downloads.ts';
import type { Api } from './api.ts';
import { endedTask, toFailure, unfinished } from './failure.ts';

/** How a task is followed. */
export interface TaskFollowing {
  readonly signal: AbortSignal;
  /** 0 to 1. */
  onProgress(progress: number): void;
}

/** What following is made of. */
export interface TaskFileParts {
  readonly api: Pick<Api, 'call' | 'send'>;
  /** Waits; a test does not. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** The first looks come quickly: small orders are ready in a second. */
const LOOK_MS = [300, 700, 1500, 3000] as const;
const PAGE = 100;
/** A task that was ordered before may lie behind newer ones. */
const MAX_PAGES = 10;
/** A file is as large as a table of all fields. */
const FILE_TIMEOUT_MS = 120_000;

/** Waits until the task is over, and reads its file. */
export const readTaskFile = async (
  { api, wait }: TaskFileParts,
  id: string,
  { signal, onProgress }: TaskFollowing,
): Promise<string> => {
  const tasks = makeTaskCalls(api);
  const find = async (): Promise<DownloadTask | null> => {
    let after: string | null = null;
    for (let page = 0; page < MAX_PAGES; page++) {
      const found = await tasks.listTasks({ limit: PAGE, after }, signal);
      const task = found.tasks.find((one) => one.id === id);
      if (task !== undefined) return task;
      if (found.next === null) return null;
      after = found.next;
    }
    return null;
  };
  for (let looks = 0; ; looks++) {
    const task = await find();
    if (task === null) throw unfinished();
    if (task.state === 'finished' && task.href !== null) {
      // The link works without the key.
      const response = await api.send(task.href, {}, signal, FILE_TIMEOUT_MS);
      const text = await response.text();
      if (!response.ok) throw toFailure(response.status, text);
      return text;
    }
    if (task.state === 'failed' || task.state === 'cancelled') throw endedTask(task.failure);
    onProgress(task.progress);
    await wait(LOOK_MS[looks] ?? LOOK_MS[3], signal);
  }
};
