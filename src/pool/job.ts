import type { SwathError } from '../errors.ts';
import { cancelled, internal } from '../errors.ts';

/** The two lanes of the pool: a person waits for a tile, nobody watches a task's single step. */
export type Lane = 'tile' | 'task';

/** The kinds of jobs of a pool: what each is given, which can be structured-cloned, and what it gives. */
export type JobTable = { readonly [Kind in string]: JobType };

/** One kind of job. */
export interface JobType<Input = unknown, Output = unknown> {
  readonly input: Input;
  readonly output: Output;
}

/** Who waits for work, how urgent it is, and how long it may take. */
export interface Ticket {
  /** Whose work it is (a key's id): owners take turns. */
  readonly owner: string;
  readonly lane: Lane;
  /** Counts from the start of a run, not from its place in the queue. */
  readonly timeoutMs: number;
  /** Aborted when nobody waits any more. */
  readonly signal?: AbortSignal;
}

/** A ticket, and what the pool must know of the job itself. */
export interface JobTicket extends Ticket {
  /** Estimated pixel memory of the run, held in the byte ledger until the work has really stopped. */
  readonly bytes: number;
  /** Jobs with equal keys (and equal lane) in flight share one run: the first one's owner, bytes and limit. */
  readonly singleFlightKey?: string;
  /** Called on the main thread with whatever the handler reports. */
  readonly onProgress?: (progress: unknown) => void;
}

/** A job on its way through the pool, whatever its kind. */
export interface Job extends JobTicket {
  /** Which handler of the worker script does it. */
  readonly kind: string;
  /** Shared buffers are shared, all else is copied. */
  readonly input: unknown;
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

/** Runs jobs of a table. What runs more kinds also runs fewer: a service names the ones that it needs. */
export interface JobRunner<Jobs extends JobTable> {
  /** Runs a job on a thread, or refuses it at once when there is no place to wait. */
  run<Kind extends keyof Jobs & string>(
    kind: Kind,
    input: Jobs[Kind]['input'],
    ticket: JobTicket,
  ): Promise<JobResult<Jobs[Kind]['output']>>;
}

/** setTimeout turns a longer delay into 1 ms. */
const longestTimerMs = 2 ** 31 - 1;

/** Throws on numbers that would break the ledger or the timers: a bug of the caller, not of a user. */
export function checkTicket({ bytes, timeoutMs }: JobTicket): void {
  if (!(Number.isFinite(bytes) && bytes >= 0)) {
    throw internal('bad-job', `A job's bytes must be a number from 0 up; this one has ${bytes}.`);
  }
  if (!(timeoutMs > 0 && timeoutMs <= longestTimerMs)) {
    throw internal('bad-job', `A job's timeoutMs must be from 1 to ${longestTimerMs}, not ${timeoutMs}.`);
  }
}

/** What a caller gets whose own signal was aborted. */
export const toCancelled = (): SwathError =>
  cancelled('cancelled', 'The request was cancelled before it finished.');
