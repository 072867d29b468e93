import type { Layout } from './layout.ts';
import { LOCK } from './layout.ts';

/**
 * The lock on the order of regions, held for microseconds. It names its holder, so that the main thread can open it
 * when the holder was killed; until then, and whenever it takes long, the others work without the cache.
 */
export interface RegionLock {
  /** Runs `work` exclusively, or returns undefined when the lock did not become free in time. */
  run<Result>(work: () => Result): Result | undefined;
}

/** Attempts before a thread goes to sleep: about as long as a running holder needs. */
const SPINS = 200;
/** A holder may have lost its core to another thread; reading the block again costs about as much as this wait. */
const PATIENCE_MS = 5;

/** The lock as one thread uses it. */
export function makeRegionLock({ words }: Layout, owner: number): RegionLock {
  const tryTake = (): boolean => Atomics.compareExchange(words, LOCK, 0, owner) === 0;

  function take(): boolean {
    for (let i = 0; i < SPINS; i += 1) if (tryTake()) return true;
    const deadlineMs = performance.now() + PATIENCE_MS;
    while (performance.now() < deadlineMs) {
      const holder = Atomics.load(words, LOCK);
      if (holder !== 0) Atomics.wait(words, LOCK, holder, 1);
      if (tryTake()) return true;
    }
    return false;
  }

  return {
    run(work) {
      if (!take()) return undefined;
      try {
        return work();
      } finally {
        releaseLock(words, owner);
      }
    },
  };
}

/** Opens the lock if `owner` holds it. */
export function releaseLock(words: Int32Array<SharedArrayBuffer>, owner: number): void {
  if (Atomics.compareExchange(words, LOCK, owner, 0) === owner) Atomics.notify(words, LOCK, 1);
}
