import { toCancelled } from '../async/index.ts';
import { isSwathError } from '../errors.ts';
import { cancelled, sourceBroken, timedOut } from './errors.ts';
import type { ResponseHead } from './exchange.ts';

/** A failure that a retry may fix; `afterMs` is how long the store asked us to wait. */
export class PassingFailure {
  readonly error: Error;
  readonly afterMs: number;
  constructor(error: Error, afterMs = 0) {
    this.error = error;
    this.afterMs = afterMs;
  }
}

/** Whether a retry may change an answer with this status. */
export const isPassing = (status: number): boolean => status === 429 || (status >= 500 && status <= 599);

/** The failure for an answer that a retry may change. */
export const toPassing = ({ status }: ResponseHead, afterMs: number | null): PassingFailure =>
  new PassingFailure(
    sourceBroken.about('source-failing', '{server} fails or is overloaded right now.', {
      cause: new Error(`status ${status}`),
    }),
    afterMs ?? 0,
  );

/** The failure for a broken connection, which a retry may fix; throws every other error, which is final. */
export function toFailure(error: unknown): PassingFailure {
  if (isSwathError(error) && (error.code === 'source-unreachable' || error.code === 'source-cut-off'))
    return new PassingFailure(error);
  throw error;
}

/** Failures of a server or of the way to it, after all retries: a later attempt may succeed. */
const PASSING_CODES: ReadonlySet<string> = new Set([
  'source-cut-off',
  'source-failing',
  'source-resting',
  'source-timed-out',
  'source-unreachable',
  'too-many-waiting',
]);

/** Whether an error says that a server cannot be read now, and not that what it has is wrong. */
export const mayPass = (error: unknown): boolean => isSwathError(error) && PASSING_CODES.has(error.code);

/** How long a `Retry-After` header asks us to wait: seconds or a date; null when it says neither. */
export function parseRetryAfterMs(text: string | null, wallClockMs: number): number | null {
  if (text === null) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  // Only the one date format HTTP allows: Date.parse alone reads "1" as a year.
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return null;
  const dateMs = Date.parse(text);
  return Number.isNaN(dateMs) ? null : Math.max(0, dateMs - wallClockMs);
}

/** A signal that aborts when the caller leaves or the time is over; its reason is the error to throw. */
interface Deadline {
  readonly signal: AbortSignal;
  /** Limits one part of the work: the time from now until the next call of `limitPart`. */
  limitPart(partMs: number): void;
  /** Must be called when the work is done; otherwise its timers hold the process open. */
  end(): void;
}

/** Starts the time limit of one call to a store. */
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
  /** Whether a second try may start; called when the first one is late. */
  readonly mayHedge: () => boolean;
  readonly attempt: Attempt<T>;
  readonly signal: AbortSignal;
  /** Called when the second try answers first. */
  readonly onWon: () => void;
}

/** The reason that ends the wait, as it nearly always does; without one each abort would build an exception. */
const ANSWERED = cancelled('cancelled', 'The request was answered.');

/**
 * Starts a second, equal try when the first is late. The first answer counts, and the other try is aborted. If one
 * fails, the other may still answer; if both fail, the failure of the first try counts.
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
  // The first try may fail during the wait, when nothing awaits it.
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
