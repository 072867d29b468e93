import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unavailable } from '../errors.ts';
import { letTurnsPass } from '../testing/let-turns-pass.ts';
import { makeBatch, makeSerialWork, workInOrder } from './concurrency.ts';

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

/** Work that the test ends by hand. */
function makeSlowWork() {
  const ends: (() => void)[] = [];
  const signals: AbortSignal[] = [];
  const work = (item: number, signal: AbortSignal): Promise<number> => {
    signals.push(signal);
    return new Promise((resolve, reject) => {
      ends[item] = () => resolve(item);
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  };
  return { ends, signals, work };
}

test('results come in the order of the items, whichever ends first, and the number in flight is bounded', async () => {
  const { ends, work } = makeSlowWork();
  const results = workInOrder([0, 1, 2, 3], { atOnce: 3, signal: undefined }, work);
  const first = results.next();
  await letTurnsPass();
  assert.equal(ends.length, 3);
  ends[2]!();
  ends[1]!();
  ends[0]!();
  assert.deepEqual([(await first).value, (await results.next()).value], [0, 1]);
  ends[3]!();
  assert.deepEqual([(await results.next()).value, (await results.next()).value], [2, 3]);
  assert.equal((await results.next()).done, true);
});

test('results may wait for an earlier one, as many as the caller says, while others begin', async () => {
  const { ends, work } = makeSlowWork();
  const results = workInOrder([0, 1, 2, 3, 4], { atOnce: 2, begun: 4, signal: undefined }, work);
  const first = results.next();
  await letTurnsPass();
  assert.equal(ends.length, 2);
  ends[1]!();
  await letTurnsPass();
  assert.equal(ends.length, 3, 'one has ended, so another begins');
  ends[2]!();
  await letTurnsPass();
  ends[3]!();
  await letTurnsPass();
  assert.equal(ends.length, 4, 'no more than four that were not used');
  ends[0]!();
  assert.equal((await first).value, 0);
  await letTurnsPass();
  assert.equal(ends.length, 4, 'the caller still uses the first');
  assert.deepEqual([(await results.next()).value, (await results.next()).value], [1, 2]);
  ends[4]!();
  assert.deepEqual([(await results.next()).value, (await results.next()).value], [3, 4]);
  assert.equal((await results.next()).done, true);
});

test('a failure, or a caller that stops, aborts the work in flight', async () => {
  const { ends, signals, work } = makeSlowWork();
  const results = workInOrder([0, 1, 2], { atOnce: 2, signal: undefined }, work);
  const first = results.next();
  await letTurnsPass();
  ends[0]!();
  await first;
  await results.return(undefined);
  assert.ok(signals.every((signal) => signal.aborted));

  const failing = workInOrder([0, 1], { atOnce: 2, signal: undefined }, async (item, signal) => {
    signals.push(signal);
    if (item === 0) throw new Error('broken');
    return new Promise<number>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  });
  await assert.rejects(failing.next(), /broken/);
  assert.ok(signals.every((signal) => signal.aborted));
});

test("the caller's signal reaches the work", async () => {
  const controller = new AbortController();
  const { work } = makeSlowWork();
  const results = workInOrder([0], { atOnce: 1, signal: controller.signal }, work);
  const first = results.next();
  await letTurnsPass();
  controller.abort(new Error('enough'));
  await assert.rejects(first, /enough/);
});

test('the caller decides after each result whether another item begins', async () => {
  const begun: number[] = [];
  let wanted = 2;
  const results = workInOrder([0, 1, 2, 3, 4], { atOnce: () => wanted, signal: undefined }, async (item) =>
    begun.push(item),
  );
  for await (const _ of results) {
    wanted -= 1;
    if (wanted === 0) break;
  }
  assert.deepEqual(begun, [0, 1]);
});

test('requests during a run share one more run after it', async () => {
  let runs = 0;
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const work = makeSerialWork(async () => {
    const gate = gates[runs];
    runs += 1;
    await gate?.promise;
  });
  const first = work.request();
  void work.request();
  void work.request();
  assert.equal(runs, 1);
  gates[0]?.resolve();
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(runs, 2);
  gates[1]?.resolve();
  await first;
  assert.equal(runs, 2);
  await work.request();
  assert.equal(runs, 3);
  await work.settled();
});

test('a synchronous or later failure is reported, and the next request runs the work again', async () => {
  const errors: unknown[] = [];
  let runs = 0;
  const work = makeSerialWork(
    () => {
      runs += 1;
      if (runs === 1) throw new Error('at once');
      return runs === 2 ? Promise.reject(new Error('later')) : Promise.resolve();
    },
    (error) => errors.push(error),
  );
  await work.request();
  await work.request();
  await work.request();
  assert.equal(runs, 3);
  assert.deepEqual(errors.map(String), ['Error: at once', 'Error: later']);
});
