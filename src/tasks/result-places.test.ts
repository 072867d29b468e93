import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ResultPlace, ResultPlaceStore } from './result-places.ts';
import { watchResultPlaces } from './result-places.ts';

/** Places in memory, and a clock that is moved by hand. */
function makeNodes() {
  const places = new Map<string, ResultPlace>();
  const ticks: (() => void)[] = [];
  const store: ResultPlaceStore = {
    put: async (place) => void places.set(place.node, place),
    list: async () => [...places.values()],
    remove: async (node) => void places.delete(node),
  };
  const start = (node: string, storeId: string, told: string[], failures: unknown[] = []) =>
    watchResultPlaces({
      store,
      node,
      place: `/${storeId}`,
      readStoreId: async () => storeId,
      onApart: (own, other) => told.push(`${own.node} ${own.place} ${other.node} ${other.place}`),
      onFailure: (error) => failures.push(error),
      repeat: (work) => {
        ticks.push(work);
        return () => {};
      },
    });
  return { places, store, ticks, start };
}

test('a process reports each result place that it does not share once, also those of nodes that start later', async () => {
  const { places, ticks, start } = makeNodes();
  const told: string[] = [];
  const first = start('a', 'x', told);
  await first.started;
  await start('b', 'x', told).started;
  assert.deepEqual(told, []);
  const third = start('c', 'y', told);
  await third.started;
  assert.deepEqual(told, ['c /y a /x']);
  for (const tick of [ticks[0], ticks[0]]) tick?.();
  await first.stop();
  assert.deepEqual(told, ['c /y a /x', 'a /x c /y']);
  await third.stop();
  assert.deepEqual([...places.keys()], ['b'], 'those that ended are forgotten');
});

test('a failing store is reported, and queried again', async () => {
  const { store, places, ticks, start } = makeNodes();
  const failures: unknown[] = [];
  const { put } = store;
  store.put = () => Promise.reject(new Error('away'));
  const watch = start('a', 'x', [], failures);
  await watch.started;
  assert.equal(failures.length, 1);
  store.put = put;
  ticks[0]?.();
  store.remove = () => Promise.reject(new Error('away'));
  await watch.stop();
  assert.deepEqual([failures.length, places.size], [1, 1]);
});
