import { parseRetryAfterMs } from '../../storage/index.ts';

/** Leaves a server alone for as long as it asked, or after several failures in a row. */
export interface ServerRest {
  /** How long it still rests; 0 if it may be asked. */
  leftMs(): number;
  /** It asked to be left alone. */
  start(durationMs: number): void;
  onFailure(): void;
  onSuccess(): void;
}

/** After so many failures in a row the server is not asked for a while: each may take all the time of a request. */
const FAILURES = 3;
const FAILURES_REST_MS = 30_000;
/** No server is believed that it rests for longer. */
const MAX_REST_MS = 86_400_000;

/** Builds the rests of one server. */
export function makeServerRest(nowMs: () => number): ServerRest {
  let untilMs = 0;
  let failures = 0;
  const start = (durationMs: number): void => {
    untilMs = Math.max(untilMs, nowMs() + Math.min(durationMs, MAX_REST_MS));
  };
  return {
    leftMs: () => Math.max(0, untilMs - nowMs()),
    start,
    onFailure() {
      failures += 1;
      if (failures < FAILURES) return;
      failures = 0;
      start(FAILURES_REST_MS);
    },
    onSuccess() {
      failures = 0;
    },
  };
}

/** The limits that a refusal of Open-Meteo names ("Hourly API request limit exceeded. …"), and their lengths. */
const LIMITS: readonly (readonly [pattern: RegExp, spanMs: number])[] = [
  [/^minutely\b/i, 60_000],
  [/^hourly\b/i, 3_600_000],
  [/^(?:daily|monthly)\b/i, 86_400_000],
];

/** How long a server that refused a request wants to be left alone; null if it does not say. */
export function parseRestMs(
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
