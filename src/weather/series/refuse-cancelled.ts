import { cancelled } from '../../errors.ts';

/** Throws when the caller has left. */
export function refuseCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw cancelled('cancelled', 'The request was cancelled before it finished.');
}
