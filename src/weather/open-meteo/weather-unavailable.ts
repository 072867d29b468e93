import type { SwathError } from '../../errors.ts';
import { unavailable } from '../../errors.ts';

/** The one error of a server that cannot answer now; the reason is for the log, and says nothing of the key. */
export function weatherUnavailable(cause: unknown, retryAfterMs?: number): SwathError {
  const details =
    retryAfterMs === undefined ? {} : { retryAfterS: Math.max(1, Math.ceil(retryAfterMs / 1_000)) };
  return unavailable('weather-unavailable', 'The weather service cannot answer now.', { cause, details });
}

/** The error of an answer that does not say what was asked for. */
export const wrongAnswer = (what: string): SwathError =>
  weatherUnavailable(new Error(`wrong answer of Open-Meteo: ${what}`));
