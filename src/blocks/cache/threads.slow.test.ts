import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { letTurnsPass } from '../../testing/let-turns-pass.ts';
import type { BlockCacheOwner } from './block-cache.ts';
import { joinBlockCache, makeBlockCache } from './block-cache.ts';
import type { Layout } from './layout.ts';
import { FREE, HAND, HEADER_WORDS, LEAVING, LOCK, PAGES, READY, STATE, toLayout } from './layout.ts';
import { isPatternBlock, makePatternBlock, toKey } from './testing/pattern-block.ts';

const MIB = 2 ** 20;
const [STOP, READS, TORN, STORED] = [0, 1, 2, 3] as const;

/** Blocks from a few bytes to 80 KiB, of which a cache of 1 MiB holds a third. */
const sizes = Array.from({ length: 60 }, (_, i) => 1 + ((i * 7_919) % 40_000));

/** A thread that ends with its test at the latest. */
function startThread(t: TestContext, script: string, { cache, ...order }: { cache: BlockCacheOwner }) {
  const workerData = { ...order, handle: cache.handle };
  const worker = new Worker(new URL(`./testing/${script}.ts`, import.meta.url), {
    workerData,
  });
  t.after(() => worker.terminate());
  const { threadId } = worker;
  const exited = new Promise<void>((resolve, reject) => {
    worker.on('error', reject);
    worker.on('exit', () => {
      cache.release(threadId);
      resolve();
    });
  });
  return { worker, exited };
}

/** The row of regions has no gap, and nothing is held when no thread is left. */
function checkAtRest(layout: Layout): void {
  const { words, headersAt, pages, pinsAt, ownersAt, claimsAt, hintsAt } = layout;
  assert.equal(words[LOCK], 0, 'the lock is open');
  assert.ok(
    words.subarray(ownersAt, pinsAt).every((owner) => owner === 0),
    'no member is left',
  );
  assert.ok(
    words.subarray(pinsAt, claimsAt).every((pin) => pin === 0),
    'nothing is pinned',
  );
  assert.ok(
    words.subarray(claimsAt, hintsAt).every((claim) => claim === 0),
    'nothing is claimed',
  );
  const starts = new Set<number>();
  let page = 0;
  while (page < pages) {
    starts.add(page);
    page += words[headersAt + page * HEADER_WORDS + PAGES]!;
  }
  assert.equal(page, pages, 'the regions fill the pages');
  assert.ok(starts.has(words[HAND]!), 'the hand points to the start of a region');
  for (let i = 0; i < pages; i += 1) {
    const state = words[headersAt + i * HEADER_WORDS + STATE]!;
    const isAllowed = state === FREE || (starts.has(i) && (state === READY || state === LEAVING));
    assert.ok(isAllowed, `page ${i} is in state ${state}`);
  }
}

test('threads that read, store and evict at once never see a torn block', async (t) => {
  const cache = makeBlockCache(MIB);
  const counters = new Int32Array(new SharedArrayBuffer(16));
  const order = { cache, counters, sizes };
  const threads = [1, 2, 3, 4].map(() => startThread(t, 'stress-worker', order));
  while (Atomics.load(counters, STORED) < 2_000 || Atomics.load(counters, READS) < 2_000) {
    await sleep(20);
    assert.ok(cache.stats().usedBytes <= cache.stats().budgetBytes);
  }
  Atomics.store(counters, STOP, 1);
  await Promise.all(threads.map(({ exited }) => exited));
  assert.equal(counters[TORN], 0);
  const { hits, misses, evicted } = cache.stats();
  assert.deepEqual([hits, misses], [counters[READS], counters[STORED]]);
  assert.ok(evicted > 0);
  checkAtRest(toLayout(cache.handle));
});

test('threads killed at any moment leave a cache that works', async (t) => {
  const cache = makeBlockCache(MIB);
  const counters = new Int32Array(new SharedArrayBuffer(16));
  const order = { cache, counters, sizes };
  for (let round = 0; round < 4; round += 1) {
    const threads = [1, 2, 3].map(() => startThread(t, 'stress-worker', order));
    const before = Atomics.load(counters, STORED);
    while (Atomics.load(counters, STORED) < before + 30) await sleep(1);
    for (const { worker, exited } of threads) {
      await sleep(Math.random() * 4);
      void worker.terminate();
      await exited;
    }
    checkAtRest(toLayout(cache.handle));
  }
  assert.equal(counters[TORN], 0);
  const mine = joinBlockCache(cache.handle, 0);
  for (const [number, samples] of sizes.entries()) {
    mine.store(toKey(number), makePatternBlock(number, samples));
    assert.equal(
      mine.withBlock(toKey(number), 1, (block) => isPatternBlock(number, block)),
      true,
    );
  }
});

async function holdInThread(t: TestContext, cache: BlockCacheOwner, holds: string) {
  const ready = new Int32Array(new SharedArrayBuffer(4));
  const order = { cache, holds, ready };
  const thread = startThread(t, 'stuck-worker', order);
  while (Atomics.load(ready, 0) === 0) await sleep(1);
  return async () => {
    await thread.worker.terminate();
    await thread.exited;
  };
}

test('while a stuck thread holds the lock, blocks are read but not stored; its end frees the lock', async (t) => {
  const cache = makeBlockCache(MIB);
  const mine = joinBlockCache(cache.handle, 0);
  mine.store(toKey(1), makePatternBlock(1, 100));
  const kill = await holdInThread(t, cache, 'lock');
  // It waits a few milliseconds for the lock, which would otherwise never be free.
  mine.store(toKey(2), makePatternBlock(2, 100));
  assert.equal(cache.stats().refused, 1);
  assert.equal(
    mine.withBlock(toKey(2), 1, () => true),
    undefined,
  );
  assert.equal(
    mine.withBlock(toKey(1), 1, (block) => isPatternBlock(1, block)),
    true,
  );
  await kill();
  mine.store(toKey(2), makePatternBlock(2, 100));
  assert.equal(
    mine.withBlock(toKey(2), 1, (block) => isPatternBlock(2, block)),
    true,
  );
});

test('a block that a stuck thread reads is not evicted before the thread ends', async (t) => {
  const cache = makeBlockCache(MIB);
  const mine = joinBlockCache(cache.handle, 0);
  const churn = (): void => {
    for (let number = 1; number < 100; number += 1)
      mine.store(toKey(number), makePatternBlock(number, 20_000));
  };
  mine.store(toKey(0), makePatternBlock(0, 20_000));
  const kill = await holdInThread(t, cache, 'pin');
  churn();
  assert.equal(
    mine.withBlock(toKey(0), 1, (block) => isPatternBlock(0, block)),
    true,
  );
  await kill();
  churn();
  assert.equal(
    mine.withBlock(toKey(0), 1, () => true),
    undefined,
  );
});

test('space that a killed thread had started to write is freed', async (t) => {
  const cache = makeBlockCache(MIB);
  const kill = await holdInThread(t, cache, 'region');
  assert.equal(cache.stats().usedBytes, cache.handle.pageBytes);
  await kill();
  assert.equal(cache.stats().usedBytes, 0);
  checkAtRest(toLayout(cache.handle));
});

test('a thread that waits for a block of a killed thread continues', async (t) => {
  const cache = makeBlockCache(MIB);
  const mine = joinBlockCache(cache.handle, 0, 600_000);
  const kill = await holdInThread(t, cache, 'claim');
  assert.equal(mine.claim(toKey(0), 1), false);
  const { signal } = new AbortController();
  let isSettled = false;
  const settled = mine.settled(toKey(0), signal).then(() => {
    isSettled = true;
  });
  await letTurnsPass();
  assert.equal(isSettled, false);
  await kill();
  await settled;
  assert.equal(mine.claim(toKey(0), 1), true);
});
