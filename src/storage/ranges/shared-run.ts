import { cancelled } from '../../errors.ts';

/** One piece of work that several callers wait for. */
export interface SharedRun<T> {
  /** Waits for the result, or leaves when the signal is aborted; the work ends when the last one has left. */
  join(signal?: AbortSignal): Promise<T>;
  /** True once all who joined have left: the work is being stopped, and nobody may join any more. */
  isAbandoned(): boolean;
}

/**
 * Starts work for several callers, so that one of them leaving does not take it from the others. `onSettled` is called
 * before any of them hears of the end.
 */
export function startSharedRun<T>(
  run: (signal: AbortSignal) => Promise<T>,
  onSettled: () => void = () => {},
): SharedRun<T> {
  const controller = new AbortController();
  const result = run(controller.signal);
  // This also keeps a failure after everybody has left from being an unhandled one; who waits hears of it in `join`.
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
