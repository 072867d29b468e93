import { toCancelled } from '../async/index.ts';
import type { Waiting } from './fair-queue.ts';
import type { Job } from './job.ts';
import type { Outcome } from './thread.ts';

/** A run's output and where its time went. */
export interface TimedOutput {
  readonly output: unknown;
  readonly queuedMs: number;
  readonly ranMs: number;
}

/** An admitted job, from its slot in the queue to its end. */
export interface Entry extends Waiting {
  readonly job: Job;
  readonly result: Promise<TimedOutput>;
  /** Marks it as started, and says how it can be stopped from now on. */
  started(stop: (outcome: Outcome) => void): void;
  /** Stops running work; does nothing when it is not running. */
  stop(outcome: Outcome): void;
  /** Tells the caller how it ended; only the first call counts. */
  finish(outcome: Outcome): void;
}

/** What an entry reports to the pool. */
interface EntryHooks {
  /** The caller went away. */
  onAbort(entry: Entry, outcome: Outcome): void;
  /** It did not start within `maxWaitMs`. */
  onLate(entry: Entry): void;
  onFinished(job: Job, outcome: Outcome, ranMs: number): void;
}

/** Starts the wait timeout, and listens to the caller's signal until the job ends. */
export function makeEntry(job: Job, maxWaitMs: number, hooks: EntryHooks): Entry {
  const sinceMs = performance.now();
  let startedMs: number | undefined;
  let stopRun: ((outcome: Outcome) => void) | undefined;
  let finished = false;
  const { promise: result, resolve, reject } = Promise.withResolvers<TimedOutput>();
  const waitTimer = setTimeout(() => hooks.onLate(entry), maxWaitMs);
  const onAbort = (): void => hooks.onAbort(entry, { how: 'cancelled', error: toCancelled() });
  job.signal?.addEventListener('abort', onAbort);

  const entry: Entry = {
    job,
    owner: job.owner,
    lane: job.lane,
    sinceMs,
    result,
    started(stop) {
      clearTimeout(waitTimer);
      startedMs = performance.now();
      stopRun = stop;
    },
    stop: (outcome) => stopRun?.(outcome),
    finish(outcome) {
      if (finished) return;
      finished = true;
      clearTimeout(waitTimer);
      job.signal?.removeEventListener('abort', onAbort);
      const nowMs = performance.now();
      const ranMs = nowMs - (startedMs ?? nowMs);
      hooks.onFinished(job, outcome, ranMs);
      if (outcome.how === 'done') {
        resolve({ output: outcome.output, queuedMs: (startedMs ?? nowMs) - sinceMs, ranMs });
      } else {
        reject(outcome.error);
      }
    },
  };
  return entry;
}

/**
 * A semaphore counted in bytes. V8's resource limits do not see typed arrays, so we count the pixel memory that running
 * work may hold ourselves.
 */
export interface ByteLedger {
  readonly budgetBytes: number;
  usedBytes(): number;
  /** Whether `bytes` would fit right now. */
  hasRoom(bytes: number): boolean;
  /** Reserves `bytes` and returns the release (safe to call twice), or undefined when they do not fit. */
  take(bytes: number): (() => void) | undefined;
}

/** Builds a ledger with nothing reserved. */
export function makeByteLedger(budgetBytes: number): ByteLedger {
  let usedBytes = 0;
  const hasRoom = (bytes: number): boolean => usedBytes + bytes <= budgetBytes;
  return {
    budgetBytes,
    usedBytes: () => usedBytes,
    hasRoom,
    take(bytes) {
      if (!hasRoom(bytes)) return undefined;
      usedBytes += bytes;
      let held = true;
      return () => {
        if (held) usedBytes -= bytes;
        held = false;
      };
    },
  };
}

/** Remembers which owners had requests recently. */
interface RecentOwners {
  note(owner: string, nowMs: number): void;
  /** Whether another owner had a request recently. */
  hasOthers(owner: string, nowMs: number): boolean;
}

/** Starts without an owner; the last two distinct ones are enough to answer. */
export function makeRecentOwners(recentMs: number): RecentOwners {
  let last = { owner: '', atMs: Number.NEGATIVE_INFINITY };
  let other = last;
  const isRecent = (atMs: number, nowMs: number): boolean => nowMs - atMs < recentMs;
  return {
    note(owner, nowMs) {
      if (owner !== last.owner) other = last;
      last = { owner, atMs: nowMs };
    },
    hasOthers: (owner, nowMs) =>
      (last.owner !== owner && isRecent(last.atMs, nowMs)) ||
      (other.owner !== owner && isRecent(other.atMs, nowMs)),
  };
}
