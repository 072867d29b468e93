import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { makeBodyBudget, readBody } from './bodies.ts';

const GENEROUS = { maxBytes: 2 ** 30, maxBytesPerOwner: 2 ** 30 };
const read = (body: Readable, maxBytes = 2 ** 20, budget = makeBodyBudget(GENEROUS)) =>
  readBody(body, { maxBytes, owner: 'a', budget });
const inChunks = (count: number, bytes: number): Readable =>
  Readable.from(
    Array.from({ length: count }, () => Buffer.alloc(bytes, 'a')),
    { objectMode: false },
  );

test('a body comes whole, and its bytes are counted while it does', async () => {
  const budget = makeBodyBudget({ maxBytes: 100, maxBytesPerOwner: 100 });
  assert.equal((await read(inChunks(10, 10), 100, budget)).length, 100);
  assert.equal((await read(inChunks(0, 0), 100, budget)).length, 0);
  assert.equal((await read(inChunks(1, 100), 100, budget)).length, 100, 'all was given back');
  await assert.rejects(read(inChunks(2, 60), 200, budget), { code: 'too-many-bodies' });
  assert.equal((await read(inChunks(1, 100), 100, budget)).length, 100, 'after a refusal too');
});

test('a body past its limit is refused, and so is one in tiny chunks', async () => {
  await assert.rejects(read(inChunks(2, 60), 100), { tag: 'too-large', code: 'body-too-large' });
  await assert.rejects(read(inChunks(5_000, 1)), { tag: 'bad-input', code: 'body-chunks-too-small' });
  assert.equal((await read(inChunks(1_000, 1))).length, 1_000);
  assert.equal((await read(inChunks(5_000, 100))).length, 500_000);
});

test('a body that ends too early is cancelled, whatever ended it', async () => {
  for (const error of [undefined, new Error('reset')]) {
    const body = new Readable({ read() {} });
    body.push('half');
    const reading = read(body);
    body.destroy(error);
    await assert.rejects(reading, { tag: 'cancelled', code: 'body-incomplete' });
  }
});
