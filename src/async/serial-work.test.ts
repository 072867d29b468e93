import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeSerialWork } from './serial-work.ts';

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
