/** Lets a number of tasks run at a time; the others wait in the order they came. */
export interface Semaphore {
  /** Waits for a place; rejects with the signal's reason when it is aborted before. The result gives the place back. */
  enter(signal: AbortSignal): Promise<() => void>;
}

/** Builds a semaphore with this many places. */
export function makeSemaphore(places: number): Semaphore {
  let free = places;
  const waiting = new Set<() => void>();

  const leave = () => {
    const [next] = waiting;
    // The place goes straight to the next waiter: nobody can slip in between.
    if (next === undefined) free += 1;
    else {
      waiting.delete(next);
      next();
    }
  };
  const makeLeaveOnce = () => {
    let held = true;
    return () => {
      if (held) leave();
      held = false;
    };
  };

  return {
    enter(signal) {
      signal.throwIfAborted();
      if (free > 0) {
        free -= 1;
        return Promise.resolve(makeLeaveOnce());
      }
      return new Promise((resolve, reject) => {
        const start = () => {
          signal.removeEventListener('abort', giveUp);
          resolve(makeLeaveOnce());
        };
        const giveUp = () => {
          waiting.delete(start);
          reject(signal.reason);
        };
        signal.addEventListener('abort', giveUp, { once: true });
        waiting.add(start);
      });
    },
  };
}
