/** How long the answers of one origin took lately. */
export interface Latencies {
  note(durationMs: number): void;
  /** After how long an answer is later than nearly all others; null while too few are known. */
  lateAfterMs(): number | null;
}

interface LatencyOptions {
  /** Answers remembered. */
  readonly count: number;
  /** Fewer say nothing about what is late. */
  readonly minCount: number;
  /** The share of answers that come in time. */
  readonly percentile: number;
  /** Never less: a second request would not be faster than the first. */
  readonly minMs: number;
}

/** Builds the memory of the last answers of an origin. */
export function makeLatencies({ count, minCount, percentile, minMs }: LatencyOptions): Latencies {
  const last: number[] = [];
  let next = 0;
  let known: number | null = null;
  return {
    note(durationMs) {
      last[next] = durationMs;
      next = (next + 1) % count;
      known = null;
    },
    lateAfterMs() {
      if (last.length < minCount) return null;
      // Sorted once for many reads: some hundred numbers take microseconds.
      known ??= last.toSorted((a, b) => a - b)[Math.floor(percentile * (last.length - 1))] ?? 0;
      return Math.max(minMs, known);
    },
  };
}
