import { cancelled } from '../../errors.ts';

/** One piece of work that several callers wait for. */
export interface SharedRun<T> {
  /** Waits for the result, or leaves when the signal is aborted; the work ends when the last one has left. */
  join(signal?: AbortSignal): Promise<T>;
  /** True once all callers have left: the work is being stopped, and no one may join any more. */
  isAbandoned(): boolean;
}

/**
 * Starts work for several callers, so that one of them leaving does not end it for the others. `onSettled` is called
 * before any of them gets the result.
 */
export function startSharedRun<T>(
  run: (signal: AbortSignal) => Promise<T>,
  onSettled: () => void = () => {},
): SharedRun<T> {
  const controller = new AbortController();
  const result = run(controller.signal);
  // A failure after all callers have left is then not an unhandled one; waiting callers get it in `join`.
  result.then(onSettled, onSettled);
  let waiting = 0;

  return {
    isAbandoned: () => controller.signal.aborted,
    join(signal) {
      if (signal?.aborted) return Promise.reject(leftError());
      waiting += 1;
      return new Promise<T>((resolve, reject) => {
        const leave = () => {
          waiting -= 1;
          if (waiting === 0) controller.abort(leftError());
          reject(leftError());
        };
        signal?.addEventListener('abort', leave, { once: true });
        const stay = () => signal?.removeEventListener('abort', leave);
        result.then(resolve, reject).finally(stay);
      });
    },
  };
}

const leftError = () => cancelled('cancelled', 'The read was cancelled.');
