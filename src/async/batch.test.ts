import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unavailable } from '../errors.ts';
import { makeBatch } from './batch.ts';

const share = <Item, Result>(run: (items: readonly Item[]) => Promise<readonly Result[]>) =>
  makeBatch({ run, max: 100, maxRuns: 2 }).add;

/** Four runs that the test ends by hand, and the items of each. */
function makeRuns() {
  const given: (readonly number[])[] = [];
  const gates = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  return {
    given,
    open: (run: number) => gates[run]?.resolve(),
    refuse: (run: number, error: Error) => gates[run]?.reject(error),
    async run(items: readonly number[]): Promise<readonly number[]> {
      given.push(items);
      await gates[given.length - 1]?.promise;
      return items.map((item) => 10 * item);
    },
  };
}

test('calls made while two runs are in flight share the next run', async () => {
  const runs = makeRuns();
  const call = share(runs.run);
  const firsts = [call(1), call(2)];
  const others = [call(3), call(4)];
  assert.deepEqual(runs.given, [[1], [2]]);
  runs.open(1);
  assert.equal(await firsts[1], 20);
  runs.open(2);
  assert.deepEqual(await Promise.all(others), [30, 40]);
  assert.deepEqual(runs.given, [[1], [2], [3, 4]]);
  runs.open(0);
  assert.equal(await firsts[0], 10);
});

test('a run takes at most a hundred items', async () => {
  const sizes: number[] = [];
  const call = share(async (items: readonly number[]) => {
    sizes.push(items.length);
    return items;
  });
  const results = await Promise.all(Array.from({ length: 203 }, (_, i) => call(i)));
  assert.deepEqual(
    results,
    Array.from({ length: 203 }, (_, i) => i),
  );
  assert.deepEqual(sizes, [1, 1, 100, 100, 1]);
});

test('an invalid item does not reject the others', async () => {
  const sizes: number[] = [];
  const call = share(async (items: readonly number[]) => {
    sizes.push(items.length);
    if (items.includes(2)) throw new Error('two is wrong');
    return items;
  });
  const results = await Promise.allSettled([call(0), call(1), call(2), call(3)]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
  );
  assert.deepEqual(sizes, [1, 1, 2, 1, 1]);
});

test('an unavailable store rejects all items of a run, and the next call starts another run', async () => {
  const runs = makeRuns();
  const call = share(runs.run);
  const firsts = [call(1), call(2)];
  const others = [call(3), call(4)];
  runs.open(0);
  await firsts[0];
  runs.refuse(2, unavailable('store-unavailable', 'The store is unavailable.'));
  const results = await Promise.allSettled(others);
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  const next = call(5);
  runs.open(3);
  assert.equal(await next, 50);
  assert.deepEqual(runs.given, [[1], [2], [3, 4], [5]]);
  runs.open(1);
  await firsts[1];
});

test('with a delay items wait until a run is full or flushed', async () => {
  const runs: (readonly number[])[] = [];
  const run = async (items: readonly number[]): Promise<readonly number[]> => {
    runs.push(items);
    return items;
  };
  const batch = makeBatch({ run, max: 3, maxRuns: 1, delayMs: 2 ** 30 });
  const first = [batch.add(1), batch.add(2)];
  assert.deepEqual(runs, []);
  assert.deepEqual(await Promise.all([...first, batch.add(3)]), [1, 2, 3]);
  const last = batch.add(4);
  await batch.flush();
  assert.deepEqual([await last, runs], [4, [[1, 2, 3], [4]]]);
  await batch.flush();
  const soon = makeBatch({ run, max: 3, maxRuns: 1, delayMs: 1 });
  assert.equal(await soon.add(5), 5, 'the delay ends by itself');
});
