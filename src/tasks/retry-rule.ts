import type { ErrorTag, SwathError } from '../errors.ts';
import { isSwathError } from '../errors.ts';
import type { RefusalTag, TaskError } from './task.ts';
import { REFUSAL_TAGS } from './task.ts';
import type { SweepRule } from './task-store.ts';

/** Attempts of a task that fails for passing reasons. */
const MAX_ATTEMPTS = 3;
/** Workers that may die while they run nothing but one task, before that is given up. */
const MAX_STRIKES = 3;
/** Worker deaths after which a task that ran alone is given up in any case: two such tasks could excuse each other forever. */
const MAX_DEATHS = 30;

/** Before the second attempt; four times as long before the third. */
const FIRST_DELAY_MS = 1_000;
const DELAY_FACTOR = 4;

/** What may be gone at the next attempt: a store or a bucket that is away, a file that is being replaced, our own bugs. */
const PASSING: ReadonlySet<ErrorTag> = new Set([
  'too-busy',
  'unavailable',
  'source-broken',
  'timed-out',
  'conflict',
  'internal',
]);

/** Whether an error says that the order cannot be carried out, and nothing is wrong with the service. */
export const isRefusal = (error: unknown): error is SwathError & { readonly tag: RefusalTag } =>
  isSwathError(error) && (REFUSAL_TAGS as readonly ErrorTag[]).includes(error.tag);

/** What follows from a failed attempt. */
export interface FailedAttempt {
  readonly error: TaskError;
  /** Null when there is no further attempt. */
  readonly retryInMs: number | null;
}

/** Whether an attempt that failed is followed by another one; `attempts` failed before it. `random` is from 0 to 1. */
export function judgeFailure(error: unknown, attempts: number, random = Math.random()): FailedAttempt {
  const isPassing = !isSwathError(error) || PASSING.has(error.tag);
  // Tasks that failed together are not tried again together.
  const delayMs = FIRST_DELAY_MS * DELAY_FACTOR ** attempts * (0.5 + random);
  return {
    error: toTaskError(error),
    retryInMs: isPassing && attempts + 1 < MAX_ATTEMPTS ? Math.round(delayMs) : null,
  };
}

/** An error in the words that its caller reads; what was not thrown on purpose could tell about our insides. */
function toTaskError(error: unknown): TaskError {
  if (!isSwathError(error)) return { code: 'internal', message: 'Something went wrong inside Swath.' };
  const { code, message } = error;
  return isRefusal(error) ? { code, message, refusal: error.tag } : { code, message };
}

/** When tasks whose workers died, and those that outlived their time, are given up. */
export const SWEEP_RULE: SweepRule = {
  maxStrikes: MAX_STRIKES,
  maxDeaths: MAX_DEATHS,
  death: {
    code: 'worker-died',
    message: 'The worker died, or went silent, again and again while it ran nothing but this task.',
  },
  timeout: {
    code: 'task-timeout',
    message: 'The task did not finish within its task_timeout.',
  },
};
