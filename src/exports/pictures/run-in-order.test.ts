import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInOrder } from './run-in-order.ts';

const items = [0, 1, 2, 3, 4, 5, 6, 7];

/** Work that ends when the test says so. */
function makeWork() {
  const begun: number[] = [];
  const ends = new Map<number, { resolve(value: string): void; reject(error: Error): void }>();
  const work = (item: number): Promise<string> => {
    begun.push(item);
    return new Promise((resolve, reject) => ends.set(item, { resolve, reject }));
  };
  return { begun, work, end: (item: number) => ends.get(item)?.resolve(`done ${item}`), ends };
}

test('results come in the order of the items, however they end', async () => {
  const { begun, work, end } = makeWork();
  const results = runInOrder(items, { atOnce: 3, stop: new AbortController() }, work);
  const first = results.next();
  assert.deepEqual(begun, [0, 1, 2]);
  end(2);
  end(1);
  await Promise.resolve();
  assert.deepEqual(begun, [0, 1, 2], 'results that wait for their turn count as in work');
  end(0);
  assert.deepEqual(await first, { value: 'done 0', done: false });
  assert.deepEqual(begun, [0, 1, 2, 3], 'the next begins before the result is used');
  const seen: string[] = [];
  for (const item of items) end(item);
  const rest = (async () => {
    for await (const result of results) seen.push(result);
  })();
  while (begun.length < items.length) {
    await new Promise(setImmediate);
    for (const item of begun) end(item);
  }
  await rest;
  assert.deepEqual(
    seen,
    items.slice(1).map((item) => `done ${item}`),
  );
});

test('a failure comes in its turn, stops the others, and waits for their end', async () => {
  const { begun, work, end, ends } = makeWork();
  const stop = new AbortController();
  const results = runInOrder(items, { atOnce: 3, stop }, work);
  const first = results.next();
  ends.get(1)?.reject(new Error('broken'));
  end(0);
  await first;
  let isOver = false;
  const failing = assert.rejects(results.next(), { message: 'broken' }).then(() => {
    isOver = true;
  });
  await new Promise(setImmediate);
  assert.ok(stop.signal.aborted);
  assert.equal(isOver, false);
  for (const item of begun) end(item);
  await failing;
  assert.deepEqual(begun, [0, 1, 2, 3]);
});

test('a caller that leaves early stops what runs', async () => {
  const { work, end, begun } = makeWork();
  const stop = new AbortController();
  const results = runInOrder(items, { atOnce: 2, stop }, work);
  const first = results.next();
  end(0);
  await first;
  const left = results.return(undefined);
  await new Promise(setImmediate);
  assert.ok(stop.signal.aborted);
  for (const item of begun) end(item);
  await left;
  assert.deepEqual(begun, [0, 1, 2]);
});

test('no items, no results', async () => {
  const results = runInOrder([], { atOnce: 2, stop: new AbortController() }, async () => 1);
  assert.deepEqual(await results.next(), { value: undefined, done: true });
});
