import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeTurns } from './bodies.ts';

test('one that waits goes on in each turn of the event loop, in their order', async () => {
  const nextTurn = makeTurns();
  const order: string[] = [];
  const wait = async (name: string): Promise<void> => {
    await nextTurn();
    order.push(name);
  };
  const all = Promise.all([wait('a'), wait('b'), wait('c')]);
  for (const expected of [[], ['a'], ['a', 'b'], ['a', 'b', 'c']]) {
    assert.deepEqual(order, expected);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await all;
  await wait('d');
  assert.equal(order.at(-1), 'd');
});
