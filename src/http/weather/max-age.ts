import type { Period } from './period.ts';

/** Seconds for which what may change is cached: model runs come every six hours, at any time of the day. */
const SHORT_S = 600;

/** Analyses are revised for some days: ERA5 is complete after five. */
const SETTLED_MS = 10 * 86_400_000;

/** How long clients may cache a forecast. */
export const toForecastAge = (maxAgeS: number): number => Math.min(maxAgeS, SHORT_S);

/** How long clients may cache a history: less while its last days may still change. */
export const toHistoryAge = (
  { to }: Period,
  { nowMs, maxAgeS }: { readonly nowMs: number; readonly maxAgeS: number },
): number => (Date.parse(to) < nowMs - SETTLED_MS ? maxAgeS : toForecastAge(maxAgeS));
