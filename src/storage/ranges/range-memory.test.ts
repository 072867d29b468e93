import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeRangeMemory } from './range-memory.ts';

const source = {};
const range = (offset: number, length = 10) => ({ offset, length });
const bytes = (length = 10) => new Uint8Array(length);

test('held ranges stay, others go when there is no room, the one unused for longest first', () => {
  const memory = makeRangeMemory(30);
  const first = memory.reserve(10)!;
  first.store(source, range(0), bytes());
  first.release();
  const second = memory.reserve(10)!;
  second.store(source, range(10), bytes());
  second.release();
  // Used again: now the other one is older.
  assert.ok(memory.find(source, range(0)));
  const third = memory.reserve(20)!;
  assert.ok(memory.find(source, range(0)));
  assert.equal(memory.find(source, range(10)), undefined);
  assert.ok(third.hold(source, range(0)));
  third.store(source, range(20), bytes());
  assert.ok(memory.find(source, range(20)));
  assert.equal(memory.usedBytes(), 20);
});

test('no more than the budget is promised, and a release makes room once', () => {
  const memory = makeRangeMemory(30);
  const one = memory.reserve(20)!;
  assert.equal(memory.reserve(11), null);
  const other = memory.reserve(10)!;
  one.release();
  one.release();
  assert.equal(memory.reserve(21), null);
  assert.ok(memory.reserve(20));
  other.release();
});

test('a range that two jobs hold stays until both have released it', () => {
  const memory = makeRangeMemory(20);
  const one = memory.reserve(10)!;
  one.store(source, range(0), bytes());
  const other = memory.reserve(10)!;
  assert.ok(other.hold(source, range(0)));
  one.release();
  assert.ok(memory.reserve(10));
  assert.ok(memory.find(source, range(0)), 'still held by the other');
  other.release();
});

test('a source that is opened again has none of the bytes of the one before', () => {
  const memory = makeRangeMemory(30);
  memory.reserve(10)!.store(source, range(0), bytes());
  assert.equal(memory.find({}, range(0)), undefined);
  assert.equal(memory.find(source, range(0, 9)), undefined);
});

test('what is read ahead is counted as useful once, or as wasted when it goes unused', () => {
  let [useful, wasted] = [0, 0];
  const memory = makeRangeMemory(30, {
    onUseful: (count) => {
      useful += count;
    },
    onWasted: (count) => {
      wasted += count;
    },
  });
  memory.storeAhead(source, range(0), bytes());
  memory.storeAhead(source, range(10), bytes());
  memory.find(source, range(0));
  memory.find(source, range(0));
  assert.deepEqual([useful, wasted], [10, 0]);
  // Only what no one holds is displaced, and nothing is stored ahead when all is promised.
  const hold = memory.reserve(30)!;
  assert.deepEqual([useful, wasted, memory.usedBytes()], [10, 10, 0]);
  memory.storeAhead(source, range(20), bytes());
  assert.equal(memory.find(source, range(20)), undefined);
  hold.release();
});
