import { parseRetryAfterMs } from '../../net/index.ts';
import { DAY_MS, HOUR_MS } from '../../units.ts';

/** The limits that a refusal of Open-Meteo names ("Hourly API request limit exceeded. …"), and their lengths. */
const LIMITS: readonly (readonly [pattern: RegExp, spanMs: number])[] = [
  [/^minutely\b/i, 60_000],
  [/^hourly\b/i, HOUR_MS],
  [/^(?:daily|monthly)\b/i, DAY_MS],
];

/** How long a server that refused a request asks us to pause; null if it does not say. */
export function parsePauseMs(
  refusal: { readonly status: number; readonly retryAfter: string | null; readonly reason: string },
  nowMs: number,
): number | null {
  const toldMs = parseRetryAfterMs(refusal.retryAfter, nowMs);
  if (toldMs !== null) return toldMs;
  if (refusal.status !== 429) return null;
  // Its counters start anew with each minute, hour and day of UTC.
  const spanMs = LIMITS.find(([pattern]) => pattern.test(refusal.reason))?.[1] ?? 60_000;
  return spanMs - (nowMs % spanMs);
}
