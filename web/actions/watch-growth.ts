/** Keeps the list up to date while the catalogue grows: a demo that is still being made, or an ingest that runs. */
import type { Store } from '../state/store.ts';
import type { ViewerState } from '../state/viewer-state.ts';

interface GrowthParts {
  readonly store: Store<ViewerState>;
  /** Brings the list up to date; true if it had changed. */
  readonly refreshList: () => Promise<boolean>;
  /** Loads everything again, for a catalogue that was empty. */
  readonly start: () => Promise<void>;
  /** A scene was added or removed: datasets may have changed. */
  readonly onGrowth: () => Promise<void>;
  readonly sleep: (ms: number) => Promise<void>;
  /** Waits while the tab is hidden: it asks for nothing. */
  readonly whenVisible: () => Promise<void>;
  readonly signal: AbortSignal;
}

/** A scene of the demo takes seconds. A catalogue that stands still is asked less and less often. */
const FIRST_MS = 5000;
const MAX_MS = 60_000;

/** Watches until the signal is used. */
export const watchGrowth = async (parts: GrowthParts): Promise<void> => {
  const { store, refreshList, start, onGrowth, sleep, whenVisible, signal } = parts;
  for (let pauseMs = FIRST_MS; ; ) {
    await sleep(pauseMs);
    await whenVisible();
    if (signal.aborted) return;
    const { phase } = store.read();
    let hasGrown = false;
    // A request that fails is made again after a longer pause; what the user asks for reports its own failures.
    if (phase.kind === 'ready' || phase.kind === 'empty') hasGrown = await refreshList().catch(() => false);
    if (hasGrown && phase.kind === 'empty') await start();
    else if (hasGrown) await onGrowth().catch(() => undefined);
    // One that is about to be filled is worth asking often.
    const isStanding = phase.kind === 'ready' && !hasGrown;
    pauseMs = isStanding ? Math.min(MAX_MS, pauseMs * 2) : FIRST_MS;
  }
};
