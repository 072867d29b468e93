import type { Ticket } from '../pool/index.ts';
import type { OrderedTask, TaskFile, TaskOutput, TaskProgress } from './task.ts';

/** What a kind of task works with. */
export interface TaskWork {
  /** Names what this attempt stores: no other attempt, of this task or another one, has the same. */
  readonly storeKey: string;
  /** Aborts when the task is cancelled, out of time, handed back, or another worker has it. */
  readonly signal: AbortSignal;
  reportProgress(progress: TaskProgress): void;
}

/** One kind of task: how its orders are carried out. */
export interface TaskKind {
  /** Does the work; what it stores is durable when it resolves. Rejects with the reason if it cannot. */
  run(task: OrderedTask, work: TaskWork): Promise<TaskOutput>;
  /** Removes the file that an attempt has stored, because it is not wanted any more. */
  discard(file: TaskFile): Promise<void>;
}

/** The kinds of tasks by name. */
export type TaskKinds = Readonly<Record<string, TaskKind>>;

/** A ticket for the jobs of a task. */
export type TaskTicket = Ticket & { readonly signal: AbortSignal };

/** The longest time of one job on a pixel thread: a part of a file, or the statistics of one scene. */
const JOB_TIMEOUT_MS = 600_000;

export const toTaskTicket = (owner: string, signal: AbortSignal): TaskTicket => ({
  owner,
  lane: 'task',
  timeoutMs: JOB_TIMEOUT_MS,
  signal,
});
