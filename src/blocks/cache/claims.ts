import { setTimeout as sleep } from 'node:timers/promises';
import type { BlockKey } from './block-key.ts';
import { hashKey } from './block-key.ts';
import type { Layout } from './layout.ts';
import { CLAIM_WORDS } from './layout.ts';

/**
 * Which thread reads which block right now, so that two threads do not read the same one at once. Claims are advisory:
 * two blocks may share a word, and a thread that has waited long enough reads the block itself.
 */
export interface Claims {
  /** Claims the block for this thread; false when another thread has it. */
  take(key: BlockKey): boolean;
  release(key: BlockKey): void;
  /** Resolves when the other thread is done with the block, or has held it for too long. */
  settled(key: BlockKey, signal: AbortSignal): Promise<void>;
}

/** How often a waiting thread checks: a block takes several milliseconds to read. */
const LOOK_MS = 1;
/** How long a thread waits by default: a remote file may be slow to answer, and a second request would not be faster. */
export const CLAIM_PATIENCE_MS = 1_000;

/** The claims as one thread sees them. */
export function makeClaims({ words, claimsAt }: Layout, owner: number, patienceMs: number): Claims {
  const at = (key: BlockKey): number => claimsAt + (hashKey(key) % CLAIM_WORDS);
  return {
    take(key) {
      const holder = Atomics.compareExchange(words, at(key), 0, owner);
      return holder === 0 || holder === owner;
    },
    release(key) {
      Atomics.compareExchange(words, at(key), owner, 0);
    },
    async settled(key, signal) {
      const deadlineMs = performance.now() + patienceMs;
      const holder = Atomics.load(words, at(key));
      while (Atomics.load(words, at(key)) === holder && holder !== 0 && performance.now() < deadlineMs) {
        await sleep(LOOK_MS);
        signal.throwIfAborted();
      }
    },
  };
}

/** Releases all claims of a thread that has exited. */
export function releaseClaims({ words, claimsAt }: Layout, owner: number): void {
  for (let i = 0; i < CLAIM_WORDS; i += 1) Atomics.compareExchange(words, claimsAt + i, owner, 0);
}
