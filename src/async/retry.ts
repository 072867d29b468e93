import { toCancelled } from './single-flight.ts';

/** Time and randomness as a port, so that tests can control them. */
export interface Clock {
  /** Monotonic. */
  readonly nowMs: () => number;
  readonly sleep: Sleep;
  /** From 0 to below 1. */
  readonly random: () => number;
}

/** Waits; rejects with the signal's reason when it is aborted. */
export type Sleep = (durationMs: number, signal?: AbortSignal) => Promise<void>;

/** Waits, and ends early when the caller leaves. */
export const sleep: Sleep = (durationMs, signal) =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    // Most waits end early, and Node's own promise timer would build an error with a stack trace for each of them.
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, durationMs);
    signal?.addEventListener('abort', onAbort, { once: true });
  });

/** The real clock and random numbers. */
export const systemClock: Clock = { nowMs: () => performance.now(), sleep, random: Math.random };

/** A random part of a doubling wait ("full jitter"), so that callers that failed together do not retry together. */
export const toBackoffMs = (
  retry: number,
  { firstMs, maxMs = Infinity, random }: { firstMs: number; maxMs?: number; random: () => number },
): number => random() * Math.min(maxMs, firstMs * 2 ** retry);

interface RetryOptions {
  /** How long to wait after the failure of try number `tries`; null gives up. */
  readonly toWaitMs: (error: unknown, tries: number) => number | null;
  readonly signal?: AbortSignal | undefined;
  readonly sleep?: Sleep;
}

/** Runs `work` until it succeeds or its failure is final; an abort during a wait rejects with `cancelled`. */
export async function retry<T>(work: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { toWaitMs, signal, sleep: wait = sleep } = options;
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      const waitMs = toWaitMs(error, tries);
      if (waitMs === null) throw error;
      await wait(waitMs, signal).catch((reason: unknown) => {
        throw toCancelled(reason);
      });
    }
  }
}

/** The longest time that a loop blocks the main thread; other requests are answered in between. */
const SLICE_MS = 4;

const waiting: (() => void)[] = [];

function wakeNext(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(wakeNext);
}

/**
 * Resumes the waiting loops in order, one in each turn of the event loop. If all resumed in the same turn, four long
 * answers would compute for four slices in a row, and everything else would wait for all four.
 */
export const takeTurn = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(wakeNext);
  });

/**
 * Makes a function that a long loop awaits in each step. It waits for a turn every few milliseconds, and before the
 * first step too if other loops already wait.
 */
export function makePause(): () => Promise<void> | undefined {
  let startedAt: number | null = waiting.length === 0 ? performance.now() : null;
  const goOn = (): void => {
    startedAt = performance.now();
  };
  const mayGoOn = (): boolean => startedAt !== null && performance.now() - startedAt < SLICE_MS;
  return () => (mayGoOn() ? undefined : takeTurn().then(goOn));
}

/** Calls `work` after each period; returns the function that stops it. Tests pass one that they drive by hand. */
export type Repeat = (work: () => void, everyMs: number) => () => void;

/** Repeats by a timer that does not keep the process alive. */
export const repeatByTimer: Repeat = (work, everyMs) => {
  const timer = setInterval(work, everyMs).unref();
  return () => clearInterval(timer);
};
