import { isUnavailable } from '../../../errors.ts';

/** So many calls share one transaction at most: what is wrong with one of them costs the others little. */
const MAX_CALLS = 100;

/** So many transactions run at once: one goes on while the disk answers the other. */
const MAX_RUNS = 2;

interface Call<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Makes one call of many: those that come while two are under way wait and then go together, so that they share round trips
 * and a commit. `run` gives a result for each item, in their order. When it rejects, the items run one by one: what is
 * wrong with one of them must not reject the others.
 */
export function shareCalls<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  let waiting: Call<Item, Result>[] = [];
  let running = 0;

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
      const calls = waiting.slice(0, MAX_CALLS);
      waiting = waiting.slice(MAX_CALLS);
      await runTogether(calls);
    }
    running -= 1;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (running < MAX_RUNS) void runWaiting();
    });
}
