import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Asset, CloudMask, NewScene } from '../catalog/index.ts';
import { toScene } from '../catalog/index.ts';
import { makeScene } from '../catalog/testing/make-scene.ts';
import { sensorByDataset } from '../sensors/index.ts';
import type { PlannedMask } from './measure-scene.ts';
import type { SensedScene } from './plan-scene.ts';
import { planMasks } from './plan-scene.ts';
import type { ClassLevel } from './statistics-order.ts';
import { toTestAsset } from './testing/statistics-here.ts';

const image = { width: 60, height: 60, pixelM: 10 };
const { epsg, transform, width, height } = toTestAsset('B04', image);
const grid = { epsg, transform, width, height };

function sense(dataset: string, mask: CloudMask | null, more: Partial<NewScene> = {}): SensedScene {
  const names = ['B04', 'SCL', 'BQA'];
  const assets = Object.fromEntries(names.map((band): [string, Asset] => [band, toTestAsset(band, image)]));
  const cloudMask = mask === null ? {} : { cloudMask: mask };
  const sensor = sensorByDataset(dataset);
  if (sensor === null) throw new Error(dataset);
  return { scene: toScene(makeScene(1, { dataset, assets, ...cloudMask, ...more })), sensor };
}

const ofClasses: CloudMask = { kind: 'classes', band: 'SCL' };
const ofFlags: CloudMask = {
  kind: 'flags',
  asset: toTestAsset('mask', { width: 10, height: 10, pixelM: 60 }),
};
const level1C = sense('sentinel2', ofFlags);
const level2A = sense('sentinel2l2a', ofClasses, { viewId: 'S2L2A/31/T/DH/2026/6/1/0' });

const plan = (
  one: SensedScene,
  masksClouds: boolean,
  level: ClassLevel | null,
  classified: SensedScene | null,
) => planMasks({ ...one, grid, masksClouds, level, classified });

/** What a mask is about: classes, bits or flags, what they mean, and whose they are. */
const describe = ({ plan: { source, onlyOpaque }, viewId, means }: PlannedMask) => {
  const meaning = source.kind === 'pixels' ? source.meaning : source;
  const classes = meaning.kind === 'classes' ? meaning.opaque : meaning.kind;
  return { classes, onlyOpaque, viewId, means };
};

const own2A = { classes: [8, 9], onlyOpaque: true, viewId: level2A.scene.viewId };

test('the mask of the scene itself is counted, and applied if the order says so', () => {
  assert.deepEqual(plan(level2A, false, null, null).map(describe), [{ ...own2A, means: 'counted' }]);
  assert.deepEqual(plan(level2A, true, null, null).map(describe), [{ ...own2A, means: 'masked' }]);
});

/** High probability; medium and high; all with cirrus, shadows and unclassified; all with cirrus. */
const levels = { 1: [9], 2: [8, 9], 3: [3, 7, 8, 9, 10], 4: [8, 9, 10] } as const;
for (const level of [1, 2, 3, 4] as const) {
  test(`level ${level} masks its classes, and treats nodata and defective pixels as no data`, () => {
    const all = { onlyOpaque: true, viewId: level2A.scene.viewId };
    assert.deepEqual(plan(level2A, false, level, level2A).map(describe), [
      { ...own2A, means: 'counted' },
      { ...all, classes: levels[level], means: 'masked' },
      { ...all, classes: [0, 1], means: 'no-data' },
    ]);
  });
}

test('Level-1C uses both its own mask and the classes of its Level-2A', () => {
  const found = plan(level1C, true, 1, level2A);
  assert.deepEqual(found.map(describe), [
    { classes: 'flags', onlyOpaque: true, viewId: level1C.scene.viewId, means: 'masked' },
    { classes: [9], onlyOpaque: true, viewId: level2A.scene.viewId, means: 'masked' },
    { classes: [0, 1], onlyOpaque: true, viewId: level2A.scene.viewId, means: 'no-data' },
  ]);
  assert.deepEqual(
    found.map(({ sceneVersion }) => sceneVersion),
    [level1C.scene.version, level2A.scene.version, level2A.scene.version],
  );
});

test('Level-1C without Level-2A uses only its own mask, at any level', () => {
  assert.deepEqual(plan(level1C, false, 3, null).map(describe), [
    { classes: 'flags', onlyOpaque: true, viewId: level1C.scene.viewId, means: 'counted' },
  ]);
});

test('clouds and cirrus of Landsat 8 are counted', () => {
  const landsat = sense('landsat8', { kind: 'quality', band: 'BQA', layout: 'collection-2' });
  assert.deepEqual(plan(landsat, false, null, null).map(describe), [
    { classes: 'bits', onlyOpaque: false, viewId: landsat.scene.viewId, means: 'counted' },
  ]);
});

test('sensors without information about single pixels have no masks', () => {
  const quality: CloudMask = { kind: 'quality', band: 'BQA', layout: 'collection-2' };
  assert.deepEqual(plan(sense('landsat7', quality), true, null, null), []);
  assert.deepEqual(plan(sense('modis', null), true, null, null), []);
  assert.deepEqual(plan(sense('cbers4mux', null), true, null, null), []);
});
