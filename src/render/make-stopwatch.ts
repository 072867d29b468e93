/** Measures the stages of a job, one behind the other. */
export function makeStopwatch() {
  const lapsMs: Record<string, number> = {};
  let since = performance.now();
  return {
    lapsMs,
    lap(stage: string): void {
      const now = performance.now();
      lapsMs[stage] = now - since;
      since = now;
    },
  };
}
