import type { BlockCache, StoredBlock } from '../../src/blocks/index.ts';
import { makeLru } from '../../src/lru.ts';

/** The cache that the shared one is measured against: one for each thread, the least recently used go first. */
export function makePrivateCache(
  budgetBytes: number,
  counters: BigInt64Array<SharedArrayBuffer>,
): BlockCache {
  const blocks = makeLru<StoredBlock>({ max: budgetBytes });
  const nameOf = ({ file, level, number }: Parameters<BlockCache['withBlock']>[0]): string =>
    `${file.join(' ')} ${level} ${number}`;
  return {
    withBlock(key, _rows, use) {
      const known = blocks.get(nameOf(key));
      if (known === undefined) return undefined;
      Atomics.add(counters, 0, 1n);
      return use(known);
    },
    store(key, { block, mask }) {
      Atomics.add(counters, 1, 1n);
      const bytes = block.pixels.byteLength + (mask?.byteLength ?? 0);
      blocks.set(nameOf(key), { block, mask, rowsReady: block.height, resume: [0, 0, 0, 0] }, bytes);
    },
    claim: () => true,
    unclaim: () => {},
    has: () => false,
    settled: async () => {},
  };
}
