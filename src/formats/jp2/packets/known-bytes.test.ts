import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeKnownBytes } from './known-bytes.ts';

test('pieces that touch become one, whatever their order, and the rest are gaps', () => {
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
