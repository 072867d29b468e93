import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeKnownBytes, parsePacketLengths } from './select-packets.ts';

const parse = (...tables: readonly (readonly number[])[]) =>
  parsePacketLengths(tables.map((table) => Uint8Array.from(table)));

test('lengths have seven bits per byte, and tables are read in the order of their numbers', () => {
  assert.deepEqual(parse([0, 5, 0x81, 0x00, 0x83, 0xff, 0x7f]), [5, 128, 65_535]);
  assert.deepEqual(parse([1, 9], [0, 7, 8]), [7, 8, 9]);
});

test('inconsistent tables are ignored', () => {
  assert.equal(parse(), null);
  assert.equal(parse([0, 5, 0x81]), null);
  assert.equal(parse([0, 5, 0]), null);
  assert.equal(parse([0, 0xff, 0xff, 0xff, 0xff, 0x7f]), null);
});

test('adjacent pieces become one, whatever their order, and the rest are gaps', () => {
  const known = makeKnownBytes(10);
  assert.deepEqual(known.gaps(4), [{ start: 0, end: 4 }]);
  known.add(6, Uint8Array.of(6, 7));
  known.add(0, Uint8Array.of(0, 1));
  assert.deepEqual(known.gaps(10), [
    { start: 2, end: 6 },
    { start: 8, end: 10 },
  ]);
  assert.deepEqual(known.gaps(5), [{ start: 2, end: 5 }]);
  assert.deepEqual([...known.from(1)], [1]);
  assert.deepEqual([...known.from(3)], []);
  known.add(2, Uint8Array.of(2, 3, 4, 5));
  assert.deepEqual([...known.from(1)], [1, 2, 3, 4, 5, 6, 7]);
  assert.deepEqual(known.gaps(8), []);
});
