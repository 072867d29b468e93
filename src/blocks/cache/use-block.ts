import { makeSingleFlight } from '../../pool/index.ts';
import type { BlockCache } from './block-cache.ts';
import type { BlockKey } from './block-key.ts';
import type { FreshBlock, KeptBlock, MaskedBlock } from './shape.ts';

/** Which block is wanted, and how to get it when nobody has it. */
export interface BlockWish {
  readonly key: BlockKey;
  /** Rows from the top that are needed. */
  readonly rows: number;
  readonly signal: AbortSignal;
  readonly read: (need: BlockNeed) => Promise<FreshBlock>;
}

/** What is missing of a block. */
export interface BlockNeed {
  /** Rows from the top that must be there afterwards. */
  readonly rows: number;
  /** Shows what the cache has of the block, to copy it and go on from there; undefined when it has nothing. */
  readonly withKnown: <Result>(use: (block: Required<KeptBlock>) => Result) => Result | undefined;
  readonly signal: AbortSignal;
}

/** Shows a block to `use`, which reads its arrays and keeps none of them. */
export type UseBlock = (wish: BlockWish, use: (block: MaskedBlock) => void) => Promise<void>;

/** Those who wait for one read in this thread, and what the block's memory waits for. */
interface Audience {
  waiting: number;
  release: (() => void) | undefined;
}

/**
 * Blocks by way of the cache. Equal reads in flight are one read: in a thread by sharing its result, between threads by
 * waiting for the one that claimed it first. A failure reaches those who shared the read, and is then forgotten.
 */
export function makeUseBlock(cache: BlockCache): UseBlock {
  /** Null when another thread has read the block meanwhile. */
  const flights = makeSingleFlight<FreshBlock | null>();
  const audiences = new Map<string, Audience>();

  async function readOrWait({ key, rows, read }: BlockWish, signal: AbortSignal, mayWait: boolean) {
    const isClaimed = cache.claim(key, rows);
    if (!isClaimed && mayWait) {
      await cache.settled(key, signal);
      return null;
    }
    try {
      const block = await read({ rows, withKnown: (use) => cache.withBlock(key, 1, use), signal });
      cache.keep(key, block);
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
    // Waiting once is enough: who finds nothing then (it failed, or was too large to keep) reads it.
    for (let mayWait = true; ; mayWait = false) {
      if (cache.withBlock(key, rows, show) === true) return;
      const name = `${key.file.join(' ')} ${key.level} ${key.number} ${rows}`;
      const audience = enter(name);
      try {
        const start = (shared: { signal: AbortSignal }) => readOrWait(wish, shared.signal, mayWait);
        const { value: block } = await flights.run({ key: name, signal, start });
        if (block === null) continue;
        // One that came from an earlier read of the same name is left to the garbage collector.
        audience.release = block.release;
        use(block);
        return;
      } finally {
        leave(name, audience);
      }
    }
  };
}
