/** Waits for a time without events. */
interface Quiet {
  /** Reports an event. */
  disturb(): void;
  /** Resolves after `quietMs` without an event, at once if that time has passed already, and after `maxWaitMs` at the latest. */
  wait(maxWaitMs: number): Promise<void>;
  /** Ends all waits; new ones end at once until the next event. */
  hurry(): void;
}

interface QuietOptions {
  readonly quietMs: number;
}

/** Builds a wait for quiet; it is quiet at first. */
export function makeQuiet({ quietMs }: QuietOptions): Quiet {
  let isQuiet = true;
  let timer: NodeJS.Timeout | undefined;
  const waiting = new Set<() => void>();
  const settle = (): void => {
    clearTimeout(timer);
    isQuiet = true;
    for (const end of waiting) end();
  };
  return {
    disturb() {
      isQuiet = false;
      clearTimeout(timer);
      timer = setTimeout(settle, quietMs);
    },
    wait(maxWaitMs) {
      if (isQuiet) return Promise.resolve();
      return new Promise((resolve) => {
        const end = (): void => {
          clearTimeout(limit);
          waiting.delete(end);
          resolve();
        };
        const limit = setTimeout(end, maxWaitMs);
        waiting.add(end);
      });
    },
    hurry: settle,
  };
}
