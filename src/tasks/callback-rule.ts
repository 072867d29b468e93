/** Attempts at one callback. */
export const MAX_CALLBACK_ATTEMPTS = 5;

/** Waits between attempts as multiples of the first one: 10 s, 1 min, 5 min and 30 min by default. */
const FACTORS = [1, 6, 30, 180];

/** How far a wait may be off, as a share of it: callbacks that failed together are not sent again together. */
const SPREAD = 0.2;

/** How long to wait after the failed attempt of that number, from 1; null after the last. `random` is from 0 to 1. */
export function planCallbackRetry(
  attempts: number,
  firstDelayMs: number,
  random = Math.random(),
): number | null {
  const factor = FACTORS[attempts - 1];
  if (factor === undefined || attempts >= MAX_CALLBACK_ATTEMPTS) return null;
  return Math.round(firstDelayMs * factor * (1 - SPREAD + 2 * SPREAD * random));
}
