import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeDem, makeDemFile } from '../../terrain/testing/fake-dem-store.ts';
import { makeRemembering } from './testing/remembering.ts';

const DEM = [{ dem: 'a', overview: 0 }];

const WORLD = { west: -180, south: -90, east: 180, north: 90 };

test('look-ups of elevation models are cache hits until the TTL, by layers, bounds and limit', async (t) => {
  const { store, elsewhere, clock, countCalls } = makeRemembering(t, { freshMs: 2_000 });
  await elsewhere.dems.putDem(makeDem('a'));
  await elsewhere.dems.putFiles([makeDemFile('a', 0, 0), makeDemFile('a', 1, 0)]);
  const count = async (limit = 9, bounds = WORLD, layers = DEM): Promise<number> =>
    (await store.dems.findFiles(layers, bounds, limit)).length;
  const look = async () => {
    assert.equal((await store.dems.list())[0]?.fileCount, 2);
    assert.equal(await count(), 2);
    assert.equal(await count(1), 1);
    assert.equal(await count(9, { ...WORLD, west: 1.5 }), 1);
    assert.equal(await count(9, WORLD, [{ dem: 'a', overview: 1 }]), 0);
    assert.equal(await count(9, WORLD, []), 0);
  };
  assert.equal(await countCalls(look), 6);
  clock.nowMs = 1_999;
  assert.equal(await countCalls(look), 0);
  await elsewhere.dems.putFiles([makeDemFile('a', 2, 0)]);
  assert.equal(await countCalls(look), 0);
  clock.nowMs = 2_000;
  assert.equal(await count(), 3);
  assert.equal((await store.dems.list())[0]?.fileCount, 3);
});

test('each change of elevation models made here is seen at once', async (t) => {
  const { store } = makeRemembering(t, { freshMs: 2_000 });
  const look = async () => {
    const [first] = await store.dems.list();
    const found = await store.dems.findFiles(DEM, WORLD, 9);
    return [first?.order ?? null, found.map(({ id }) => id)];
  };
  assert.deepEqual(await look(), [null, []]);
  await store.dems.putDem(makeDem('a', { order: 1 }));
  await store.dems.putFiles([makeDemFile('a', 0, 0), makeDemFile('a', 1, 0)]);
  assert.deepEqual(await look(), [1, ['a 0 0 0', 'a 0 1 0']]);
  await store.dems.putDem(makeDem('a', { order: 2 }));
  assert.deepEqual(await look(), [2, ['a 0 0 0', 'a 0 1 0']]);
  await store.dems.removeFiles(['a 0 0 0']);
  assert.deepEqual(await look(), [2, ['a 0 1 0']]);
  await store.dems.removeDem('a');
  assert.deepEqual(await look(), [null, []]);
});

test('recently found elevation models are found for a minute of an outage', async (t) => {
  const { store, elsewhere, watch, clock } = makeRemembering(t, { freshMs: 0 });
  await elsewhere.dems.putDem(makeDem('a'));
  await elsewhere.dems.putFiles([makeDemFile('a', 0, 0)]);
  const [listed, found] = [await store.dems.list(), await store.dems.findFiles(DEM, WORLD, 9)];
  watch.isAway = true;
  clock.nowMs = 59_999;
  assert.deepEqual(await store.dems.list(), listed);
  assert.deepEqual(await store.dems.findFiles(DEM, WORLD, 9), found);
  await assert.rejects(store.dems.findFiles(DEM, WORLD, 8), { code: 'store-unavailable' });
  await assert.rejects(store.dems.removeDem('a'), { code: 'store-unavailable' });
  assert.deepEqual(await store.dems.list(), listed, 'a write that failed has changed nothing');
  clock.nowMs = 60_000;
  await assert.rejects(store.dems.list(), { code: 'store-unavailable' });
  await assert.rejects(store.dems.findFiles(DEM, WORLD, 9), { code: 'store-unavailable' });
});
