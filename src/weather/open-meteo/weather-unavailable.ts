import type { SwathError } from '../../errors.ts';
import { unavailable } from '../../errors.ts';

/** The one error of a server that cannot answer now; the reason is for the log, and says nothing of the key. */
export function weatherUnavailable(cause: unknown, retryAfterMs?: number): SwathError {
  const details =
    retryAfterMs === undefined ? {} : { retryAfterS: Math.max(1, Math.ceil(retryAfterMs / 1_000)) };
  return unavailable('weather-unavailable', 'The weather service cannot answer now.', { cause, details });
}

/** Why an answer does not say what was asked for; the cause of the error that callers get. */
export const wrongAnswer = (what: string): Error => new Error(`wrong answer of Open-Meteo: ${what}`);
