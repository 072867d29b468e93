/** A thread of the stress test: reads and keeps blocks as fast as it can, and looks at every sample it reads. */
import { threadId, workerData } from 'node:worker_threads';
import type { SharedHandle } from '../index.ts';
import { joinBlockCache } from '../index.ts';
import { isPatternBlock, makePatternBlock, toKey } from './pattern-block.ts';

/** Words that the threads of a stress test share, as in the test. */
const [STOP, READS, TORN, KEPT] = [0, 1, 2, 3] as const;

interface StressOrder {
  readonly handle: SharedHandle;
  readonly tally: Int32Array<SharedArrayBuffer>;
  /** Samples of each block. */
  readonly sizes: readonly number[];
}

const { handle, tally, sizes } = workerData as StressOrder;
const cache = joinBlockCache(handle, threadId);
const blocks = sizes.map((samples, number) => makePatternBlock(number, samples));

while (Atomics.load(tally, STOP) === 0) {
  // Small numbers more often, so that some blocks stay and others come and go.
  const number = Math.floor(Math.random() ** 2 * blocks.length);
  const isRight = cache.withBlock(toKey(number), 1, (block) => isPatternBlock(number, block));
  if (isRight === undefined) {
    cache.keep(toKey(number), blocks[number]!);
    Atomics.add(tally, KEPT, 1);
  } else {
    Atomics.add(tally, isRight ? READS : TORN, 1);
  }
}
