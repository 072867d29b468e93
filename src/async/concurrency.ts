import { isUnavailable } from '../errors.ts';

/** Work that never runs twice at once, however often it is requested. */
export interface SerialWork {
  /** Runs the work. While it runs, all requests share one more run after it; resolves when no run is left. */
  request(): Promise<void>;
  /** Resolves when no run is left. */
  settled(): Promise<void>;
}

/**
 * Serializes work that many events request, such as polling a queue. After a failure, requests that came during the run
 * are dropped: the next event requests again.
 */
export function makeSerialWork(
  work: () => Promise<void>,
  onFailure: (error: unknown) => void = () => {},
): SerialWork {
  let running: Promise<void> | null = null;
  let isRequested = false;

  async function run(): Promise<void> {
    try {
      while (isRequested) {
        isRequested = false;
        // Wrapped, so that a synchronous throw is a rejection too and `running` is set before the run ends.
        await (async () => work())();
      }
    } catch (error) {
      onFailure(error);
    } finally {
      running = null;
    }
  }

  return {
    request() {
      isRequested = true;
      running ??= run();
      return running;
    },
    settled: () => running ?? Promise.resolve(),
  };
}

/**
 * Upper bound of items in flight. A function is called before each item begins, after the caller has used the previous
 * result, so it may depend on that result.
 */
type AtOnce = number | (() => number);

/** How items are worked on. */
interface WorkOptions {
  readonly atOnce: AtOnce;
  /**
   * Upper bound of items that have begun and whose results were not used yet, where results may wait for those before
   * them: one that takes long then does not stop the others. By default results count as in flight until they are used.
   */
  readonly begun?: AtOnce;
  readonly signal: AbortSignal | undefined;
}

/**
 * Works on several items at a time and yields the results in the order of the items. With a fixed number the next item
 * begins before the caller uses a result. When the caller stops, or after a failure, the generator aborts the work in
 * flight and waits for its end.
 */
export async function* workInOrder<Item, Result>(
  items: Iterable<Item>,
  { atOnce, begun, signal }: WorkOptions,
  work: (item: Item, signal: AbortSignal) => Promise<Result>,
): AsyncGenerator<Result> {
  const stop = new AbortController();
  const either = signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]);
  const left = items[Symbol.iterator]();
  const running: Promise<Result>[] = [];
  let unfinished = 0;
  const toNumber = (bound: AtOnce): number => (typeof bound === 'number' ? bound : bound());
  const hasRoom = (): boolean => {
    // At least one, or the rest would never begin.
    if (running.length === 0) return true;
    if (begun === undefined) return running.length < toNumber(atOnce);
    return unfinished < toNumber(atOnce) && running.length < toNumber(begun);
  };
  const fill = (): void => {
    while (!stop.signal.aborted && hasRoom()) {
      const { done, value } = left.next();
      if (done === true) return;
      const started = work(value, either);
      unfinished += 1;
      const finish = (): void => {
        unfinished -= 1;
      };
      // A failure is awaited in its turn: an earlier one would leave this rejection unhandled.
      started.then(() => {
        finish();
        if (begun !== undefined) fill();
      }, finish);
      running.push(started);
    }
  };
  try {
    for (fill(); running.length > 0; ) {
      const result = (await running[0]) as Result;
      // What the caller is using still counts as begun.
      if (begun !== undefined) yield result;
      running.shift();
      if (begun === undefined) {
        if (typeof atOnce === 'number') fill();
        yield result;
      }
      fill();
    }
  } finally {
    stop.abort();
    await Promise.allSettled(running);
  }
}

/** Work on items in their order, of which some begin before they are asked for: the result of one by its place. */
export function startAhead<Item, Result>(
  items: readonly Item[],
  ahead: number,
  work: (item: Item) => Promise<Result>,
): (place: number) => Promise<Result> {
  const started: Promise<Result>[] = [];
  return (place) => {
    for (const item of items.slice(started.length, place + 1 + ahead)) {
      const one = work(item);
      // Nobody asks for those that are left when the caller stops.
      one.catch(() => {});
      started.push(one);
    }
    return started[place] as Promise<Result>;
  };
}

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
