import type { SwathError } from '../../errors.ts';
import { cancelled, internal } from '../../errors.ts';

/** The two lanes of the pool: a person waits for a tile, nobody watches a task's single step. */
export type Priority = 'tile' | 'task';

/** One piece of work for a thread. */
export interface Job {
  /** Which handler of the worker script does it. */
  readonly kind: string;
  /** Anything that can be structured-cloned; shared buffers are shared, all else is copied. */
  readonly input: unknown;
  readonly priority: Priority;
  /** Whose work it is (a key's id): owners take turns. */
  readonly owner: string;
  /** Estimated pixel memory of the run, held in the byte ledger until the work has really stopped. */
  readonly bytes: number;
  /** Counts from the start of the run, not from its place in the queue. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Jobs with equal keys (and equal priority) in flight share one run: the first one's owner, bytes and limit. */
  readonly singleFlightKey?: string;
  /** Called on the main thread with whatever the handler reports. */
  readonly onProgress?: (progress: unknown) => void;
}

/** What a run gave, and where its time went (for `Server-Timing`). */
export interface JobResult<Output> {
  /** Shared by all callers of a single flight: read it, never write to it. */
  readonly output: Output;
  readonly queuedMs: number;
  readonly ranMs: number;
  /** True when other callers have the same output. */
  readonly shared: boolean;
}

/** setTimeout turns a longer delay into 1 ms. */
const longestTimerMs = 2 ** 31 - 1;

/** Throws on numbers that would break the ledger or the timers: a bug of the caller, not of a user. */
export function checkJob(job: Job): void {
  if (!(Number.isFinite(job.bytes) && job.bytes >= 0)) {
    throw internal('bad-job', `A job's bytes must be a number from 0 up; this one has ${job.bytes}.`);
  }
  if (!(job.timeoutMs > 0 && job.timeoutMs <= longestTimerMs)) {
    throw internal('bad-job', `A job's timeoutMs must be from 1 to ${longestTimerMs}, not ${job.timeoutMs}.`);
  }
}

/** What a caller gets whose own signal was aborted. */
export const toCancelled = (): SwathError =>
  cancelled('cancelled', 'The request was cancelled before it finished.');
