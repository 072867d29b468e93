import { toCancelled } from './single-flight.ts';

/** Time and chance, so that tests can hold them still. */
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
    // Most waits are ended early. The promised timer of Node would make an error with a stack for each.
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

/** The real clock and real chance. */
export const systemClock: Clock = { nowMs: () => performance.now(), sleep, random: Math.random };

/** A random part of a doubling wait ("full jitter"), so that callers that failed together do not return together. */
export const toBackoffMs = (
  retry: number,
  { firstMs, maxMs = Infinity, random }: { firstMs: number; maxMs?: number; random: () => number },
): number => random() * Math.min(maxMs, firstMs * 2 ** retry);

interface RetryOptions {
  /** How long to wait before the next try after this failure, the `tries`-th; null to give up. */
  readonly toWaitMs: (error: unknown, tries: number) => number | null;
  readonly signal?: AbortSignal | undefined;
  readonly sleep?: Sleep;
}

/** Runs `work` until it succeeds or its failure is final; a caller that leaves while it waits gets `cancelled`. */
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

/** Longer than this a loop on the main thread does not compute at a time; others are answered in between. */
const SLICE_MS = 4;

const waiting: (() => void)[] = [];

function wakeNext(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(wakeNext);
}

/**
 * Lets all who wait for it go on, in order, one in each turn of the event loop. With a turn each at the same time, four
 * long answers would compute for four slices in a row, and everybody else would wait for all of them.
 */
export const takeTurn = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(wakeNext);
  });

/**
 * Makes a function for a long loop to await in each step: after every few milliseconds it waits for its turn, and before
 * the first of them if others wait already.
 */
export function makePause(): () => Promise<void> | undefined {
  let startedAt: number | null = waiting.length === 0 ? performance.now() : null;
  const goOn = (): void => {
    startedAt = performance.now();
  };
  const mayGoOn = (): boolean => startedAt !== null && performance.now() - startedAt < SLICE_MS;
  return () => (mayGoOn() ? undefined : takeTurn().then(goOn));
}
