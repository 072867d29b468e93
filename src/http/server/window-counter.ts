/** Counts events per name in windows of fixed length, in bounded memory. */
export interface WindowCounter {
  /** Counts one more event and says how many this window has now, and when the next begins. */
  add(name: string): { readonly count: number; readonly resetS: number };
  /** Events of the current window without adding one. */
  count(name: string): number;
}

interface WindowCounterOptions {
  readonly windowMs: number;
  readonly nowMs: () => number;
  /** Names remembered at most; the least recently begun window is forgotten first. */
  readonly maxNames?: number;
}

/** Builds a counter; windows begin with a name's first event. */
export function makeWindowCounter({
  windowMs,
  nowMs,
  maxNames = 10_000,
}: WindowCounterOptions): WindowCounter {
  const windows = new Map<string, { startMs: number; count: number }>();
  const current = (name: string) => {
    const window = windows.get(name);
    return window !== undefined && nowMs() - window.startMs < windowMs ? window : null;
  };
  return {
    add(name) {
      let window = current(name);
      if (window === null) {
        window = { startMs: nowMs(), count: 0 };
        windows.delete(name);
        if (windows.size >= maxNames) windows.delete(windows.keys().next().value as string);
        windows.set(name, window);
      }
      window.count += 1;
      return {
        count: window.count,
        resetS: Math.max(1, Math.ceil((window.startMs + windowMs - nowMs()) / 1000)),
      };
    },
    count: (name) => current(name)?.count ?? 0,
  };
}
