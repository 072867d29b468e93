import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { SampleType } from '../../raster/index.ts';
import { bytesPerSample, makePixels } from '../../raster/index.ts';
import { joinBlockCache, makeBlockCache } from './block-cache.ts';
import type { BlockKey, CachedBlock } from './cached-block.ts';
import { hashKey, toFileKey } from './cached-block.ts';
import { HINT_WAYS, toLayout } from './layout.ts';
import { isPatternBlock, makePatternBlock, toKey } from './testing/pattern-block.ts';

const MIB = 2 ** 20;

function openCache(budgetBytes: number) {
  const owner = makeBlockCache(budgetBytes);
  const cache = joinBlockCache(owner.handle, 0);
  const store = (number: number, samples: number) =>
    cache.store(toKey(number), makePatternBlock(number, samples));
  /** Whether the cached block is the one that was stored; undefined when it is not cached. */
  const check = (number: number) =>
    cache.withBlock(toKey(number), 1, (block) => isPatternBlock(number, block));
  return { ...owner, cache, store, check };
}

test('a block of any type is read back unchanged, with its mask', () => {
  const { cache } = openCache(MIB);
  for (const [number, type] of (Object.keys(bytesPerSample) as SampleType[]).entries()) {
    const pixels = makePixels(type, 5 * 3 * 2);
    for (let i = 0; i < pixels.length; i += 1) pixels[i] = i;
    const block = { width: 5, height: 3, firstBand: 1, bandCount: 2, type, pixels };
    const stored: CachedBlock = { block, mask: new Uint8Array(15).map((_, i) => i % 2) };
    cache.store(toKey(number), stored);
    const copy = cache.withBlock(toKey(number), 3, (found) => ({
      ...found,
      block: { ...found.block, pixels: found.block.pixels.slice() },
      mask: found.mask?.slice() ?? null,
    }));
    assert.deepEqual(copy, { ...stored, rowsReady: 3, resume: [0, 0, 0, 0] }, type);
  }
});

test('blocks of other files, levels and numbers are other blocks', () => {
  const { cache } = openCache(MIB);
  const key: BlockKey = { file: toFileKey(['a', 'b c']), level: 1, number: 7 };
  cache.store(key, makePatternBlock(7, 10));
  const others = [
    { ...key, level: 0 },
    { ...key, number: 8 },
    { ...key, file: toFileKey(['a b', 'c']) },
    { ...key, file: toFileKey(['a', 'b c', '']) },
  ];
  for (const other of others)
    assert.equal(
      cache.withBlock(other, 1, () => true),
      undefined,
    );
  assert.equal(
    cache.withBlock({ ...key, file: toFileKey(['a', 'b c']) }, 1, () => true),
    true,
  );
});

test('a block with some of its rows serves callers that need no more, and one with more rows replaces it', () => {
  const { cache, stats, handle } = openCache(MIB);
  const { block } = makePatternBlock(1, 100);
  const tall: CachedBlock = { block: { ...block, width: 10, height: 10 }, mask: null };
  const rows = (needed: number) =>
    cache.withBlock(toKey(1), needed, ({ rowsReady, resume }) => [rowsReady, ...resume]);
  cache.store(toKey(1), { ...tall, rowsReady: 4, resume: [2 ** 40, -1, 0.5, 7] });
  assert.deepEqual(rows(4), [4, 2 ** 40, -1, 0.5, 7]);
  assert.equal(rows(5), undefined);
  cache.store(toKey(1), tall);
  assert.deepEqual(rows(10), [10, 0, 0, 0, 0]);
  assert.equal(stats().usedBytes, handle.pageBytes, 'the smaller one is gone');
  cache.store(toKey(1), { ...tall, rowsReady: 2 });
  assert.deepEqual(rows(10), [10, 0, 0, 0, 0], 'fewer rows replace nothing');
});

test('a block is cached and correct or not cached, whatever else is stored, within the budget', () => {
  const action = fc.record({
    number: fc.nat({ max: 40 }),
    // From one pixel to more than the whole cache.
    samples: fc.oneof(fc.integer({ min: 1, max: 10_000 }), fc.integer({ min: 1, max: 200_000 })),
  });
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: MIB / 2 }),
      fc.array(action, { maxLength: 40 }),
      (budgetBytes, actions) => {
        const { handle, stats, store, check } = openCache(budgetBytes);
        if (handle.pages > 0) assert.ok(handle.memory.byteLength <= budgetBytes);
        for (const { number, samples } of actions) {
          if (check(number) === undefined) store(number, samples);
          assert.notEqual(check(number), false);
          assert.ok(stats().usedBytes <= budgetBytes);
        }
      },
    ),
    { numRuns: 25 },
  );
});

test('the budget includes the tables, and nearly all of it is for blocks', () => {
  for (const mib of [8, 64, 256, 1_000]) {
    const { handle, stats } = makeBlockCache(mib * MIB);
    assert.ok(handle.memory.byteLength <= mib * MIB);
    assert.ok(stats().budgetBytes >= 0.98 * mib * MIB, `${mib} MiB`);
  }
});

test('a cache of size zero stores nothing and does no harm', () => {
  const { handle, cache, store, check, stats } = openCache(0);
  assert.equal(handle.pages, 0);
  assert.ok(joinBlockCache(handle, 1).claim(toKey(1), 1) && cache.claim(toKey(1), 1), 'no one waits');
  store(1, 10);
  assert.equal(check(1), undefined);
  assert.deepEqual(stats(), { hits: 0, misses: 1, evicted: 0, refused: 1, usedBytes: 0, budgetBytes: 0 });
});

test('a cache too large for the memory of the system is refused with its size', () => {
  assert.throws(() => makeBlockCache(2 ** 53), { code: 'no-cache-memory', message: /8589934592 MiB/ });
});

test('inconsistent or too large blocks are not stored', () => {
  const { cache, stats, store, check } = openCache(MIB);
  store(0, MIB);
  assert.equal(check(0), undefined);
  const { block } = makePatternBlock(1, 100);
  const wrong: CachedBlock[] = [
    { block: { ...block, width: 101 }, mask: null },
    { block: { ...block, width: 2 ** 31, height: 2 ** 31 }, mask: null },
    { block: { ...block, bandCount: 0 }, mask: null },
    { block: { ...block, width: Number.NaN }, mask: null },
    { block: { ...block, type: 'float64' }, mask: null },
    { block, mask: new Uint8Array(99) },
    { block, mask: null, rowsReady: 2 },
    { block, mask: null, rowsReady: -1 },
    { block, mask: null, resume: [0, Number.NaN, 0, 0] },
  ];
  for (const stored of wrong) cache.store(toKey(1), stored);
  assert.equal(check(1), undefined);
  assert.equal(stats().refused, 1 + wrong.length);
  store(1, 100);
  assert.equal(check(1), true);
});

test('blocks in use stay cached while others are stored and evicted', () => {
  const { store, check, stats } = openCache(MIB / 2);
  for (let number = 0; number < 5; number += 1) store(number, 9_000);
  for (let other = 5; other < 100; other += 1) {
    store(other, 9_000);
    for (let number = 0; number < 5; number += 1) assert.equal(check(number), true);
  }
  assert.ok(stats().evicted > 70);
});

test('a large block replaces many small ones that were all used, and the other way round', () => {
  const { store, check } = openCache(MIB);
  const small = Array.from({ length: 200 }, (_, i) => i + 10);
  for (const number of small) store(number, 100);
  for (const number of small) check(number);
  store(1, 400_000);
  assert.equal(check(1), true);
  for (const number of small) {
    store(number, 100);
    assert.equal(check(number), true);
  }
});

test('more blocks than a bucket has slots evict each other and are never mixed up', () => {
  const { handle, store, check } = openCache(4 * MIB);
  const { hintBuckets } = toLayout(handle);
  const bucketOf = (number: number) => hashKey(toKey(number)) & (hintBuckets - 1);
  const numbers = Array.from({ length: 4_000 }, (_, i) => i).filter((n) => bucketOf(n) === bucketOf(0));
  assert.ok(numbers.length > 2 * HINT_WAYS);
  for (const number of numbers) {
    store(number, 10);
    assert.equal(check(number), true);
  }
  const found = numbers.map(check);
  assert.equal(found.filter((isRight) => isRight === true).length, HINT_WAYS);
  assert.ok(!found.includes(false));
});

test('a cached block cannot be claimed, unless more of its rows are wanted', () => {
  const { cache, handle } = openCache(MIB);
  const { block } = makePatternBlock(1, 100);
  cache.store(toKey(1), { block: { ...block, width: 10, height: 10 }, mask: null, rowsReady: 4 });
  assert.equal(cache.claim(toKey(1), 4), false);
  assert.equal(cache.claim(toKey(1), 5), true);
  assert.equal(joinBlockCache(handle, 1).claim(toKey(1), 5), false);
  cache.unclaim(toKey(1));
  assert.equal(joinBlockCache(handle, 2).claim(toKey(1), 5), true);
});

test('a thread reads one block at a time', () => {
  const { cache, store } = openCache(MIB);
  store(1, 10);
  store(2, 10);
  assert.throws(() => cache.withBlock(toKey(1), 1, () => cache.withBlock(toKey(2), 1, () => true)), {
    code: 'nested-block',
  });
  assert.equal(
    cache.withBlock(toKey(2), 1, () => true),
    true,
    'the first one was released',
  );
});
