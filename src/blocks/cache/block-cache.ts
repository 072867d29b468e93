import type { BlockKey } from './block-key.ts';
import { hasKey, writeKey } from './block-key.ts';
import { CLAIM_PATIENCE_MS, makeClaims, releaseClaims } from './claims.ts';
import type { Counts } from './counters.ts';
import { makeCounters } from './counters.ts';
import { makeHints } from './hints.ts';
import type { SharedHandle } from './layout.ts';
import { HEADER_WORDS, KEY, makeHandle, READY, STATE, toLayout, USED } from './layout.ts';
import { makeRegionLock, releaseLock } from './lock.ts';
import { joinMembers, leaveMembers } from './members.ts';
import { countUsedPages, freeUnfinished, makeRegions, startRegions } from './regions.ts';
import type { KeptBlock } from './shape.ts';
import { measureBlock, readRowsReady, viewBlock, writeBlock } from './shape.ts';

/** What the cache holds and how it did. */
export interface BlockCacheStats extends Counts {
  readonly usedBytes: number;
  readonly budgetBytes: number;
}

/** The cache as the main thread sees it: it makes it, watches it, and cleans up after threads that were killed. */
export interface BlockCacheOwner {
  /** For `joinBlockCache` in each thread. */
  readonly handle: SharedHandle;
  /** Takes back all that a thread held; call it when the thread has exited, never before. */
  release(threadId: number): void;
  stats(): BlockCacheStats;
}

/** Decoded blocks that all threads share, as one of them sees them. */
export interface BlockCache {
  /**
   * Shows a block that has at least `rows` rows to `use`, and gives what that returns; undefined when there is none.
   * The arrays are good until `use` returns, and are read, never written.
   */
  withBlock<Result>(
    key: BlockKey,
    rows: number,
    use: (block: Required<KeptBlock>) => Result,
  ): Result | undefined;
  /** Copies a block that was just read into the cache, if there is room; one with more rows replaces one with fewer. */
  keep(key: BlockKey, block: KeptBlock): void;
  /** Says that this thread reads the block; false when another thread does, or just did. */
  claim(key: BlockKey, rows: number): boolean;
  unclaim(key: BlockKey): void;
  /** Resolves when the thread that reads the block is done, or takes too long to wait for. */
  settled(key: BlockKey, signal: AbortSignal): Promise<void>;
}

/** Reserves a cache of at most `budgetBytes`. */
export function makeBlockCache(budgetBytes: number): BlockCacheOwner {
  const handle = makeHandle(budgetBytes);
  const layout = toLayout(handle);
  const { read } = makeCounters(layout);
  startRegions(layout);
  return {
    handle,
    release(threadId) {
      const owner = toOwner(threadId);
      freeUnfinished(layout, owner);
      leaveMembers(layout, owner);
      releaseClaims(layout, owner);
      releaseLock(layout.words, owner);
    },
    stats: () => ({
      ...read(),
      usedBytes: countUsedPages(layout) * handle.pageBytes,
      budgetBytes: handle.pages * handle.pageBytes,
    }),
  };
}

/** Joins a thread to the cache; `threadId` is Node's. It waits at most `patienceMs` for a block that another one reads. */
export function joinBlockCache(
  handle: SharedHandle,
  threadId: number,
  patienceMs = CLAIM_PATIENCE_MS,
): BlockCache {
  const owner = toOwner(threadId);
  const layout = toLayout(handle);
  const { words, headersAt, pageBytes, pages } = layout;
  const hints = makeHints(layout);
  const claims = makeClaims(layout, owner, patienceMs);
  const lock = makeRegionLock(layout, owner);
  const members = joinMembers(layout, owner);
  const regions = makeRegions(layout, owner);
  const { count } = makeCounters(layout);
  const headerOf = (page: number): number => headersAt + page * HEADER_WORDS;

  /** Finds and pins a block. */
  function pin(key: BlockKey, rows: number): number | null {
    return hints.find(key, (page) => {
      if (!members.pin(page)) return false;
      if (hasKey(words, headerOf(page) + KEY, key) && readRowsReady(layout, page) >= rows) return true;
      members.unpin();
      return false;
    });
  }

  function reserve(key: BlockKey, count: number) {
    // A block with fewer rows, of no use beside this one.
    const old = hints.find(key, () => true);
    if (old !== null && hasKey(words, headerOf(old) + KEY, key)) regions.tryEvict(old);
    return regions.reserve(count);
  }

  return {
    withBlock(key, rows, use) {
      const page = pin(key, rows);
      if (page === null) return undefined;
      try {
        words[headerOf(page) + USED] = 1;
        count('hits');
        return use(viewBlock(layout, page));
      } finally {
        members.unpin();
      }
    },

    keep(key, kept) {
      count('misses');
      const bytes = measureBlock(kept);
      const rows = kept.rowsReady ?? kept.block.height;
      const needed = bytes === null ? Number.POSITIVE_INFINITY : Math.max(1, Math.ceil(bytes / pageBytes));
      if (needed > pages) return count('refused');
      if (pin(key, rows) !== null) return members.unpin();
      const room = lock.run(() => reserve(key, needed));
      if (room === undefined || room === null) return count('refused');
      writeKey(words, headerOf(room.page) + KEY, key);
      words[headerOf(room.page) + USED] = 0;
      writeBlock(layout, room.page, kept);
      Atomics.store(words, headerOf(room.page) + STATE, READY);
      hints.add(key, room.page);
      count('evicted', room.evicted);
    },

    claim(key, rows) {
      // Where nothing is kept there is nothing to wait for.
      if (pages === 0) return true;
      if (!claims.take(key)) return false;
      // It may have come between the look and the claim.
      if (pin(key, rows) === null) return true;
      members.unpin();
      claims.release(key);
      return false;
    },
    unclaim: claims.release,
    settled: claims.settled,
  };
}

/** The main thread is 0 for Node, and 0 in shared memory means nobody. */
const toOwner = (threadId: number): number => threadId + 1;
