import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeArena, makeArenaHandle, makeRangeMemory, readSlice, toArenaBytes } from './range-memory.ts';

const PAGE = toArenaBytes(1);
const toBytes = (length: number) => new Uint8Array(length).map((_, i) => i % 251);

test('bytes are read as they were stored, also over pages that are not contiguous', () => {
  const handle = makeArenaHandle(4 * PAGE);
  const arena = makeArena(handle);
  const [one, two] = [arena.store(toBytes(10))!, arena.store(toBytes(PAGE))!];
  arena.free(one);
  const large = toBytes(2 * PAGE + 5);
  const slice = arena.store(large)!;
  assert.equal(slice.pages.length, 3);
  assert.deepEqual(readSlice(handle, slice), large);
  assert.deepEqual(readSlice(handle, two), toBytes(PAGE));
  assert.deepEqual(readSlice(handle, arena.store(new Uint8Array(0))!), new Uint8Array(0));
});

test('a full arena stores nothing, and freed bytes are not read any more', () => {
  const handle = makeArenaHandle(2 * PAGE);
  const arena = makeArena(handle);
  const slice = arena.store(toBytes(2 * PAGE))!;
  assert.equal(arena.store(toBytes(1)), null);
  arena.free(slice);
  assert.equal(readSlice(handle, slice), null);
  assert.ok(arena.store(toBytes(1)));
  assert.equal(readSlice(handle, slice), null);
});

test('slices of a dead thread are not read from the arena of its successor', () => {
  const handle = makeArenaHandle(2 * PAGE);
  const slice = makeArena(handle).store(toBytes(5))!;
  makeArena(handle);
  assert.equal(readSlice(handle, slice), null);
});

const source = {};
/** A range of one page. */
const at = (page: number) => ({ offset: page * PAGE, length: PAGE });
const bytes = (value = 0) => new Uint8Array(PAGE).fill(value);
const pages = (count: number) => Array.from({ length: count }, (_, page) => at(100 + page));

test('held ranges stay; without room the least recently used of the others is dropped first', () => {
  const memory = makeRangeMemory(makeArenaHandle(3 * PAGE));
  for (const page of [0, 1]) {
    const hold = memory.reserve([at(page)])!;
    hold.store(source, at(page), bytes(page + 1));
    hold.release();
  }
  // Used again: now the other range is the least recently used.
  assert.deepEqual(memory.find(source, at(0)), bytes(1));
  const third = memory.reserve(pages(2))!;
  assert.ok(memory.has(source, at(0)));
  assert.equal(memory.find(source, at(1)), undefined);
  assert.ok(third.hold(source, at(0)));
  third.store(source, at(2), bytes(3));
  assert.deepEqual(memory.find(source, at(2)), bytes(3));
  assert.equal(memory.usedBytes(), 2 * PAGE);
});

test('reservations stay within the budget, and a second release frees nothing', () => {
  const memory = makeRangeMemory(makeArenaHandle(3 * PAGE));
  const one = memory.reserve(pages(2))!;
  assert.equal(memory.reserve(pages(2)), null);
  const other = memory.reserve(pages(1))!;
  one.release();
  one.release();
  assert.equal(memory.reserve(pages(3)), null);
  assert.ok(memory.reserve(pages(2)));
  other.release();
});

test('a range that two jobs hold stays until both have released it', () => {
  const memory = makeRangeMemory(makeArenaHandle(2 * PAGE));
  const one = memory.reserve(pages(1))!;
  one.store(source, at(0), bytes());
  const other = memory.reserve(pages(1))!;
  assert.ok(other.hold(source, at(0)));
  one.release();
  assert.ok(memory.reserve(pages(1)));
  assert.ok(memory.has(source, at(0)), 'the other job still holds it');
  other.release();
  assert.equal(memory.has(source, at(0)), true);
  assert.ok(memory.reserve(pages(1)));
  assert.equal(memory.has(source, at(0)), false);
});

test('a source that is opened again does not get the bytes of the earlier one', () => {
  const memory = makeRangeMemory(makeArenaHandle(3 * PAGE));
  memory.reserve(pages(1))!.store(source, at(0), bytes());
  assert.equal(memory.find({}, at(0)), undefined);
  assert.equal(memory.find(source, { offset: 0, length: PAGE - 1 }), undefined);
});

test('prefetched bytes count as useful once, or as wasted if they are dropped unused', () => {
  let [useful, wasted] = [0, 0];
  const memory = makeRangeMemory(makeArenaHandle(3 * PAGE), {
    onUseful: (count) => {
      useful += count;
    },
    onWasted: (count) => {
      wasted += count;
    },
  });
  for (const page of [0, 1]) {
    memory.remember(source, at(page), bytes());
    memory.markAhead(source, at(page));
  }
  memory.find(source, at(0));
  memory.find(source, at(0));
  assert.deepEqual([useful, wasted], [PAGE, 0]);
  // Only ranges that nobody holds are dropped, and nothing is stored when all room is reserved.
  const hold = memory.reserve(pages(3))!;
  assert.deepEqual([useful, wasted, memory.usedBytes()], [PAGE, PAGE, 0]);
  memory.remember(source, at(2), bytes());
  assert.equal(memory.has(source, at(2)), false);
  hold.release();
});

test('reserved ranges fit, whatever other jobs store meanwhile', () => {
  const memory = makeRangeMemory(makeArenaHandle(4 * PAGE));
  const hold = memory.reserve(pages(2))!;
  for (let page = 0; page < 10; page += 1) memory.remember(source, at(page), bytes(page));
  assert.equal(memory.usedBytes(), 2 * PAGE);
  for (const range of pages(2)) assert.ok(hold.store(source, range, bytes(9)));
  for (const range of pages(2)) assert.deepEqual(memory.find(source, range), bytes(9));
});
