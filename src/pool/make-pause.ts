import { setImmediate as nextTurn } from 'node:timers/promises';

/** Longer than this a loop on the main thread does not compute at a time; others are answered in between. */
const SLICE_MS = 4;

/** Makes a function for a long loop to await in each step: it lets others go on after every few milliseconds. */
export function makePause(): () => Promise<void> {
  let startedAt = performance.now();
  return async () => {
    if (performance.now() - startedAt < SLICE_MS) return;
    await nextTurn();
    startedAt = performance.now();
  };
}
