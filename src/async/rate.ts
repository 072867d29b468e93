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
  /** Adds an event; returns the count of the current window, and the seconds until the next one begins. */
  add(name: string): { readonly count: number; readonly resetS: number };
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
    add(name) {
      let window = current(name);
      if (window === null) {
        window = { startMs: nowMs(), count: 0 };
        windows.delete(name);
        if (windows.size >= maxNames) windows.delete(windows.keys().next().value as string);
        windows.set(name, window);
      }
      window.count += 1;
      return {
        count: window.count,
        resetS: Math.max(1, Math.ceil((window.startMs + windowMs - nowMs()) / 1000)),
      };
    },
    count: (name) => current(name)?.count ?? 0,
  };
}
