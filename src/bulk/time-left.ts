/** How much work is done, and when it will be. */
export interface TimeLeft {
  /** Counts work that is done, in the unit of the total; what was done before this run takes no time. */
  add(units: number): void;
  /** Counts time in which no such work was done. */
  pause(ms: number): void;
  /** Time until all is done, in milliseconds; null before anything is known. */
  leftMs(): number | null;
}

interface TimeOptions {
  /** Work of this run. */
  readonly total: number;
  readonly nowMs: () => number;
}

/** Estimates the time that is left by the mean speed of this run: parts of one kind take about as long as each other. */
export function makeTimeLeft({ total, nowMs }: TimeOptions): TimeLeft {
  const startedMs = nowMs();
  let done = 0;
  let pausedMs = 0;
  return {
    add(units) {
      done += units;
    },
    pause(ms) {
      pausedMs += ms;
    },
    leftMs() {
      if (total <= done) return 0;
      if (done === 0) return null;
      return (Math.max(0, nowMs() - startedMs - pausedMs) / done) * (total - done);
    },
  };
}
