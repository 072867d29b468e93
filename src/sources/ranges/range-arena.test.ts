import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeArena, makeArenaHandle, readSlice, toArenaBytes } from './range-arena.ts';

const PAGE = toArenaBytes(1);
const toBytes = (length: number) => Uint8Array.from({ length }, (_, i) => i % 251);

test('bytes are read as they were stored, over pages that do not lie together', () => {
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

test('a full arena stores nothing, and what was freed is not read any more', () => {
  const handle = makeArenaHandle(2 * PAGE);
  const arena = makeArena(handle);
  const slice = arena.store(toBytes(2 * PAGE))!;
  assert.equal(arena.store(toBytes(1)), null);
  arena.free(slice);
  assert.equal(readSlice(handle, slice), null);
  assert.ok(arena.store(toBytes(1)));
  assert.equal(readSlice(handle, slice), null);
});

test('slices of a thread that died are not read from the arena of its successor', () => {
  const handle = makeArenaHandle(2 * PAGE);
  const slice = makeArena(handle).store(toBytes(5))!;
  makeArena(handle);
  assert.equal(readSlice(handle, slice), null);
});
