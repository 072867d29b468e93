import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toScene } from '../../catalog/index.ts';
import { makeScene } from '../../catalog/testing/make-scene.ts';
import { unavailable } from '../../errors.ts';
import type { KeyRecord } from '../../keys/index.ts';
import { makeKeys } from '../../keys/index.ts';
import { surviveOutages } from './survive-outages.ts';

const record: KeyRecord = {
  id: 'a1',
  label: '',
  scope: 'full',
  ratePerMinute: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  expiresAt: '2026-06-01T00:00:00.000Z',
  revokedAt: null,
};

/** A store that can go away. */
function makeFailing() {
  const state = { isAway: false, nowMs: 0, key: record as KeyRecord | null, bug: null as Error | null };
  const scene = toScene(makeScene(1));
  const contrasts = new Map<string, { min: number; max: number }>();
  const answer = async <Value>(value: () => Value): Promise<Value> => {
    if (state.bug !== null) throw state.bug;
    if (state.isAway) throw unavailable('store-unavailable', 'away');
    return value();
  };
  const store = {
    keys: { findByHash: () => answer(() => state.key) },
    scenes: {
      findByViewId: (viewId: string) => answer(() => (viewId === scene.viewId ? scene : null)),
      findByName: (_: string, name: string) => answer(() => (name === 'name' ? scene : null)),
    },
    contrasts: {
      find: (key: string) => answer(() => contrasts.get(key) ?? null),
      put: (key: string, range: { min: number; max: number }) => answer(() => void contrasts.set(key, range)),
    },
    intensities: { find: () => answer(() => null), put: () => answer(() => {}) },
  };
  const survivor = surviveOutages(store as never as Parameters<typeof surviveOutages>[0], {
    nowMs: () => state.nowMs,
    outageMs: 60_000,
  });
  return { state, survivor, scene };
}

test('a key that was valid lately stays so during an outage, for a minute, and never when it is revoked', async () => {
  const { state, survivor } = makeFailing();
  let wall = '2026-01-01';
  const keys = makeKeys({ store: survivor.keys, configuredSecret: 'configured', now: () => new Date(wall) });
  assert.equal((await keys.verify('one'))?.id, 'a1');
  state.isAway = true;
  state.nowMs = 59_999;
  assert.equal((await keys.verify('one'))?.id, 'a1');
  await assert.rejects(keys.verify('two'), { code: 'store-unavailable' }, 'nobody can tell');
  assert.equal((await keys.verify('configured'))?.id, 'configured');
  wall = '2026-06-02';
  assert.equal(await keys.verify('one'), null, 'it ends in time all the same');
  wall = '2026-01-01';
  state.nowMs = 60_000;
  await assert.rejects(keys.verify('one'), { code: 'store-unavailable' });

  state.isAway = false;
  assert.equal((await keys.verify('one'))?.id, 'a1');
  state.key = { ...record, revokedAt: '2026-01-02T00:00:00.000Z' };
  assert.equal(await keys.verify('one'), null, 'the store is asked as long as it answers');
  state.isAway = true;
  assert.equal(await keys.verify('one'), null, 'and its last word holds');
});

test('scenes that were found lately are found, and what was absent is absent', async () => {
  const { state, survivor, scene } = makeFailing();
  await survivor.scenes.findByViewId(scene.viewId);
  await survivor.scenes.findByViewId('S2/other');
  await survivor.scenes.findByName('sentinel2', 'name');
  state.isAway = true;
  assert.equal(await survivor.scenes.findByViewId(scene.viewId), scene);
  assert.equal(await survivor.scenes.findByViewId('S2/other'), null);
  assert.equal(await survivor.scenes.findByName('sentinel2', 'name'), scene);
  await assert.rejects(survivor.scenes.findByName('landsat8', 'name'), { code: 'store-unavailable' });
  state.nowMs = 60_000;
  await assert.rejects(survivor.scenes.findByViewId(scene.viewId), { code: 'store-unavailable' });
});

test('what was measured and could not be stored is measured once', async () => {
  const { state, survivor } = makeFailing();
  state.isAway = true;
  assert.equal(await survivor.contrasts.find('a'), null, 'to be measured');
  await assert.rejects(survivor.contrasts.put('a', { min: 1, max: 2 }), { code: 'store-unavailable' });
  assert.deepEqual(await survivor.contrasts.find('a'), { min: 1, max: 2 });
  // A full disk: the store answers, but has not kept it.
  state.isAway = false;
  assert.deepEqual(await survivor.contrasts.find('a'), { min: 1, max: 2 });
});

test('a bug is not taken for an outage', async () => {
  const { state, survivor, scene } = makeFailing();
  await survivor.scenes.findByViewId(scene.viewId);
  state.bug = new Error('a bug');
  await assert.rejects(survivor.scenes.findByViewId(scene.viewId), /a bug/);
  await assert.rejects(survivor.contrasts.find('a'), /a bug/);
});
