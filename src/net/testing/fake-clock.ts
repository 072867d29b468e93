import type { Clock } from '../../async/index.ts';

/** A clock that advances only when a call sleeps, and records each sleep. */
export interface FakeClock extends Clock {
  readonly sleeps: number[];
  advance(ms: number): void;
}

/** Builds one whose chance is always the same. */
export function makeFakeClock(random = 0.5): FakeClock {
  let now = 0;
  const sleeps: number[] = [];
  return {
    sleeps,
    advance: (ms) => {
      now += ms;
    },
    nowMs: () => now,
    random: () => random,
    sleep: async (durationMs, signal) => {
      signal?.throwIfAborted();
      sleeps.push(durationMs);
      now += durationMs;
    },
  };
}
