/** How often something may happen: token buckets, counts in windows of time, and counts that nodes share. */
import { makeSerialWork } from './concurrency.ts';

/** At most `max` events within a span of time. */
export interface RateLimit {
  readonly max: number;
  readonly spanMs: number;
}

/** Token buckets: limits how often something happens, evenly in the long run. */
export interface TokenBuckets {
  /** Takes tokens from every bucket and returns null; if one has too few, takes none and returns how long to wait. */
  take(tokens: number): number | null;
}

/** Builds full buckets, one for each limit. */
export function makeTokenBuckets(limits: readonly RateLimit[], nowMs: () => number): TokenBuckets {
  const buckets = limits.map(({ max, spanMs }) => ({ max, perMs: max / spanMs, tokens: max }));
  let filledMs = nowMs();
  return {
    take(tokens) {
      const elapsedMs = Math.max(0, nowMs() - filledMs);
      filledMs += elapsedMs;
      for (const bucket of buckets) {
        bucket.tokens = Math.min(bucket.max, bucket.tokens + elapsedMs * bucket.perMs);
      }
      // A request larger than a bucket passes when the bucket is full and leaves a debt; otherwise it would never pass.
      const waits = buckets.map((bucket) => (Math.min(tokens, bucket.max) - bucket.tokens) / bucket.perMs);
      const waitMs = Math.max(0, ...waits);
      // A thousandth of a millisecond is a rounding error.
      if (waitMs > 1e-3) return Math.ceil(waitMs);
      for (const bucket of buckets) bucket.tokens -= tokens;
      return null;
    },
  };
}

/** Counts events per name in windows of fixed length, in bounded memory. */
export interface WindowCounter {
  /**
   * Adds an event, or several; returns the count of the current window, and the seconds until the next one begins. The
   * caller refuses what is beyond `max`.
   */
  add(name: string, max: number, events?: number): { readonly count: number; readonly resetS: number };
  /** The count of the current window. */
  count(name: string): number;
}

interface WindowCounterOptions {
  readonly windowMs: number;
  readonly nowMs: () => number;
  /** Upper bound of names; the window that began longest ago is forgotten first. */
  readonly maxNames?: number;
}

/** Builds a counter; windows begin with a name's first event. */
export function makeWindowCounter({
  windowMs,
  nowMs,
  maxNames = 10_000,
}: WindowCounterOptions): WindowCounter {
  const windows = new Map<string, { startMs: number; count: number }>();
  const current = (name: string) => {
    const window = windows.get(name);
    return window !== undefined && nowMs() - window.startMs < windowMs ? window : null;
  };
  return {
    add(name, _max, events = 1) {
      let window = current(name);
      if (window === null) {
        window = { startMs: nowMs(), count: 0 };
        windows.delete(name);
        if (windows.size >= maxNames) windows.delete(windows.keys().next().value as string);
        windows.set(name, window);
      }
      window.count += events;
      return {
        count: window.count,
        resetS: Math.max(1, Math.ceil((window.startMs + windowMs - nowMs()) / 1000)),
      };
    },
    count: (name) => current(name)?.count ?? 0,
  };
}

/** How many events of a name a node has counted since its last message. */
export interface ToldCount {
  /** Which counter. */
  readonly of: string;
  readonly name: string;
  readonly count: number;
}

/** How nodes send each other their counts; only its own node counts an event that was not sent. */
export interface CountNews {
  tell(counts: readonly ToldCount[]): Promise<void>;
  /** Calls the listener with the counts of other nodes, until the returned function is called. */
  hear(onCounts: (counts: readonly ToldCount[]) => void): () => void;
}

/** For a process without others. */
export const noNews: CountNews = { tell: async () => {}, hear: () => () => {} };

/** Makes a counter by what it counts. */
export type MakeCounter = (of: string) => WindowCounter;

/** Counters whose counts all nodes know within a second. */
export interface SharedCounts {
  readonly makeCounter: MakeCounter;
  /** Sends what was counted since the last message; called every `TELL_MS`. */
  tell(): Promise<void>;
  stop(): void;
}

interface SharedCountsDeps {
  readonly news: CountNews;
  readonly windowMs: number;
  /** Monotonic. */
  readonly nowMs: () => number;
}

/** The longest time between two messages. */
export const TELL_MS = 1_000;

/** A node that has admitted this share of a limit since its last message sends the next one at once, so that a burst over several nodes ends early. */
const TOLD_AT_ONCE = 0.1;

/** Upper bound of names in a message; counts of further names are not sent. */
const MAX_UNTOLD = 10_000;

/**
 * Builds counters in memory that nodes share: an event costs no round trip. Each further node may admit a tenth of a limit,
 * and what arrives while messages are in flight, before it knows of the others. Only admitted events are sent: those that a
 * node refuses at the end of its window would fill the next window of the others.
 */
export function makeSharedCounts({ news, windowMs, nowMs }: SharedCountsDeps): SharedCounts {
  const counters = new Map<string, WindowCounter>();
  const untold = new Map<string, { of: string; name: string; count: number }>();

  const telling = makeSerialWork(
    async () => {
      const counts = [...untold.values()];
      untold.clear();
      if (counts.length > 0) await news.tell(counts);
    },
    // While messages fail, each node counts for itself: old counts do not belong to the present window.
    () => {},
  );
  const stop = news.hear((counts) => {
    for (const { of, name, count } of counts) counters.get(of)?.add(name, Number.POSITIVE_INFINITY, count);
  });

  return {
    makeCounter(of) {
      const own = makeWindowCounter({ windowMs, nowMs });
      counters.set(of, own);
      return {
        count: own.count,
        add(name, max, events = 1) {
          const added = own.add(name, max, events);
          if (added.count > max) return added;
          const id = `${of} ${name}`;
          const known = untold.get(id) ?? { of, name, count: 0 };
          known.count += events;
          if (untold.size < MAX_UNTOLD) untold.set(id, known);
          if (known.count >= max * TOLD_AT_ONCE) void telling.request();
          return added;
        },
      };
    },
    tell: () => telling.request(),
    stop,
  };
}
