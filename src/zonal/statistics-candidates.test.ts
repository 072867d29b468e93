import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Scene } from '../catalog/index.ts';
import { toScene } from '../catalog/index.ts';
import { makeScene } from '../catalog/testing/make-scene.ts';
import { findClassified, isSentinel2, isStandInForKnown, withLevel2A } from './statistics.ts';

const level1C = toScene(makeScene(3));
const level2A = toScene(makeScene(3, { viewId: 'S2L2A/31/T/DH/2026/6/3/0', dataset: 'sentinel2l2a' }));
const landsat = toScene(makeScene(3, { viewId: 'L8/LC81970302026154LGN00', dataset: 'landsat8' }));

const catalog = (...scenes: readonly Scene[]) => ({
  findByViewId: async (viewId: string) => scenes.find((scene) => scene.viewId === viewId) ?? null,
});

test('an order for Level-1C also searches Level-2A', () => {
  assert.deepEqual(withLevel2A(['landsat8', 'sentinel2']), ['landsat8', 'sentinel2', 'sentinel2l2a']);
  assert.deepEqual(withLevel2A(['sentinel2', 'sentinel2l2a']), ['sentinel2', 'sentinel2l2a']);
  assert.deepEqual(withLevel2A(['landsat8']), ['landsat8']);
});

test('Level-2A replaces Level-1C only where the catalog has no Level-1C', async () => {
  const ordered = ['sentinel2'];
  assert.equal(await isStandInForKnown(level2A, ordered, catalog(level1C, level2A)), true);
  assert.equal(await isStandInForKnown(level2A, ordered, catalog(level2A)), false);
  assert.equal(await isStandInForKnown(level1C, ordered, catalog(level1C, level2A)), false);
});

test('Level-2A is never left out if it was ordered itself', async () => {
  const both = ['sentinel2', 'sentinel2l2a'];
  assert.equal(await isStandInForKnown(level2A, both, catalog(level1C, level2A)), false);
});

test('the classification comes from the scene itself or from its Level-2A', async () => {
  const all = catalog(level1C, level2A, landsat);
  assert.equal((await findClassified(level2A, catalog()))?.scene, level2A);
  const found = await findClassified(level1C, all);
  assert.deepEqual([found?.scene.viewId, found?.sensor.dataset], [level2A.viewId, 'sentinel2l2a']);
  assert.equal(await findClassified(level1C, catalog(level1C)), null);
  assert.equal(await findClassified(landsat, all), null);
});

test('both levels count as Sentinel-2, Landsat does not', () => {
  assert.deepEqual([level1C, level2A, landsat].map(isSentinel2), [true, true, false]);
});
