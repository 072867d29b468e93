import type { Readiness } from './health.ts';

interface ReadinessDeps {
  readonly readStore: () => Promise<{
    readonly reads: 'ok' | 'failed';
    readonly writes: 'ok' | 'failed';
  }>;
  readonly arePixelsWell: () => boolean;
  /** Aborts when the service shuts down. */
  readonly stopping: AbortSignal;
  /** Monotonic. */
  readonly nowMs: () => number;
  /** How long recent answers stay in use while the store does not respond. */
  readonly outageMs: number;
}

/** Watches whether the service can do its work. */
export function makeReadiness({ readStore, arePixelsWell, stopping, nowMs, outageMs }: ReadinessDeps) {
  let waiting: string | null = null;
  /** Since when the store cannot be read; null while it can. */
  let unreadableMs: number | null = null;
  return {
    /** What the service is waiting for, in words; null for nothing. */
    waitFor(what: string | null): void {
      waiting = what;
    },
    async read(): Promise<Readiness> {
      const { reads, writes } = await readStore();
      unreadableMs = reads === 'ok' ? null : (unreadableMs ?? nowMs());
      const pool = arePixelsWell() ? ('ok' as const) : ('failed' as const);
      const reason = stopping.aborted ? 'shutting down' : waiting;
      // Readers can go on: without this rule all nodes of a shared database would be taken out of service at once.
      const canRead = unreadableMs === null || nowMs() - unreadableMs < outageMs;
      const ready = canRead && pool === 'ok' && reason === null;
      const degraded = ready && (reads === 'failed' || writes === 'failed');
      return { ready, degraded, waiting: reason, checks: { store: reads, writes, pool } };
    },
  };
}
