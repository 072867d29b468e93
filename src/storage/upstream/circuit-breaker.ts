/** How a call ended, as far as the health of the other side is concerned. */
export type CallOutcome = 'well' | 'failed' | 'unknown';

/** Stops calling a store that only fails, and tries it again with one call at a time. */
export interface CircuitBreaker {
  /** Null while the store rests; otherwise the call may start, and says how it ended. */
  admit(): ((outcome: CallOutcome) => void) | null;
}

interface BreakerOptions {
  /** Failures in a row that open the circuit. */
  readonly failures: number;
  /** How long the store rests before one call tries it again. */
  readonly restMs: number;
  readonly nowMs: () => number;
}

/** Builds a breaker: closed, open after many failures in a row, half-open for one probe after a rest. */
export function makeCircuitBreaker({ failures, restMs, nowMs }: BreakerOptions): CircuitBreaker {
  let failedInARow = 0;
  let restUntilMs = 0;
  let probing = false;

  return {
    admit() {
      const isOpen = failedInARow >= failures;
      if (isOpen && (probing || nowMs() < restUntilMs)) return null;
      if (isOpen) probing = true;
      return (outcome) => {
        if (isOpen) probing = false;
        if (outcome === 'well') failedInARow = 0;
        // A late failure of a call that started before the circuit opened must not make the rest longer.
        else if (outcome === 'failed' && (isOpen || failedInARow < failures)) {
          failedInARow += 1;
          if (failedInARow >= failures) restUntilMs = nowMs() + restMs;
        }
      };
    },
  };
}
