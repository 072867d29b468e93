import { isPinned } from './cached-block.ts';
import type { Layout } from './layout.ts';
import {
  FREE,
  HAND,
  HEADER_WORDS,
  LEAVING,
  LOCK,
  OWNER,
  PAGES,
  READY,
  STATE,
  USED,
  WRITING,
} from './layout.ts';

/**
 * The pages as one row of regions, each beginning where the previous one ends. A hand goes round and makes room where
 * it stands, sparing once each block that was used since its last visit (the "clock" algorithm). Adjacent regions that
 * it frees are joined, so blocks of all sizes share the memory without size classes.
 *
 * A thread can be killed between any two steps, so each step leaves a row that can be walked: a region is joined or cut
 * by one store, and its description (owner, key, block) is valid only through its state.
 */
interface Regions {
  /** Makes room for `count` pages and leaves it in state WRITING; null when too much is in use. Only under the lock. */
  reserve(count: number): { readonly page: number; readonly evicted: number } | null;
  /** Frees a ready region; false when a thread reads it. Only under the lock. */
  tryEvict(page: number): boolean;
}

/** Starts with a row of one free region. */
export function startRegions({ words, headersAt, pages }: Layout): void {
  if (pages > 0) words[headersAt + PAGES] = pages;
}

/** The regions as one thread sees them. */
export function makeRegions(layout: Layout, owner: number): Regions {
  const { words, headersAt, pages } = layout;
  const at = (page: number): number => headersAt + page * HEADER_WORDS;

  /** Rounds after which nothing more becomes free: the first one clears the marks of use. */
  const maxWalk = 3 * pages;

  function tryEvict(page: number): boolean {
    Atomics.store(words, at(page) + STATE, LEAVING);
    const isFree = !isPinned(layout, page);
    Atomics.store(words, at(page) + STATE, isFree ? FREE : READY);
    return isFree;
  }

  /** Whether the hand may take it; a region that was used since the last visit loses its mark instead. */
  function canTake(page: number): boolean {
    const state = Atomics.load(words, at(page) + STATE);
    if (state === FREE) return true;
    if (state === WRITING || isPinned(layout, page)) return false;
    // Left by a thread that was killed while it checked for readers.
    if (state === LEAVING) return true;
    if (words[at(page) + USED] === 0) return true;
    words[at(page) + USED] = 0;
    return false;
  }

  /** Frees a run of regions and counts those that held a block; null when a reader arrived meanwhile. */
  function evictRun(from: number, to: number): number | null {
    let evicted = 0;
    for (let page = from; page < to; page += words[at(page) + PAGES]!) {
      if (Atomics.load(words, at(page) + STATE) === FREE) continue;
      if (!tryEvict(page)) return null;
      evicted += 1;
    }
    return evicted;
  }

  function claimRun(from: number, to: number, count: number): void {
    // The hand may point into the run; the first page always begins a region.
    Atomics.store(words, HAND, 0);
    Atomics.store(words, at(from) + PAGES, to - from);
    if (to - from > count) {
      Atomics.store(words, at(from + count) + PAGES, to - from - count);
      Atomics.store(words, at(from) + PAGES, count);
    }
    Atomics.store(words, at(from) + OWNER, owner);
    Atomics.store(words, at(from) + STATE, WRITING);
    Atomics.store(words, HAND, (from + count) % pages);
  }

  return {
    tryEvict,

    reserve(count) {
      if (count > pages) return null;
      let page = words[HAND]!;
      let from = page;
      for (let walked = 0; walked < maxWalk; ) {
        const size = words[at(page) + PAGES]!;
        walked += size;
        page += size;
        if (!canTake(page - size)) from = page;
        if (page - from >= count) {
          const evicted = evictRun(from, page);
          if (evicted !== null) {
            claimRun(from, page, count);
            return { page: from, evicted };
          }
          from = page;
        }
        if (page === pages) {
          page = 0;
          from = 0;
        }
      }
      return null;
    },
  };
}

/** Pages that hold blocks or are being filled; other threads may change them meanwhile, so it is an estimate. */
export function countUsedPages({ words, headersAt, pages }: Layout): number {
  let used = 0;
  for (let page = 0; page < pages; ) {
    const header = headersAt + page * HEADER_WORDS;
    const size = Math.max(1, words[header + PAGES]!);
    if (Atomics.load(words, header + STATE) !== FREE) used += size;
    page += size;
  }
  return used;
}

/** Frees regions that a thread had begun to fill before it exited. */
export function freeUnfinished({ words, headersAt, pages }: Layout, owner: number): void {
  for (let page = 0; page < pages; page += 1) {
    const header = headersAt + page * HEADER_WORDS;
    if (Atomics.load(words, header + STATE) === WRITING && words[header + OWNER] === owner) {
      Atomics.store(words, header + STATE, FREE);
    }
  }
}

/**
 * The lock on the order of regions, held for microseconds. It names its holder, so that the main thread can open it
 * when the holder was killed; until then, and whenever it takes long, the others work without the cache.
 */
interface RegionLock {
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
