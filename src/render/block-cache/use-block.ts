import { makePixels } from '../../raster/index.ts';
import { makeSingleFlight } from '../pool/index.ts';
import type { BlockCache } from './block-cache.ts';
import type { BlockKey } from './block-key.ts';
import type { KeptBlock, MaskedBlock } from './shape.ts';

/** Which block is wanted, and how to get it when nobody has it. */
export interface BlockWish {
  readonly key: BlockKey;
  /** Rows from the top that are needed. */
  readonly rows: number;
  readonly signal: AbortSignal;
  readonly read: (need: BlockNeed) => Promise<KeptBlock>;
}

/** What is missing of a block. */
export interface BlockNeed {
  /** Rows from the top that must be there afterwards. */
  readonly rows: number;
  /** What the cache has of it, in memory of its own, to go on from; null when nothing. */
  readonly known: Required<KeptBlock> | null;
  readonly signal: AbortSignal;
}

/** Shows a block to `use`, which reads its arrays and keeps none of them. */
export type UseBlock = (wish: BlockWish, use: (block: MaskedBlock) => void) => Promise<void>;

/**
 * Blocks by way of the cache. Equal reads in flight are one read: in a thread by sharing its result, between threads by
 * waiting for the one that claimed it first. A failure reaches those who shared the read, and is then forgotten.
 */
export function makeUseBlock(cache: BlockCache): UseBlock {
  /** Null when another thread has read the block meanwhile. */
  const flights = makeSingleFlight<MaskedBlock | null>();

  async function readOrWait({ key, rows, read }: BlockWish, signal: AbortSignal, mayWait: boolean) {
    const isClaimed = cache.claim(key, rows);
    if (!isClaimed && mayWait) {
      await cache.settled(key, signal);
      return null;
    }
    try {
      const known = cache.withBlock(key, 1, copyRows) ?? null;
      const block = await read({ rows, known, signal });
      cache.keep(key, block);
      return block;
    } finally {
      if (isClaimed) cache.unclaim(key);
    }
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
      const block = await flights.run({
        key: `${key.file.join(' ')} ${key.level} ${key.number} ${rows}`,
        signal,
        start: (shared) => readOrWait(wish, shared.signal, mayWait),
      });
      if (block === null) continue;
      use(block);
      return;
    }
  };
}

/** A block that is not whole, with its rows in memory that may be written: those of the cache are read by others. */
function copyRows(kept: Required<KeptBlock>): Required<KeptBlock> {
  const { block, rowsReady } = kept;
  const pixels = makePixels(block.type, block.pixels.length);
  const samples = rowsReady * block.width * block.bandCount;
  pixels.set(block.pixels.subarray(0, samples));
  return { ...kept, block: { ...block, pixels }, mask: null };
}
