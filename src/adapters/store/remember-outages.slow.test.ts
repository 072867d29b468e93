import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeScene } from '../../catalog/testing/make-scene.ts';
import { makeKeys } from '../../keys/index.ts';
import { makeRemembering } from './testing/remembering.ts';

test('a recently valid key stays valid for a minute of an outage, but not if it is revoked', async (t) => {
  const { store, elsewhere, watch, clock } = makeRemembering(t, { freshMs: 0 });
  let wall = '2026-01-01';
  const keys = makeKeys({ store: store.keys, configuredSecret: 'configured', now: () => new Date(wall) });
  const expiresAt = '2026-06-01';
  const { secret, record: made } = await keys.create({ label: 'one', expiresAt });
  assert.equal((await keys.verify(secret))?.id, made.id);
  watch.isAway = true;
  clock.nowMs = 59_999;
  assert.equal((await keys.verify(secret))?.id, made.id);
  await assert.rejects(keys.verify('two'), { code: 'store-unavailable' }, 'a key that was never seen');
  assert.equal((await keys.verify('configured'))?.id, 'configured');
  wall = '2026-06-02';
  assert.equal(await keys.verify(secret), null, 'it expires during an outage too');
  wall = '2026-01-01';
  clock.nowMs = 60_000;
  await assert.rejects(keys.verify(secret), { code: 'store-unavailable' });

  watch.isAway = false;
  assert.equal((await keys.verify(secret))?.id, made.id);
  await elsewhere.keys.revoke(made.id, '2026-01-02T00:00:00.000Z');
  assert.equal(await keys.verify(secret), null, 'while the store answers, it decides');
  watch.isAway = true;
  assert.equal(await keys.verify(secret), null, 'its last answer holds during the outage');
});

test('recently found scenes are found during an outage, and absent ones stay absent', async (t) => {
  const { store, elsewhere, watch, clock } = makeRemembering(t, { freshMs: 2_000 });
  const scene = await elsewhere.scenes.put(makeScene(1));
  const { viewId, dataset, sceneId } = scene;
  await store.scenes.findByViewId(viewId);
  await store.scenes.findByViewId('S2/other');
  await store.scenes.findByName(dataset, sceneId);
  watch.isAway = true;
  clock.nowMs = 59_999;
  assert.deepEqual(await store.scenes.findByViewId(viewId), scene);
  assert.equal(await store.scenes.findByViewId('S2/other'), null);
  assert.deepEqual(await store.scenes.findByName(dataset, sceneId), scene);
  await assert.rejects(store.scenes.findByName('landsat8', sceneId), { code: 'store-unavailable' });
  await assert.rejects(store.scenes.put(makeScene(1, { sunElevationDeg: 1 })), { code: 'store-unavailable' });
  assert.deepEqual(await store.scenes.findByViewId(viewId), scene, 'a write that failed has changed nothing');
  clock.nowMs = 60_000;
  await assert.rejects(store.scenes.findByViewId(viewId), { code: 'store-unavailable' });
});

test('a measurement that could not be stored is made once', async (t) => {
  const { store, watch } = makeRemembering(t, { freshMs: 2_000 });
  watch.isAway = true;
  assert.equal(await store.contrasts.find('a'), null, 'not measured yet');
  await assert.rejects(store.contrasts.put('a', { min: 1, max: 2 }), { code: 'store-unavailable' });
  assert.deepEqual(await store.contrasts.find('a'), { min: 1, max: 2 });
  // For example after a full disk: the store answers, but has not stored it.
  watch.isAway = false;
  assert.deepEqual(await store.contrasts.find('a'), { min: 1, max: 2 });
});

test('after a bug no cached answers are served, unlike in an outage', async (t) => {
  const { store, elsewhere, watch, clock } = makeRemembering(t, { freshMs: 2_000 });
  const { viewId } = await elsewhere.scenes.put(makeScene(1));
  await store.scenes.findByViewId(viewId);
  watch.bug = new Error('a bug');
  clock.nowMs = 2_000;
  await assert.rejects(store.scenes.findByViewId(viewId), /a bug/);
  await assert.rejects(store.contrasts.find('a'), /a bug/);
});
