import type { TokenBuckets } from '../../async/index.ts';
import { makeTokenBuckets } from '../../async/index.ts';
import { DAY_MS, HOUR_MS } from '../../units.ts';

/** Calls that a server allows within a time; 0 for no limit. */
export interface CallLimits {
  readonly perMinute: number;
  readonly perHour: number;
  readonly perDay: number;
}

/** Builds the budget of a server's limits, so that it seldom has to refuse a call. */
export const makeCallBudget = (
  { perMinute, perHour, perDay }: CallLimits,
  nowMs: () => number,
): TokenBuckets =>
  makeTokenBuckets(
    [
      { max: perMinute, spanMs: 60_000 },
      { max: perHour, spanMs: HOUR_MS },
      { max: perDay, spanMs: DAY_MS },
    ].filter(({ max }) => max > 0),
    nowMs,
  );

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
