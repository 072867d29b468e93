import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Measured } from './statistics-order.ts';
import { gatherWrites } from './statistics-order.ts';

const measured = (validPx: number): Measured => ({
  statistics: null,
  areaPx: 9,
  validPx,
  cloudPx: null,
  isTouched: false,
  histogram: null,
});

/** A store that notes its writes. */
function makeStore() {
  const writes: (readonly (readonly [string, Measured])[])[] = [];
  const stored = new Map<string, Measured>([['old', measured(1)]]);
  return {
    writes,
    findMany: async (keys: readonly string[]) =>
      new Map(keys.flatMap((key) => (stored.has(key) ? [[key, stored.get(key) as Measured]] : []))),
    async putMany(entries: readonly (readonly [string, Measured])[]) {
      writes.push(entries);
    },
  };
}

const HOUR_MS = 3_600_000;
const options = { delayMs: HOUR_MS, max: 3, onForgotten: () => {} };

test('measurements can be found before they are written, and are written in one batch', async () => {
  const store = makeStore();
  const gathered = gatherWrites(store, options);
  await gathered.putMany([['a', measured(2)]]);
  await gathered.putMany([['b', measured(3)]]);
  assert.equal(store.writes.length, 0);
  assert.deepEqual(
    await gathered.findMany(['a', 'old', 'none']),
    new Map([
      ['a', measured(2)],
      ['old', measured(1)],
    ]),
  );
  await gathered.putMany([['c', measured(4)]]);
  assert.deepEqual(
    store.writes.map((entries) => entries.map(([key]) => key)),
    [['a', 'b', 'c']],
  );
  await gathered.flush();
  assert.equal(store.writes.length, 1);
});

test('a flush writes pending measurements; a failed write is reported, not thrown', async () => {
  const errors: unknown[] = [];
  const broken = { ...makeStore(), putMany: () => Promise.reject(new Error('full')) };
  const gathered = gatherWrites(broken, { ...options, onForgotten: (error) => errors.push(error) });
  await gathered.putMany([['a', measured(2)]]);
  await gathered.flush();
  assert.equal(errors.length, 1);
});

test('pending measurements are written automatically after the delay', async () => {
  const store = makeStore();
  const { promise, resolve } = Promise.withResolvers<void>();
  const watched = { ...store, putMany: async () => resolve() };
  await gatherWrites(watched, { ...options, delayMs: 1 }).putMany([['a', measured(2)]]);
  await promise;
});
