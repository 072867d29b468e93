/** Tells when nothing has happened for a while. */
interface Quiet {
  /** Something happens. */
  disturb(): void;
  /** Resolves once nothing has happened for `quietMs`, at once if that was so before, and after `maxWaitMs` anyway. */
  wait(): Promise<void>;
  /** Ends all waiting until something happens again. */
  hurry(): void;
}

interface QuietOptions {
  readonly quietMs: number;
  readonly maxWaitMs: number;
}

/** Builds one. */
export function makeQuiet({ quietMs, maxWaitMs }: QuietOptions): Quiet {
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
    wait() {
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
