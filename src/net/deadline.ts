import { toCancelled } from '../async/index.ts';
import { timedOut } from '../errors.ts';

/** A signal that ends when its caller leaves or its time is over; its reason is the error to throw. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Limits the time from now until the next call of this: one part of the work within the whole. */
  limitPart(partMs: number): void;
  /** Must be called when the work is done; otherwise its timers hold the process open. */
  end(): void;
}

/** Starts the time of one call to a store. */
export function startDeadline(outer: AbortSignal | undefined, totalMs: number): Deadline {
  const controller = new AbortController();
  const onAbort = () => controller.abort(toCancelled(outer?.reason));
  if (outer?.aborted) onAbort();
  outer?.addEventListener('abort', onAbort, { once: true });
  const onLate = () => {
    controller.abort(timedOut.about('source-timed-out', '{server} took too long to answer.'));
  };
  const timer = setTimeout(onLate, totalMs);
  let part: NodeJS.Timeout | undefined;
  return {
    signal: controller.signal,
    limitPart(partMs) {
      clearTimeout(part);
      part = setTimeout(onLate, partMs);
    },
    end() {
      clearTimeout(timer);
      clearTimeout(part);
      outer?.removeEventListener('abort', onAbort);
    },
  };
}
