/**
 * How many items are worked on at the same time. A function is called each time that one may begin, after the caller used
 * the result before: it may depend on that.
 */
type AtOnce = number | (() => number);

/**
 * Works on items several at a time and gives the results in the order of the items. With a fixed number the next item
 * is begun before a result is used. When the caller stops taking results, or after a failure, the work in flight is
 * aborted, and has ended before the generator does.
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
    // One at least, or the rest would never begin.
    while (running.length < Math.max(1, room())) {
      const { done, value } = left.next();
      if (done === true) return;
      const started = work(value, either);
      // It is awaited in its turn, perhaps after another one has failed.
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
