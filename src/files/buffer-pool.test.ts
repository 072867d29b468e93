import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeBufferPool } from './buffer-pool.ts';

test('a released buffer is leased again for about the same size', () => {
  const pool = makeBufferPool(2 ** 20);
  const first = pool.lease(100_000);
  assert.ok(first.byteLength >= 100_000);
  const second = pool.lease(100_000);
  assert.notEqual(first, second, 'a buffer has one holder');
  pool.release(first);
  assert.equal(pool.lease(90_000), first);
  pool.release(second);
  assert.notEqual(pool.lease(10_000), second, 'a small block does not take a large buffer');
  assert.notEqual(pool.lease(300_000), second);
});

test('idle buffers stay within the limit, and the oldest is dropped first', () => {
  const pool = makeBufferPool(3 * 65_536);
  const buffers = [1, 2, 3, 4].map(() => pool.lease(65_536));
  for (const buffer of buffers) pool.release(buffer);
  const again = new Set([1, 2, 3, 4].map(() => pool.lease(65_536)));
  assert.deepEqual(
    buffers.map((buffer) => again.has(buffer)),
    [false, true, true, true],
  );
});

test('releasing a buffer twice throws', () => {
  const pool = makeBufferPool(2 ** 20);
  const buffer = pool.lease(10);
  pool.release(buffer);
  assert.throws(() => pool.release(buffer), { code: 'released-twice' });
});
