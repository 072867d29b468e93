import { cancelled } from '../errors.ts';
import { PassingFailure } from './passing-failure.ts';

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
