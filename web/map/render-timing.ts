/** How long tiles took, from the browser's own measurements of its requests. */

/** `total` in a `Server-Timing` header is the server's own time; without it the whole request counts. */
const toDurationMs = (entry: PerformanceResourceTiming): number =>
  entry.serverTiming.find(({ name }) => name === 'total')?.duration ?? entry.duration;

/** Watches tile requests; `onChange` gets the durations since the last `reset`. */
export const watchRenderTiming = (onChange: (durationsMs: readonly number[]) => void): { reset(): void } => {
  let durationsMs: number[] = [];
  let sinceMs = 0;
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as PerformanceResourceTiming[]) {
      const isTile =
        /\/api\/(?:render|mosaic)\/(?!legend\/|terrain\/|sources\/|point\/|\w+\/(?:thumb|point|ir|parse_vb)\/)/.test(
          new URL(entry.name).pathname,
        );
      if (isTile && entry.startTime >= sinceMs && entry.responseStatus === 200)
        durationsMs.push(toDurationMs(entry));
    }
    onChange(durationsMs);
  });
  observer.observe({ type: 'resource' });
  return {
    reset() {
      durationsMs = [];
      sinceMs = performance.now();
      onChange(durationsMs);
    },
  };
};
