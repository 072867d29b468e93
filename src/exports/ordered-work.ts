/**
 * Works on items several at a time and gives the results in the order of the items. When the caller stops taking them,
 * or after a failure, the work under way is aborted, and ended before the generator is.
 */
export async function* workInOrder<Item, Result>(
  items: Iterable<Item>,
  { atOnce, signal }: { readonly atOnce: number; readonly signal: AbortSignal | undefined },
  work: (item: Item, signal: AbortSignal) => Promise<Result>,
): AsyncGenerator<Result> {
  const stop = new AbortController();
  const either = signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]);
  const running: Promise<Result>[] = [];
  try {
    for (const item of items) {
      const started = work(item, either);
      // it is awaited below, perhaps after another one has failed
      started.catch(() => {});
      running.push(started);
      if (running.length >= atOnce) yield (await running.shift()) as Result;
    }
    while (running.length > 0) yield (await running.shift()) as Result;
  } finally {
    stop.abort();
    await Promise.allSettled(running);
  }
}
