/** A thread of the stress test: reads and stores blocks as fast as it can, and checks every sample it reads. */
import { threadId, workerData } from 'node:worker_threads';
import { joinBlockCache } from '../block-cache.ts';
import type { SharedHandle } from '../layout.ts';
import { isPatternBlock, makePatternBlock, toKey } from './pattern-block.ts';

/** Shared words of a stress test, as in the test. */
const [STOP, READS, TORN, STORED] = [0, 1, 2, 3] as const;

interface StressOrder {
  readonly handle: SharedHandle;
  readonly counters: Int32Array<SharedArrayBuffer>;
  /** Samples of each block. */
  readonly sizes: readonly number[];
}

const { handle, counters, sizes } = workerData as StressOrder;
const cache = joinBlockCache(handle, threadId);
const blocks = sizes.map((samples, number) => makePatternBlock(number, samples));

while (Atomics.load(counters, STOP) === 0) {
  // Small numbers more often, so that some blocks stay and others come and go.
  const number = Math.floor(Math.random() ** 2 * blocks.length);
  const isRight = cache.withBlock(toKey(number), 1, (block) => isPatternBlock(number, block));
  if (isRight === undefined) {
    cache.store(toKey(number), blocks[number]!);
    Atomics.add(counters, STORED, 1);
  } else {
    Atomics.add(counters, isRight ? READS : TORN, 1);
  }
}
