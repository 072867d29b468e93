/**
 * Works on all items, at most `atOnce` at the same time. After the first failure no item is begun, the controller aborts
 * those that run, and the failure is thrown when all have ended.
 */
export async function runBounded<Item>(
  items: readonly Item[],
  atOnce: number,
  stop: AbortController,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  let next = 0;
  let failure: { readonly error: unknown } | null = null;
  const takeTurns = async (): Promise<void> => {
    while (next < items.length && failure === null && !stop.signal.aborted) {
      const item = items[next++] as Item;
      try {
        await work(item);
      } catch (error) {
        failure ??= { error };
        stop.abort(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, takeTurns));
  const failed = failure as { readonly error: unknown } | null;
  if (failed !== null) throw failed.error;
  stop.signal.throwIfAborted();
}
