import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Scene } from '../../catalog/index.ts';
import { makeScene } from '../../catalog/testing/make-scene.ts';
import { makeKeys } from '../../keys/index.ts';
import type { Recipe } from '../../library/index.ts';
import type { NewKnownScene } from '../../live/index.ts';
import { makeRemembering, record } from './testing/remembering.ts';

test('all look-ups of a warm tile are cache hits until the TTL', async (t) => {
  const { store, elsewhere, clock, countCalls } = makeRemembering(t, { freshMs: 2_000 });
  await elsewhere.keys.insert(record, 'hash');
  const scene = await elsewhere.scenes.put(makeScene(1));
  await elsewhere.contrasts.put('c', { min: 1, max: 2 });
  const look = async () => {
    assert.deepEqual(await store.keys.findByHash('hash'), record);
    assert.deepEqual(await store.scenes.findByViewId(scene.viewId), scene);
    assert.deepEqual(await store.scenes.findByName(scene.dataset, scene.sceneId), scene);
    assert.equal((await store.scenes.findHit?.(scene.viewId))?.version, scene.version);
    assert.deepEqual(await store.contrasts.find('c'), { min: 1, max: 2 });
  };
  assert.equal(await countCalls(look), 5);
  clock.nowMs = 1_999;
  assert.equal(await countCalls(look), 0);
  clock.nowMs = 2_000;
  assert.equal(await countCalls(look), 4, 'a contrast never changes');
  clock.nowMs = 3_999;
  assert.equal(await countCalls(look), 0);
});

test('with a TTL of 0 each look-up queries the store', async (t) => {
  const { store, elsewhere, countCalls } = makeRemembering(t, { freshMs: 0 });
  await elsewhere.keys.insert(record, 'hash');
  for (let i = 0; i < 3; i += 1) assert.equal(await countCalls(() => store.keys.findByHash('hash')), 1);
});

test('equal look-ups in flight share one call, and others do not wait for it', async (t) => {
  const { store, elsewhere, watch, countCalls } = makeRemembering(t, { freshMs: 2_000 });
  const scene = await elsewhere.scenes.put(makeScene(1));
  const { promise, resolve } = Promise.withResolvers<void>();
  watch.gate = promise;
  const asked = Array.from({ length: 30 }, () => store.scenes.findByViewId(scene.viewId));
  const other = store.scenes.findByViewId('S2/other');
  assert.deepEqual(watch.calls, ['findByViewId', 'findByViewId']);
  resolve();
  for (const found of await Promise.all(asked)) assert.deepEqual(found, scene);
  assert.equal(await other, null);
  assert.equal(await countCalls(() => store.scenes.findByViewId(scene.viewId)), 0);
});

test('a key revoked elsewhere is refused after the TTL, one revoked here at once', async (t) => {
  const { store, elsewhere, clock } = makeRemembering(t, { freshMs: 2_000 });
  const keys = makeKeys({ store: store.keys, configuredSecret: null, now: () => new Date('2026-01-01') });
  const [here, there] = [await keys.create({ label: 'here' }), await keys.create({ label: 'there' })];
  for (const { secret, record: made } of [here, there]) {
    assert.equal((await keys.verify(secret))?.id, made.id);
  }
  await elsewhere.keys.revoke(there.record.id, '2026-01-02T00:00:00.000Z');
  clock.nowMs = 1_999;
  assert.equal((await keys.verify(there.secret))?.id, there.record.id);
  clock.nowMs = 2_000;
  assert.equal(await keys.verify(there.secret), null);
  assert.equal((await keys.verify(here.secret))?.id, here.record.id);
  await keys.revoke(here.record.id);
  assert.equal(await keys.verify(here.secret), null);
});

test('a recipe and its owner are looked up once until the TTL, and a share that ends here ends at once', async (t) => {
  const { store, elsewhere, clock, countCalls } = makeRemembering(t, { freshMs: 2_000 });
  await elsewhere.keys.insert(record, 'hash');
  const share = { id: 'f'.repeat(32), expiresAt: null, ratePerMinute: 60 };
  const recipe: Recipe = {
    owner: record.id,
    id: 'a'.repeat(32),
    name: 'Fields',
    content: { scenes: { kind: 'scene', viewId: 'S2/x' }, bands: 'B04', query: {} },
    createdAt: '2026-01-01T00:00:00.000Z',
    share,
  };
  await elsewhere.recipes.put(recipe, 9);
  const look = async () => {
    assert.deepEqual(await store.recipes.findShared(share.id), recipe);
    assert.deepEqual(await store.recipes.find(recipe.id, record.id), recipe);
    assert.equal(await store.recipes.find(recipe.id, 'b2'), null);
    assert.deepEqual(await store.keys.findById(record.id), record);
  };
  assert.equal(await countCalls(look), 4);
  assert.equal(await countCalls(look), 1, 'of what is absent the store is asked again');
  await elsewhere.recipes.change(recipe.id, record.id, { share: null });
  clock.nowMs = 1_999;
  assert.ok(await store.recipes.findShared(share.id));
  clock.nowMs = 2_000;
  assert.equal(await store.recipes.findShared(share.id), null);
  const ends: readonly (() => Promise<unknown>)[] = [
    () => store.recipes.change(recipe.id, record.id, { share: null }),
    () => store.recipes.remove(recipe.id, record.id),
    () => store.recipes.removeAll(record.id),
  ];
  for (const end of ends) {
    await store.recipes.put(recipe, 9);
    await store.recipes.change(recipe.id, record.id, { share });
    assert.ok(await store.recipes.findShared(share.id));
    await end();
    assert.equal(await store.recipes.findShared(share.id), null);
  }
});

test('an unknown key stays unknown for half a second, and until it is created here', async (t) => {
  const { store, elsewhere, clock, countCalls } = makeRemembering(t, { freshMs: 2_000 });
  assert.equal(await store.keys.findByHash('hash'), null);
  assert.equal(await countCalls(() => store.keys.findByHash('hash')), 0);
  await elsewhere.keys.insert(record, 'hash');
  clock.nowMs = 500;
  assert.deepEqual(await store.keys.findByHash('hash'), record);
  assert.equal(await store.keys.findByHash('another'), null);
  await store.keys.insert({ ...record, id: 'b2' }, 'another');
  assert.equal((await store.keys.findByHash('another'))?.id, 'b2');
});

test('a flood of wrong keys evicts no valid key', async (t) => {
  const { store, elsewhere, countCalls } = makeRemembering(t, { freshMs: 2_000 });
  await elsewhere.keys.insert(record, 'hash');
  await store.keys.findByHash('hash');
  for (let i = 0; i < 10_001; i += 1) await store.keys.findByHash(`wrong ${i}`);
  assert.equal(await countCalls(() => store.keys.findByHash('hash')), 0);
});

test('a scene changed elsewhere is seen after the TTL, one changed here at once, and a new one always', async (t) => {
  const { store, elsewhere, clock } = makeRemembering(t, { freshMs: 2_000 });
  const first = await elsewhere.scenes.put(makeScene(1));
  const { viewId, dataset, sceneId } = first;
  const find = async () => {
    const found = await store.scenes.findByViewId(viewId);
    assert.equal((await store.scenes.findHit?.(viewId))?.version, found?.version);
    return [found, await store.scenes.findByName(dataset, sceneId)];
  };
  assert.deepEqual(await find(), [first, first]);
  const second = await elsewhere.scenes.put(makeScene(1, { sunElevationDeg: 1 }));
  clock.nowMs = 1_999;
  assert.deepEqual(await find(), [first, first]);
  clock.nowMs = 2_000;
  assert.deepEqual(await find(), [second, second]);

  const third = await store.scenes.put(makeScene(1, { sunElevationDeg: 2 }));
  assert.deepEqual(await find(), [third, third]);
  await store.scenes.putMany([makeScene(1, { sunElevationDeg: 3 })]);
  assert.equal((await find())[0]?.sunElevationDeg, 3);
  const { version = '' } = (await find())[0] ?? {};
  const fourth = await store.scenes.replace(makeScene(1, { sunElevationDeg: 4 }), version);
  assert.deepEqual(await find(), [fourth, fourth]);
  const fifth = await elsewhere.scenes.put(makeScene(1, { sunElevationDeg: 5 }));
  assert.equal(await store.scenes.replace(makeScene(1, { sunElevationDeg: 6 }), version), null);
  assert.deepEqual(await find(), [fifth, fifth], 'a scene that was not replaced is read again');
  await store.scenes.remove(viewId);
  assert.deepEqual(await find(), [null, null]);
  await elsewhere.scenes.put(makeScene(1));
  assert.deepEqual(await find(), [first, first], 'a new scene is found at once');
});

const BOUNDS = { max: 10, usedAt: '2026-07-01T00:00:00.000Z' };

const makeKnown = (sunElevationDeg: number): NewKnownScene => ({
  scene: makeScene(1, { sunElevationDeg }),
  catalog: 'planet',
  itemUrl: 'https://catalog.example/1',
  itemState: null,
  checkedAt: '2026-07-01T00:00:00.000Z',
});

test('a known scene is served without the store for the configured time, and its uses and claims are not delayed', async (t) => {
  const { store, elsewhere, watch, clock, countCalls } = makeRemembering(t, { freshMs: 2_000 });
  const [scene] = await elsewhere.knownScenes.putMany([makeKnown(1)], BOUNDS);
  const { viewId, dataset, sceneId } = scene as Scene;
  const look = async () => {
    assert.deepEqual((await store.knownScenes.findByViewId(viewId))?.scene, scene);
    assert.deepEqual((await store.knownScenes.findByName(dataset, sceneId))?.scene, scene);
  };
  assert.equal(await countCalls(look), 2);
  await store.knownScenes.touch([viewId], '2026-07-02T00:00:00.000Z');
  await store.knownScenes.hold([viewId], '2026-07-03T00:00:00.000Z');
  assert.equal(await store.knownScenes.claim(viewId, { owner: 'here', untilMs: Date.UTC(2100, 0) }), true);
  await store.knownScenes.release(viewId, 'here');
  clock.nowMs = 1_999;
  assert.equal(await countCalls(look), 0, 'a use changes nothing of the answer');
  watch.isAway = true;
  clock.nowMs = 59_999;
  await look();
  clock.nowMs = 60_000;
  await assert.rejects(look(), { code: 'store-unavailable' });
});

test('a known scene changed elsewhere is seen in time, one changed here at once, and a new one always', async (t) => {
  const { store, elsewhere, clock } = makeRemembering(t, { freshMs: 2_000 });
  const { viewId, dataset, sceneId } = makeKnown(1).scene;
  const find = async () => {
    const found = await Promise.all([
      store.knownScenes.findByViewId(viewId),
      store.knownScenes.findByName(dataset, sceneId),
    ]);
    return found.map((known) => known && [known.scene.sunElevationDeg, known.checkedAt.slice(0, 10)]);
  };
  assert.deepEqual(await find(), [null, null]);
  await elsewhere.knownScenes.putMany([makeKnown(1)], BOUNDS);
  const first = [1, '2026-07-01'];
  assert.deepEqual(await find(), [first, first], 'a new scene is found at once');
  await elsewhere.knownScenes.putMany([makeKnown(2)], BOUNDS);
  assert.deepEqual(await find(), [first, first]);
  clock.nowMs = 2_000;
  const second = [2, '2026-07-01'];
  assert.deepEqual(await find(), [second, second]);
  await store.knownScenes.confirm(viewId, '2026-07-09T00:00:00.000Z');
  const confirmed = [2, '2026-07-09'];
  assert.deepEqual(await find(), [confirmed, confirmed]);
  await store.knownScenes.putMany([makeKnown(3)], BOUNDS);
  const third = [3, '2026-07-01'];
  assert.deepEqual(await find(), [third, third]);
  await store.knownScenes.remove(viewId);
  assert.deepEqual(await find(), [null, null]);
});

test('an answer from before a write is not cached', async (t) => {
  const { store, elsewhere, watch } = makeRemembering(t, { freshMs: 2_000 });
  const before = await elsewhere.scenes.put(makeScene(1));
  const { viewId } = before;
  const { promise, resolve } = Promise.withResolvers<void>();
  watch.gate = promise;
  const asked = store.scenes.findByViewId(viewId);
  watch.gate = Promise.resolve();
  const after = await store.scenes.put(makeScene(1, { sunElevationDeg: 1 }));
  assert.deepEqual(await store.scenes.findByViewId(viewId), after);
  // The late look-up reads the earlier state.
  await elsewhere.scenes.put(makeScene(1));
  resolve();
  assert.deepEqual(await asked, before);
  assert.deepEqual(await store.scenes.findByViewId(viewId), after);
});
