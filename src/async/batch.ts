import { isUnavailable } from '../errors.ts';

interface BatchOptions<Item, Result> {
  /** Returns a result for each item, in the order of the items. */
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** Upper bound of items in a run. */
  readonly max: number;
  /** Upper bound of concurrent runs. */
  readonly maxRuns: number;
  /** How long the first item waits for others; by default it waits only while `maxRuns` are in flight. */
  readonly delayMs?: number;
}

/** Collects calls into few runs. */
export interface Batch<Item, Result> {
  add(item: Item): Promise<Result>;
  /** Runs the waiting items; resolves when all runs have ended. */
  flush(): Promise<void>;
}

interface Call<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Joins many calls into one, so that they share a round trip and a commit. When a run rejects, its items run one by one,
 * so that an invalid item does not reject the others. Only an unavailable store rejects all of them.
 */
export function makeBatch<Item, Result>(options: BatchOptions<Item, Result>): Batch<Item, Result> {
  const { run, max, maxRuns, delayMs } = options;
  let waiting: Call<Item, Result>[] = [];
  let timer: NodeJS.Timeout | undefined;
  let running = 0;
  /** The runs that a flush waits for. */
  const runs = new Set<Promise<void>>();

  async function runTogether(calls: readonly Call<Item, Result>[]): Promise<void> {
    try {
      const results = await run(calls.map(({ item }) => item));
      for (const [i, call] of calls.entries()) call.resolve(results[i] as Result);
    } catch (error) {
      if (calls.length === 1 || isUnavailable(error)) for (const call of calls) call.reject(error);
      else for (const call of calls) await runTogether([call]);
    }
  }

  async function runWaiting(): Promise<void> {
    running += 1;
    while (waiting.length > 0) {
      const calls = waiting.slice(0, max);
      waiting = waiting.slice(max);
      await runTogether(calls);
    }
    // No await between the loop's last check and this: an item added later starts another run.
    running -= 1;
  }

  function start(): void {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.length === 0 || running >= maxRuns) return;
    const own = runWaiting().finally(() => runs.delete(own));
    runs.add(own);
  }

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        if (delayMs === undefined || waiting.length >= max) start();
        else timer ??= setTimeout(start, delayMs);
      }),
    async flush() {
      start();
      await Promise.all(runs);
    },
  };
}
