/**
 * Upper bound of items in flight. A function is called before each item begins, after the caller has used the previous
 * result, so it may depend on that result.
 */
type AtOnce = number | (() => number);

/**
 * Works on several items at a time and yields the results in the order of the items. With a fixed number the next item
 * begins before the caller uses a result. When the caller stops, or after a failure, the generator aborts the work in
 * flight and waits for its end.
 */
export async function* workInOrder<Item, Result>(
  items: Iterable<Item>,
  { atOnce, signal }: { readonly atOnce: AtOnce; readonly signal: AbortSignal | undefined },
  work: (item: Item, signal: AbortSignal) => Promise<Result>,
): AsyncGenerator<Result> {
  const stop = new AbortController();
  const either = signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]);
  const left = items[Symbol.iterator]();
  const running: Promise<Result>[] = [];
  const room = (): number => (typeof atOnce === 'number' ? atOnce : atOnce());
  const fill = (): void => {
    // At least one, or the rest would never begin.
    while (running.length < Math.max(1, room())) {
      const { done, value } = left.next();
      if (done === true) return;
      const started = work(value, either);
      // Awaited in its turn: an earlier failure would leave this rejection unhandled.
      started.catch(() => {});
      running.push(started);
    }
  };
  try {
    for (fill(); running.length > 0; ) {
      const result = (await running[0]) as Result;
      running.shift();
      if (typeof atOnce === 'number') fill();
      yield result;
      fill();
    }
  } finally {
    stop.abort();
    await Promise.allSettled(running);
  }
}
