/** A guess of what the line to an origin carries, from reads that were complete. */
export interface LineEstimate {
  /** Begins a read; the result is called when all its bytes are there. */
  begin(bytes: number): () => void;
  /** Bytes under way that keep the line full; 0 before anything is known. */
  readonly bytesUnderWay: number;
}

interface Sample {
  sinceMs: number;
  shortestMs: number;
  /** Bytes of all reads in a millisecond. */
  fastest: number;
}

/** What was measured counts for one to two of these. */
const EPOCH_MS = 5_000;
/** Twice the product, as BBR has it: answers come in bursts, and with less the line would be empty between them. */
const GAIN = 2;

const makeSample = (sinceMs: number): Sample => ({
  sinceMs,
  shortestMs: Number.POSITIVE_INFINITY,
  fastest: 0,
});

/**
 * Measures a line as TCP's BBR does: the fastest rate at which bytes arrived, all reads together, times the shortest time
 * that a read took.
 */
export function makeLineEstimate(nowMs: () => number): LineEstimate {
  let arrived = 0;
  let before = makeSample(nowMs());
  let current = before;
  return {
    begin(bytes) {
      const startedMs = nowMs();
      const arrivedBefore = arrived;
      return () => {
        const endMs = nowMs();
        arrived += bytes;
        if (endMs - current.sinceMs > EPOCH_MS) {
          before = current;
          current = makeSample(endMs);
        }
        // Clocks have steps of a tenth of a millisecond or more.
        const tookMs = Math.max(0.1, endMs - startedMs);
        current.shortestMs = Math.min(current.shortestMs, tookMs);
        current.fastest = Math.max(current.fastest, (arrived - arrivedBefore) / tookMs);
      };
    },
    get bytesUnderWay() {
      const fastest = Math.max(before.fastest, current.fastest);
      return fastest === 0 ? 0 : GAIN * fastest * Math.min(before.shortestMs, current.shortestMs);
    },
  };
}
