/** Lets a number of tasks run at a time; the others wait in the order they came. */
export interface Semaphore {
  /** Waits for a slot; rejects with the signal's reason if it is aborted before. The result frees the slot. */
  enter(signal: AbortSignal): Promise<() => void>;
  /** A slot if one is free now; null otherwise. */
  tryEnter(): (() => void) | null;
}

/** Builds a semaphore with this many slots. */
export function makeSemaphore(slots: number): Semaphore {
  let free = slots;
  const waiting = new Set<() => void>();

  const leave = () => {
    const [next] = waiting;
    // The slot goes straight to the next waiter: no newcomer can take it.
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

  const tryEnter = () => {
    if (free === 0) return null;
    free -= 1;
    return makeLeaveOnce();
  };

  return {
    tryEnter,
    enter(signal) {
      signal.throwIfAborted();
      const leaveSlot = tryEnter();
      if (leaveSlot !== null) return Promise.resolve(leaveSlot);
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
