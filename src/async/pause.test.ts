import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePause, takeTurn } from './pause.ts';

test('a long loop that awaits its pauses lets others go on', async () => {
  let isAnswered = false;
  setImmediate(() => {
    isAnswered = true;
  });
  const pause = makePause();
  const endMs = performance.now() + 10_000;
  while (!isAnswered && performance.now() < endMs) await pause();
  assert.ok(isAnswered);
});

test('one that waits goes on in each turn of the event loop, in their order', async () => {
  const order: string[] = [];
  const wait = async (name: string): Promise<void> => {
    await takeTurn();
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
