import type { Readiness } from './http/index.ts';

interface ReadinessDeps {
  /** Throws or rejects when the store does not answer. */
  readonly pingStore: () => Promise<void> | void;
  readonly arePixelsWell: () => boolean;
  /** Aborted as soon as somebody wants an end. */
  readonly stopping: AbortSignal;
}

/** Watches whether the service can do its work. */
export function makeReadiness({ pingStore, arePixelsWell, stopping }: ReadinessDeps) {
  let waiting: string | null = null;
  return {
    /** What there is to wait for, in words; null for nothing. */
    waitFor(what: string | null): void {
      waiting = what;
    },
    async read(): Promise<Readiness> {
      const checks = {
        store: await check(pingStore),
        pool: arePixelsWell() ? ('ok' as const) : ('failed' as const),
      };
      const isWell = Object.values(checks).every((state) => state === 'ok');
      const reason = stopping.aborted ? 'shutting down' : waiting;
      return { ready: isWell && reason === null, waiting: reason, checks };
    },
  };
}

async function check(probe: () => Promise<void> | void): Promise<'ok' | 'failed'> {
  try {
    await probe();
    return 'ok';
  } catch {
    return 'failed';
  }
}
