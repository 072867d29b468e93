import { setTimeout as sleep } from 'node:timers/promises';
import type { BlockKey, CachedBlock, StoredBlock } from './cached-block.ts';
import {
  hashKey,
  hasKey,
  joinMembers,
  leaveMembers,
  measureBlock,
  readKey,
  readRowsReady,
  viewBlock,
  writeBlock,
  writeKey,
} from './cached-block.ts';
import type { Layout, SharedHandle } from './layout.ts';
import {
  CLAIM_WORDS,
  COUNTS,
  HEADER_WORDS,
  HINT_WAYS,
  KEY,
  makeHandle,
  READY,
  STATE,
  toLayout,
  USED,
} from './layout.ts';
import {
  countUsedPages,
  freeUnfinished,
  makeRegionLock,
  makeRegions,
  releaseLock,
  startRegions,
} from './regions.ts';

/** The contents and counters of the cache. */
interface BlockCacheStats extends Counts {
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
  withBlock<Result>(key: BlockKey, rows: number, use: (block: StoredBlock) => Result): Result | undefined;
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

/**
 * Which thread reads which block right now, so that two threads do not read the same one at once. Claims are advisory:
 * two blocks may share a word, and a thread that has waited long enough reads the block itself.
 */
interface Claims {
  /** Claims the block for this thread; false when another thread has it. */
  take(key: BlockKey): boolean;
  release(key: BlockKey): void;
  /** Resolves when the other thread is done with the block, or has held it for too long. */
  settled(key: BlockKey, signal: AbortSignal): Promise<void>;
}

/** How often a waiting thread checks: a block takes several milliseconds to read. */
const LOOK_MS = 1;
/** How long a thread waits by default: a remote file may be slow to answer, and a second request would not be faster. */
const CLAIM_PATIENCE_MS = 1_000;

/** The claims as one thread sees them. */
function makeClaims({ words, claimsAt }: Layout, owner: number, patienceMs: number): Claims {
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
function releaseClaims({ words, claimsAt }: Layout, owner: number): void {
  for (let i = 0; i < CLAIM_WORDS; i += 1) Atomics.compareExchange(words, claimsAt + i, owner, 0);
}

const names = ['hits', 'misses', 'evicted', 'refused'] as const;

type CounterName = (typeof names)[number];

/** Counts of all threads since the start. */
type Counts = Readonly<Record<CounterName, number>>;

/** Adds to the counts of all threads. */
type Count = (name: CounterName, by?: number) => void;

/** Counters in shared memory, in 64 bits: a busy server passes 2³¹ hits within weeks. */
function makeCounters({ memory }: Layout): { readonly count: Count; readonly read: () => Counts } {
  const cells = new BigInt64Array(memory, COUNTS * 4, names.length);
  return {
    count(name, by = 1) {
      if (by > 0) Atomics.add(cells, names.indexOf(name), BigInt(by));
    },
    read: () =>
      Object.fromEntries(names.map((name, i) => [name, Number(Atomics.load(cells, i))])) as Record<
        CounterName,
        number
      >,
  };
}

/**
 * Where blocks may be found. These are only hints: the header of a region is the truth, so a hint may be stale or lost
 * without harm, and threads write them without a lock.
 */
interface Hints {
  /** The first page where the block seems to begin and that `accept`, which checks it under a pin, confirms. */
  find(key: BlockKey, accept: (page: number) => boolean): number | null;
  /** Notes where a block begins, replacing an older hint for it. */
  add(key: BlockKey, page: number): void;
}

/** The hints as one thread sees them. */
function makeHints({ words, hintsAt, hintBuckets, headersAt }: Layout): Hints {
  const bucketOf = (key: BlockKey): number => hintsAt + (hashKey(key) & (hintBuckets - 1)) * HINT_WAYS;
  const headerOf = (page: number): number => headersAt + page * HEADER_WORDS;
  /** Which hint of a full bucket is replaced; each in turn. */
  let turn = 0;

  /** A check without a pin: good enough to skip other blocks. */
  const seems = (page: number, key: BlockKey): boolean =>
    words[headerOf(page) + STATE] === READY && hasKey(words, headerOf(page) + KEY, key);

  function isStale(page: number, bucket: number): boolean {
    const header = headerOf(page);
    return words[header + STATE] !== READY || bucketOf(readKey(words, header + KEY)) !== bucket;
  }

  function chooseWay(bucket: number, key: BlockKey): number {
    let way: number | null = null;
    for (let i = 0; i < HINT_WAYS; i += 1) {
      const page = words[bucket + i]! - 1;
      if (page >= 0 && seems(page, key)) return i;
      if (way === null && (page < 0 || isStale(page, bucket))) way = i;
    }
    turn = (turn + 1) % HINT_WAYS;
    return way ?? turn;
  }

  return {
    find(key, accept) {
      const bucket = bucketOf(key);
      for (let i = 0; i < HINT_WAYS; i += 1) {
        const page = words[bucket + i]! - 1;
        if (page >= 0 && seems(page, key) && accept(page)) return page;
      }
      return null;
    },
    add(key, page) {
      const bucket = bucketOf(key);
      Atomics.store(words, bucket + chooseWay(bucket, key), page + 1);
    },
  };
}
