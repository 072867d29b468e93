import { toCancelled } from '../async/index.ts';
import { isSwathError } from '../errors.ts';
import { cancelled, sourceBroken, timedOut } from './errors.ts';
import type { ResponseHead } from './exchange.ts';

/** A failure that another try may fix; `afterMs` is what the store asked us to wait. */
export class PassingFailure {
  readonly error: Error;
  readonly afterMs: number;
  constructor(error: Error, afterMs = 0) {
    this.error = error;
    this.afterMs = afterMs;
  }
}

/** Whether an answer of this status may be another one the next time. */
export const isPassing = (status: number): boolean => status === 429 || (status >= 500 && status <= 599);

/** The failure of an answer that another try may fix. */
export const toPassing = ({ status }: ResponseHead, afterMs: number | null): PassingFailure =>
  new PassingFailure(
    sourceBroken.about('source-failing', '{server} fails or is overloaded right now.', {
      cause: new Error(`status ${status}`),
    }),
    afterMs ?? 0,
  );

/** A connection that broke may hold the next time; everything else is final, and is thrown. */
export function toFailure(error: unknown): PassingFailure {
  if (isSwathError(error) && (error.code === 'source-unreachable' || error.code === 'source-cut-off'))
    return new PassingFailure(error);
  throw error;
}

/** How long a `Retry-After` header asks us to wait: seconds or a date; null when it says neither. */
export function parseRetryAfterMs(text: string | null, wallClockMs: number): number | null {
  if (text === null) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  // Only the one date format HTTP allows: Date.parse alone reads "1" as a year.
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return null;
  const dateMs = Date.parse(text);
  return Number.isNaN(dateMs) ? null : Math.max(0, dateMs - wallClockMs);
}

/** A signal that ends when its caller leaves or its time is over; its reason is the error to throw. */
interface Deadline {
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

/** One try of a call. */
export type Attempt<T> = (signal: AbortSignal) => Promise<T | PassingFailure>;

interface HedgeOptions<T> {
  /** Waits until the first try is late; rejects when the signal is aborted. */
  readonly wait: (signal: AbortSignal) => Promise<void>;
  /** Whether a second try may be made now; asked when the first one is late. */
  readonly mayHedge: () => boolean;
  readonly attempt: Attempt<T>;
  readonly signal: AbortSignal;
  /** Told that the second try was the one that answered. */
  readonly onWon: () => void;
}

/** Why the wait for lateness ends, as it nearly always does; without a reason each would make an exception of its own. */
const ANSWERED = cancelled('cancelled', 'The request was answered.');

/**
 * Makes a second, equal try when the first is late; the first answer counts, and the other try is stopped. A failure of
 * one waits for the other; if both fail, that of the first try counts.
 */
export async function hedge<T>({
  wait,
  mayHedge,
  attempt,
  signal,
  onWon,
}: HedgeOptions<T>): Promise<T | PassingFailure> {
  const [first, second, waiting] = [new AbortController(), new AbortController(), new AbortController()];
  const either = (own: AbortController): AbortSignal => AbortSignal.any([signal, own.signal]);
  const started = attempt(either(first)).finally(() => waiting.abort(ANSWERED));
  const late = wait(either(waiting)).then(
    () => true,
    () => false,
  );
  // The first try may fail while its lateness is awaited.
  started.catch(() => {});
  if (!(await late) || !mayHedge()) return started;
  const again = attempt(either(second));
  const isAnswer = (result: T | PassingFailure): result is T => !(result instanceof PassingFailure);
  const winner = await Promise.any([
    started.then((result) => (isAnswer(result) ? { result, isSecond: false } : Promise.reject(result))),
    again.then((result) => (isAnswer(result) ? { result, isSecond: true } : Promise.reject(result))),
  ]).catch(() => null);
  if (winner === null) return started;
  (winner.isSecond ? first : second).abort(cancelled('cancelled', 'The other request was answered first.'));
  if (winner.isSecond) onWon();
  return winner.result;
}
