/** A thread that never releases one resource of the cache, and so must be killed while it holds it. */
import { threadId, workerData } from 'node:worker_threads';
import { joinBlockCache } from '../block-cache.ts';
import type { SharedHandle } from '../layout.ts';
import { toLayout } from '../layout.ts';
import { makeRegionLock, makeRegions } from '../regions.ts';
import { toKey } from './pattern-block.ts';

interface StuckOrder {
  readonly handle: SharedHandle;
  readonly holds: 'lock' | 'pin' | 'region' | 'claim';
  /** Set to 1 when it holds it. */
  readonly ready: Int32Array<SharedArrayBuffer>;
}

const { handle, holds, ready } = workerData as StuckOrder;

function hang(): never {
  Atomics.store(ready, 0, 1);
  Atomics.notify(ready, 0);
  for (;;);
}

const owner = threadId + 1;
const layout = toLayout(handle);
const cache = joinBlockCache(handle, threadId);
if (holds === 'claim') cache.claim(toKey(0), 1);
if (holds === 'pin') cache.withBlock(toKey(0), 1, hang);
if (holds === 'region') {
  const lock = makeRegionLock(layout, owner);
  lock.run(() => makeRegions(layout, owner).reserve(1));
}
if (holds === 'lock') {
  makeRegionLock(layout, owner).run(() => {
    makeRegions(layout, owner).reserve(1);
    hang();
  });
}
hang();
