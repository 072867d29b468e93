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
