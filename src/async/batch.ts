import { isUnavailable } from '../errors.ts';

interface BatchOptions<Item, Result> {
  /** Gives a result for each item, in their order. */
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** Items of one run. */
  readonly max: number;
  /** Runs at the same time. */
  readonly maxRuns: number;
  /** How long the first item waits for others; by default it waits only while `maxRuns` are in flight. */
  readonly delayMs?: number;
}

/** Gathers calls into few runs. */
export interface Batch<Item, Result> {
  add(item: Item): Promise<Result>;
  /** Runs what waits; resolves when all runs are over. */
  flush(): Promise<void>;
}

interface Call<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Makes one call of many, so that they share round trips and a commit. When a run rejects, its items run one by one: what
 * is wrong with one of them must not reject the others. Only a store that is unavailable rejects all of them.
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
    // In the same step in which it saw that nothing waits: an item that comes later starts another one.
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
