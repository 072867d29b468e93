import { makeSingleFlight } from '../../async/index.ts';
import type { BlockCache } from './block-cache.ts';
import type { BlockKey, FreshBlock, MaskedBlock, StoredBlock } from './cached-block.ts';

/** Which block is wanted, and how to read it when it is not cached. */
export interface BlockWish {
  readonly key: BlockKey;
  /** Rows from the top that are needed. */
  readonly rows: number;
  readonly signal: AbortSignal;
  /** False when it is not worth caching; a cached one is used all the same. */
  readonly isCached?: boolean;
  /** Only fills the cache: a block that is cached, or that another thread reads, is left alone. */
  readonly isHelp?: boolean;
  readonly read: (need: BlockNeed) => Promise<FreshBlock>;
}

/** The missing part of a block. */
export interface BlockNeed {
  /** Rows from the top that must be decoded afterwards. */
  readonly rows: number;
  /** Shows the cached part of the block, to copy it and continue from there; undefined when nothing is cached. */
  readonly withKnown: <Result>(use: (block: StoredBlock) => Result) => Result | undefined;
  readonly signal: AbortSignal;
}

/** Passes a block to `use`, which reads its arrays and retains none of them. */
export type UseBlock = (wish: BlockWish, use: (block: MaskedBlock) => void) => Promise<void>;

/** The callers that wait for one read in this thread, and the state of the block's memory. */
interface Audience {
  waiting: number;
  release: (() => void) | undefined;
}

/**
 * Reads blocks through the cache. Equal reads in flight are one read: within a thread by sharing its result, between
 * threads by waiting for the one that claimed it first. A failure reaches the callers that shared the read, and is not
 * cached.
 */
export function makeUseBlock(cache: BlockCache): UseBlock {
  /** Null when another thread has read the block meanwhile. */
  const flights = makeSingleFlight<FreshBlock | null>();
  const audiences = new Map<string, Audience>();

  async function readOrWait(wish: BlockWish, signal: AbortSignal, mayWait: boolean) {
    const { key, rows, read, isCached = true } = wish;
    if (!isCached) return read({ rows, withKnown: () => undefined, signal });
    const isClaimed = cache.claim(key, rows);
    if (!isClaimed && wish.isHelp) return null;
    if (!isClaimed && mayWait) {
      await cache.settled(key, signal);
      return null;
    }
    try {
      const block = await read({ rows, withKnown: (use) => cache.withBlock(key, 1, use), signal });
      cache.store(key, block);
      return block;
    } finally {
      if (isClaimed) cache.unclaim(key);
    }
  }

  function enter(name: string): Audience {
    const audience = audiences.get(name) ?? { waiting: 0, release: undefined };
    audience.waiting += 1;
    audiences.set(name, audience);
    return audience;
  }

  function leave(name: string, audience: Audience): void {
    audience.waiting -= 1;
    if (audience.waiting > 0) return;
    audiences.delete(name);
    audience.release?.();
  }

  return async (wish, use) => {
    const { key, rows, signal } = wish;
    const show = (block: MaskedBlock): true => {
      use(block);
      return true;
    };
    // Waiting once is enough: if there is still nothing then (the read failed, or the block was too large to cache),
    // this thread reads it.
    for (let mayWait = true; ; mayWait = false) {
      if (cache.withBlock(key, rows, show) === true) return;
      const name = `${key.file.join(' ')} ${key.level} ${key.number} ${rows}`;
      const audience = enter(name);
      try {
        const start = (shared: { signal: AbortSignal }) => readOrWait(wish, shared.signal, mayWait);
        const { value: block } = await flights.run({ key: name, signal, start });
        if (block === null && wish.isHelp) return;
        if (block === null) continue;
        // A result of an earlier read with the same name is left to the garbage collector.
        audience.release = block.release;
        use(block);
        return;
      } finally {
        leave(name, audience);
      }
    }
  };
}
