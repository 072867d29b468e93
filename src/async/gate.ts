/** Lets a limited number of tasks run at a time; the others wait in the order of their calls. */
export interface Gate {
  /** Waits for a slot and returns the function that frees it; an abort during the wait rejects with its reason. */
  enter(signal?: AbortSignal): Promise<() => void>;
  /** A slot if one is free now; null otherwise. */
  tryEnter(): (() => void) | null;
  /** Waits for a slot and holds it while `work` runs. */
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

/** Builds a gate with this many slots. */
export function makeGate(slots: number): Gate {
  let free = slots;
  const waiting = new Set<() => void>();

  const leave = (): void => {
    const [next] = waiting;
    // The slot goes straight to the next waiter: no newcomer can take it.
    if (next === undefined) free += 1;
    else {
      waiting.delete(next);
      next();
    }
  };
  const makeLeaveOnce = (): (() => void) => {
    let held = true;
    return () => {
      if (held) leave();
      held = false;
    };
  };

  const tryEnter: Gate['tryEnter'] = () => {
    if (free === 0) return null;
    free -= 1;
    return makeLeaveOnce();
  };

  const enter: Gate['enter'] = async (signal) => {
    signal?.throwIfAborted();
    return (
      tryEnter() ??
      new Promise<() => void>((resolve, reject) => {
        const start = (): void => {
          signal?.removeEventListener('abort', giveUp);
          resolve(makeLeaveOnce());
        };
        const giveUp = (): void => {
          waiting.delete(start);
          reject(signal?.reason);
        };
        signal?.addEventListener('abort', giveUp, { once: true });
        waiting.add(start);
      })
    );
  };

  return {
    tryEnter,
    enter,
    async run(work, signal) {
      const leaveSlot = await enter(signal);
      try {
        return await work();
      } finally {
        leaveSlot();
      }
    },
  };
}
