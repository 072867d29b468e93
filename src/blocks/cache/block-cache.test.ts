import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { SampleType } from '../../raster/index.ts';
import { bytesPerSample, makePixels } from '../../raster/index.ts';
import { hashKey } from './block-key.ts';
import type { BlockKey, KeptBlock } from './index.ts';
import { joinBlockCache, makeBlockCache, toFileKey } from './index.ts';
import { HINT_WAYS, toLayout } from './layout.ts';
import { isPatternBlock, makePatternBlock, toKey } from './testing/pattern-block.ts';

const MIB = 2 ** 20;

function openCache(budgetBytes: number) {
  const owner = makeBlockCache(budgetBytes);
  const cache = joinBlockCache(owner.handle, 0);
  const keep = (number: number, samples: number) =>
    cache.keep(toKey(number), makePatternBlock(number, samples));
  /** True or false for a block that is or is not what was kept, undefined when it is not there. */
  const check = (number: number) =>
    cache.withBlock(toKey(number), 1, (block) => isPatternBlock(number, block));
  return { ...owner, cache, keep, check };
}

test('a block of any type comes back as it went, with its mask', () => {
  const { cache } = openCache(MIB);
  for (const [number, type] of (Object.keys(bytesPerSample) as SampleType[]).entries()) {
    const pixels = makePixels(type, 5 * 3 * 2);
    for (let i = 0; i < pixels.length; i += 1) pixels[i] = i;
    const block = { width: 5, height: 3, firstBand: 1, bandCount: 2, type, pixels };
    const kept: KeptBlock = { block, mask: Uint8Array.from({ length: 15 }, (_, i) => i % 2) };
    cache.keep(toKey(number), kept);
    const copy = cache.withBlock(toKey(number), 3, (found) => ({
      ...found,
      block: { ...found.block, pixels: found.block.pixels.slice() },
      mask: found.mask?.slice() ?? null,
    }));
    assert.deepEqual(copy, { ...kept, rowsReady: 3, resume: [0, 0, 0, 0] }, type);
  }
});

test('blocks of other files, levels and places are other blocks', () => {
  const { cache } = openCache(MIB);
  const key: BlockKey = { file: toFileKey(['a', 'b c']), level: 1, number: 7 };
  cache.keep(key, makePatternBlock(7, 10));
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

test('a block with some of its rows serves whoever needs no more, and one with more rows replaces it', () => {
  const { cache, stats, handle } = openCache(MIB);
  const { block } = makePatternBlock(1, 100);
  const tall: KeptBlock = { block: { ...block, width: 10, height: 10 }, mask: null };
  const rows = (needed: number) =>
    cache.withBlock(toKey(1), needed, ({ rowsReady, resume }) => [rowsReady, ...resume]);
  cache.keep(toKey(1), { ...tall, rowsReady: 4, resume: [2 ** 40, -1, 0.5, 7] });
  assert.deepEqual(rows(4), [4, 2 ** 40, -1, 0.5, 7]);
  assert.equal(rows(5), undefined);
  cache.keep(toKey(1), tall);
  assert.deepEqual(rows(10), [10, 0, 0, 0, 0]);
  assert.equal(stats().usedBytes, handle.pageBytes, 'the smaller one is gone');
  cache.keep(toKey(1), { ...tall, rowsReady: 2 });
  assert.deepEqual(rows(10), [10, 0, 0, 0, 0], 'fewer rows replace nothing');
});

test('whatever is kept, a block is there and right or it is not there, within the budget', () => {
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
        const { handle, stats, keep, check } = openCache(budgetBytes);
        if (handle.pages > 0) assert.ok(handle.memory.byteLength <= budgetBytes);
        for (const { number, samples } of actions) {
          if (check(number) === undefined) keep(number, samples);
          assert.notEqual(check(number), false);
          assert.ok(stats().usedBytes <= budgetBytes);
        }
      },
    ),
    { numRuns: 25 },
  );
});

test('the budget holds the tables too, and nearly all of it is for blocks', () => {
  for (const mib of [8, 64, 256, 1_000]) {
    const { handle, stats } = makeBlockCache(mib * MIB);
    assert.ok(handle.memory.byteLength <= mib * MIB);
    assert.ok(stats().budgetBytes >= 0.98 * mib * MIB, `${mib} MiB`);
  }
});

test('a cache of no size keeps nothing and is no trouble', () => {
  const { handle, cache, keep, check, stats } = openCache(0);
  assert.equal(handle.pages, 0);
  assert.ok(joinBlockCache(handle, 1).claim(toKey(1), 1) && cache.claim(toKey(1), 1), 'nobody waits');
  keep(1, 10);
  assert.equal(check(1), undefined);
  assert.deepEqual(stats(), { hits: 0, misses: 1, evicted: 0, refused: 1, usedBytes: 0, budgetBytes: 0 });
});

test('a cache that the system has no memory for is refused with its size', () => {
  assert.throws(() => makeBlockCache(2 ** 53), { code: 'no-cache-memory', message: /8589934592 MiB/ });
});

test('what does not fit, in itself or into the cache, is not kept', () => {
  const { cache, stats, keep, check } = openCache(MIB);
  keep(0, MIB);
  assert.equal(check(0), undefined);
  const { block } = makePatternBlock(1, 100);
  const wrong: KeptBlock[] = [
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
  for (const kept of wrong) cache.keep(toKey(1), kept);
  assert.equal(check(1), undefined);
  assert.equal(stats().refused, 1 + wrong.length);
  keep(1, 100);
  assert.equal(check(1), true);
});

test('blocks in use stay while others come and go', () => {
  const { keep, check, stats } = openCache(MIB / 2);
  for (let number = 0; number < 5; number += 1) keep(number, 9_000);
  for (let other = 5; other < 100; other += 1) {
    keep(other, 9_000);
    for (let number = 0; number < 5; number += 1) assert.equal(check(number), true);
  }
  assert.ok(stats().evicted > 70);
});

test('a large block finds its place among many small ones that are all in use, and the other way round', () => {
  const { keep, check } = openCache(MIB);
  const small = Array.from({ length: 200 }, (_, i) => i + 10);
  for (const number of small) keep(number, 100);
  for (const number of small) check(number);
  keep(1, 400_000);
  assert.equal(check(1), true);
  for (const number of small) {
    keep(number, 100);
    assert.equal(check(number), true);
  }
});

test('more blocks of one bucket than it has places push each other out and are never mixed up', () => {
  const { handle, keep, check } = openCache(4 * MIB);
  const { hintBuckets } = toLayout(handle);
  const bucketOf = (number: number) => hashKey(toKey(number)) & (hintBuckets - 1);
  const numbers = Array.from({ length: 4_000 }, (_, i) => i).filter((n) => bucketOf(n) === bucketOf(0));
  assert.ok(numbers.length > 2 * HINT_WAYS);
  for (const number of numbers) {
    keep(number, 10);
    assert.equal(check(number), true);
  }
  const found = numbers.map(check);
  assert.equal(found.filter((isRight) => isRight === true).length, HINT_WAYS);
  assert.ok(!found.includes(false));
});

test('a block that is there cannot be claimed, unless more of its rows are wanted', () => {
  const { cache, handle } = openCache(MIB);
  const { block } = makePatternBlock(1, 100);
  cache.keep(toKey(1), { block: { ...block, width: 10, height: 10 }, mask: null, rowsReady: 4 });
  assert.equal(cache.claim(toKey(1), 4), false);
  assert.equal(cache.claim(toKey(1), 5), true);
  assert.equal(joinBlockCache(handle, 1).claim(toKey(1), 5), false);
  cache.unclaim(toKey(1));
  assert.equal(joinBlockCache(handle, 2).claim(toKey(1), 5), true);
});

test('a thread looks at one block at a time', () => {
  const { cache, keep } = openCache(MIB);
  keep(1, 10);
  keep(2, 10);
  assert.throws(() => cache.withBlock(toKey(1), 1, () => cache.withBlock(toKey(2), 1, () => true)), {
    code: 'nested-block',
  });
  assert.equal(
    cache.withBlock(toKey(2), 1, () => true),
    true,
    'the first one was let go',
  );
});
