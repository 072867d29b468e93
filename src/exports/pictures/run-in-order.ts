/**
 * Works on all items, at most `atOnce` at the same time, and gives the results in the order of the items. When a
 * result fails, or the caller stops early, the controller aborts what still runs, and that has ended before this ends.
 */
export async function* runInOrder<Item, Result>(
  items: readonly Item[],
  { atOnce, stop }: { readonly atOnce: number; readonly stop: AbortController },
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const begun: Promise<Result>[] = [];
  let next = 0;
  const fill = (): void => {
    while (begun.length < atOnce && next < items.length) {
      const result = work(items[next++] as Item);
      // It is thrown when its turn comes.
      result.catch(() => {});
      begun.push(result);
    }
  };
  try {
    for (fill(); begun.length > 0; fill()) {
      const result = await (begun[0] as Promise<Result>);
      begun.shift();
      fill();
      yield result;
    }
  } finally {
    stop.abort();
    await Promise.allSettled(begun);
  }
}
