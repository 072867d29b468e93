import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeBufferLender } from './buffer-lender.ts';

test('what is given back is lent again to who needs about as much', () => {
  const lender = makeBufferLender(2 ** 20);
  const first = lender.take(100_000);
  assert.ok(first.byteLength >= 100_000);
  const second = lender.take(100_000);
  assert.notEqual(first, second, 'nobody shares a buffer');
  lender.giveBack(first);
  assert.equal(lender.take(90_000), first);
  lender.giveBack(second);
  assert.notEqual(lender.take(10_000), second, 'a small wish does not take a large one');
  assert.notEqual(lender.take(300_000), second);
});

test('no more is kept idle than allowed, the oldest goes first', () => {
  const lender = makeBufferLender(3 * 65_536);
  const buffers = [1, 2, 3, 4].map(() => lender.take(65_536));
  for (const buffer of buffers) lender.giveBack(buffer);
  const again = new Set([1, 2, 3, 4].map(() => lender.take(65_536)));
  assert.deepEqual(
    buffers.map((buffer) => again.has(buffer)),
    [false, true, true, true],
  );
});

test('a buffer given back twice is a bug that is noticed', () => {
  const lender = makeBufferLender(2 ** 20);
  const buffer = lender.take(10);
  lender.giveBack(buffer);
  assert.throws(() => lender.giveBack(buffer), { code: 'given-back-twice' });
});
