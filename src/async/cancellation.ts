import type { SwathError } from '../errors.ts';
import { cancelled, isSwathError } from '../errors.ts';

/** The error for a caller whose signal was aborted: the signal's own reason if that is one of our errors. */
export const toCancelled = (reason?: unknown): SwathError =>
  isSwathError(reason)
    ? reason
    : cancelled('cancelled', 'The request was cancelled before it finished.', { cause: reason });

/** Throws when the caller has left. */
export function throwIfCancelled(signal: AbortSignal | null | undefined): void {
  if (signal?.aborted) throw toCancelled(signal.reason);
}
