import type { BlockKey } from './block-key.ts';
import { hasKey, writeKey } from './block-key.ts';
import type { CachedBlock } from './cached-block.ts';
import { measureBlock, readRowsReady, viewBlock, writeBlock } from './cached-block.ts';
import { CLAIM_PATIENCE_MS, makeClaims, releaseClaims } from './claims.ts';
import type { Counts } from './counters.ts';
import { makeCounters } from './counters.ts';
import { makeHints } from './hints.ts';
import type { SharedHandle } from './layout.ts';
import { HEADER_WORDS, KEY, makeHandle, READY, STATE, toLayout, USED } from './layout.ts';
import { makeRegionLock, releaseLock } from './lock.ts';
import { joinMembers, leaveMembers } from './members.ts';
import { countUsedPages, freeUnfinished, makeRegions, startRegions } from './regions.ts';

/** The contents and counters of the cache. */
export interface BlockCacheStats extends Counts {
  readonly usedBytes: number;
  readonly budgetBytes: number;
}

/** The cache as the main thread sees it: it creates and monitors it, and cleans up after threads that were killed. */
export interface BlockCacheOwner {
  /** For `joinBlockCache` in each thread. */
  readonly handle: SharedHandle;
  /** Releases everything a thread held; call it when the thread has exited, never before. */
  release(threadId: number): void;
  stats(): BlockCacheStats;
}

/** Decoded blocks that all threads share, as one of them sees them. */
export interface BlockCache {
  /**
   * Passes a block with at least `rows` rows to `use` and returns its result; undefined when there is none. The arrays
   * are valid until `use` returns; they may be read, never written.
   */
  withBlock<Result>(
    key: BlockKey,
    rows: number,
    use: (block: Required<CachedBlock>) => Result,
  ): Result | undefined;
  /** Whether a block with at least `rows` rows is here now; does not count as a use. */
  has(key: BlockKey, rows: number): boolean;
  /** Copies a block that was just read into the cache, if there is room; one with more rows replaces one with fewer. */
  store(key: BlockKey, block: CachedBlock): void;
  /** Claims the reading of a block for this thread; false when another thread has claimed it, or just has read it. */
  claim(key: BlockKey, rows: number): boolean;
  unclaim(key: BlockKey): void;
  /** Resolves when the thread that reads the block is done, or takes too long. */
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
    // A block with fewer rows, now useless.
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

    has(key, rows) {
      if (pin(key, rows) === null) return false;
      members.unpin();
      return true;
    },

    store(key, cached) {
      count('misses');
      const bytes = measureBlock(cached);
      const rows = cached.rowsReady ?? cached.block.height;
      const needed = bytes === null ? Number.POSITIVE_INFINITY : Math.max(1, Math.ceil(bytes / pageBytes));
      if (needed > pages) return count('refused');
      if (pin(key, rows) !== null) return members.unpin();
      const room = lock.run(() => reserve(key, needed));
      if (room === undefined || room === null) return count('refused');
      writeKey(words, headerOf(room.page) + KEY, key);
      words[headerOf(room.page) + USED] = 0;
      writeBlock(layout, room.page, cached);
      Atomics.store(words, headerOf(room.page) + STATE, READY);
      hints.add(key, room.page);
      count('evicted', room.evicted);
    },

    claim(key, rows) {
      // A cache that stores nothing has nothing to wait for.
      if (pages === 0) return true;
      if (!claims.take(key)) return false;
      // It may have been stored between the lookup and the claim.
      if (pin(key, rows) === null) return true;
      members.unpin();
      claims.release(key);
      return false;
    },
    unclaim: claims.release,
    settled: claims.settled,
  };
}

/** The main thread is 0 for Node, and 0 in shared memory means no thread. */
const toOwner = (threadId: number): number => threadId + 1;
