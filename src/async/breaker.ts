/** What the end of a call says about the health of the server. */
export type CallOutcome = 'well' | 'failed' | 'unknown';

/** A circuit breaker: pauses calls to a server that only fails, or that asked for a pause. */
export interface Breaker {
  /** Null while calls are paused; otherwise the call may start, and reports how it ended. */
  admit(): ((outcome: CallOutcome) => void) | null;
  /** Pauses calls for as long as the server asked; never shortens a pause. */
  pause(durationMs: number): void;
  /** How long calls are still paused; 0 if they are not. */
  pausedMs(): number;
}

interface BreakerOptions {
  /** Failures in a row that open the circuit. */
  readonly failures: number;
  /** How long calls are paused when the circuit opens. */
  readonly pauseMs: number;
  /** Upper bound of a pause that a server asks for. */
  readonly maxPauseMs?: number;
  /** What follows the pause: one probe at a time until one succeeds (the default), or a closed circuit. */
  readonly afterPause?: 'probe' | 'closed';
  readonly nowMs: () => number;
}

/** Builds a breaker with a closed circuit. */
export function makeBreaker({
  failures,
  pauseMs,
  maxPauseMs = Infinity,
  afterPause = 'probe',
  nowMs,
}: BreakerOptions): Breaker {
  let failedInARow = 0;
  let openUntilMs = -Infinity;
  let askedUntilMs = -Infinity;
  let probing = false;

  const isOpen = (): boolean => failedInARow >= failures;
  const pausedMs = (): number =>
    Math.max(0, askedUntilMs - nowMs(), isOpen() ? openUntilMs - nowMs() : -Infinity);

  return {
    pausedMs,
    pause(durationMs) {
      askedUntilMs = Math.max(askedUntilMs, nowMs() + Math.min(durationMs, maxPauseMs));
    },
    admit() {
      if (pausedMs() > 0) return null;
      if (afterPause === 'closed' && isOpen()) failedInARow = 0;
      const isProbe = isOpen();
      if (isProbe && probing) return null;
      if (isProbe) probing = true;
      return (outcome) => {
        if (isProbe) probing = false;
        if (outcome === 'well') failedInARow = 0;
        // A late failure of a call that started before the circuit opened must not make the pause longer.
        else if (outcome === 'failed' && (isProbe || !isOpen())) {
          failedInARow += 1;
          if (isOpen()) openUntilMs = nowMs() + pauseMs;
        }
      };
    },
  };
}
