/** Calls that a server allows within a time; 0 for no limit. */
export interface CallLimits {
  readonly perMinute: number;
  readonly perHour: number;
  readonly perDay: number;
}

/** Counts calls, so that a server seldom has to refuse one. */
export interface CallBudget {
  /** Takes calls out; null, or how long to wait for them if there are not so many now. */
  take(calls: number): number | null;
}

interface Bucket {
  readonly max: number;
  readonly perMs: number;
  tokens: number;
}

/** Builds a budget: one token bucket for each limit. */
export function makeCallBudget({ perMinute, perHour, perDay }: CallLimits, nowMs: () => number): CallBudget {
  const buckets = (
    [
      [perMinute, 60_000],
      [perHour, 3_600_000],
      [perDay, 86_400_000],
    ] as const
  )
    .filter(([max]) => max > 0)
    .map(([max, spanMs]): Bucket => ({ max, perMs: max / spanMs, tokens: max }));
  let filledMs = nowMs();

  return {
    take(calls) {
      const elapsedMs = Math.max(0, nowMs() - filledMs);
      filledMs += elapsedMs;
      for (const bucket of buckets) {
        bucket.tokens = Math.min(bucket.max, bucket.tokens + elapsedMs * bucket.perMs);
      }
      // A request larger than a bucket passes when the bucket is full, and leaves a debt: it would never pass otherwise.
      const waits = buckets.map(({ tokens, max, perMs }) => (Math.min(calls, max) - tokens) / perMs);
      const waitMs = Math.max(0, ...waits);
      // A thousandth of a millisecond is an error of rounding.
      if (waitMs > 1e-3) return Math.ceil(waitMs);
      for (const bucket of buckets) bucket.tokens -= calls;
      return null;
    },
  };
}

/**
 * How many calls a request counts as: https://open-meteo.com/en/pricing, "How are API calls counted?". More than 10
 * variables or more than two weeks are several calls, in fractions, and each location is a request of its own.
 */
export function toCallCount(request: {
  readonly variables: number;
  readonly days: number;
  readonly locations: number;
}): number {
  const byVariables = request.variables / 10;
  return Math.max(1, byVariables, byVariables * (request.days / 14)) * request.locations;
}
