import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { makeLru } from './lru.ts';

test('the least recently used entry leaves first, and its owner is notified', () => {
  const dropped: string[] = [];
  const lru = makeLru<string>({ max: 10, onDrop: (value) => dropped.push(value) });
  lru.set('a', 'A', 4);
  lru.set('b', 'B', 4);
  assert.equal(lru.get('a'), 'A');
  lru.set('c', 'C', 4);
  assert.deepEqual(dropped, ['B']);
  assert.equal(lru.get('b'), undefined);
  assert.equal(lru.get('a'), 'A');
});

test('a value over the budget is not kept, and setting again replaces', () => {
  const lru = makeLru<string>({ max: 10 });
  lru.set('big', 'x', 11);
  assert.equal(lru.get('big'), undefined);
  lru.set('a', 'old', 6);
  lru.set('a', 'new', 7);
  assert.equal(lru.get('a'), 'new');
  assert.equal(lru.size, 7);
});

test('a value is made once and remembered, null too; one that cannot be made is tried again', async () => {
  const lru = makeLru<number | null>({ max: 10, sizeOf: (value) => value ?? 1 });
  let made = 0;
  const make = (value: number | null) => () => {
    made += 1;
    return value;
  };
  assert.deepEqual([lru.remember('a', make(4)), lru.remember('a', make(5))], [4, 4]);
  assert.deepEqual([lru.remember('b', make(null)), lru.remember('b', make(5))], [null, null]);
  assert.deepEqual([made, lru.size], [2, 5]);
  assert.throws(() => lru.remember('c', () => assert.fail('not now')), /not now/);
  assert.equal(lru.remember('c', make(2)), 2);
  const later = (value: number) => async () => make(value)() as number;
  assert.deepEqual([await lru.rememberLater('d', later(3)), await lru.rememberLater('d', later(9))], [3, 3]);
  assert.deepEqual([made, lru.size], [4, 10]);
  await assert.rejects(
    lru.rememberLater('e', () => Promise.reject(new Error('not now'))),
    /not now/,
  );
  assert.equal(await lru.rememberLater('e', later(10)), 10);
  assert.equal(lru.get('a'), undefined, 'evicted by its size');
});

test('the budget holds whatever happens', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 60 }))),
      (steps) => {
        const kept = new Map<string, number>();
        const lru = makeLru<string>({ max: 100, onDrop: (key) => kept.delete(key) });
        for (const [name, bytes] of steps) {
          const key = `k${name}`;
          lru.set(key, key, bytes);
          kept.set(key, bytes);
          const sum = [...kept.values()].reduce((a, b) => a + b, 0);
          assert.equal(lru.size, sum);
          assert.ok(sum <= 100);
        }
      },
    ),
  );
});

test('entries are counted where no size is given, and all leave at once when it is cleared', () => {
  const dropped: string[] = [];
  const lru = makeLru<string>({ max: 2, onDrop: (value) => dropped.push(value) });
  for (const name of ['a', 'b', 'c']) lru.set(name, name);
  assert.deepEqual(dropped, ['a']);
  assert.equal(lru.size, 2);
  lru.get('b');
  assert.deepEqual(lru.values(), ['c', 'b']);
  lru.clear();
  assert.deepEqual([dropped, lru.size], [['a', 'c', 'b'], 0]);
});
