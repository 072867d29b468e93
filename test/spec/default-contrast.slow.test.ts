/** A picture without MIN_MAX has the contrast that `ir` answers when nothing else is asked for. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Scene } from '../../src/catalog/index.ts';
import { tileGrid } from '../../src/geo/index.ts';
import { aTicket } from '../../src/pool/testing/run-here.ts';
import { makeFindContrast } from '../../src/render/intensity/find-contrast.ts';
import { makeFindIntensity } from '../../src/render/intensity/find-intensity.ts';
import { planPicture } from '../../src/render/pictures/plan-picture.ts';
import { defaultOptions } from '../../src/render/pictures/testing/default-options.ts';
import { DEFAULT_LIMITS } from '../../src/render/plan/plan-inputs.ts';
import { stillFiles } from '../../src/render/scenes/testing/still-files.ts';
import { sensorByDataset } from '../../src/sensors/index.ts';
import { HANG_MS } from '../../src/testing/wait-for.ts';
import type { MadeProducts } from '../world/make-products.ts';
import { makeProducts } from '../world/make-products.ts';

/** Bands, expressions and composites, calibrated or not, of every kind of sensor; with or without clouds known. */
const CASES = [
  ['sentinel2-l1c-polygons', ['B04', 'B11', 'B04,B03,B02', 'NDVI', 'B8A/B11,B04,NDVI', 'ISTACK']],
  ['sentinel2-l1c-images', ['B04', 'B04,B03,B02', 'EVI', 'B12,B8A,B02']],
  ['sentinel2-l2a', ['B04', 'B04,B03,B02', 'SCL', '(B08-B04)/(B08+B04)']],
  ['landsat8-c2', ['B4', 'B4,B3,B2', 'B10', 'BQA', 'NDVI', 'B8,NDVI,B4*2']],
  ['landsat7-c2', ['B3', 'B3,B2,B1', 'B8']],
  ['modis', ['B01', 'B01,B04,B03']],
  ['cbers4mux', ['BAND7', 'BAND7,BAND6,BAND5']],
  ['sentinel1', ['VV', 'VV/VH']],
] as const;

let made: MadeProducts;
before(async () => {
  made = await makeProducts([...CASES.map(([key]) => key), 'naip-rgbir']);
});
after(() => made.folder.remove());

const forgets = { find: async () => null, put: async () => {} };
const shared = { timeoutMs: HANG_MS, onForgotten: (error: unknown) => assert.fail(String(error)) };

async function contrastOf(scene: Scene, bands: string, calibrated: boolean) {
  const sensor = sensorByDataset(scene.dataset)!;
  const options = { ...defaultOptions, calibrated, isComposite: bands.includes(',') };
  // With colours that follow the contrast, also where an index or a band has some of its own.
  const gray = { colormap: { kind: 'named', name: 'gray', isReversed: false } } as const;
  const color = bands.includes(',') || bands === 'ISTACK' ? {} : gray;
  const grid = tileGrid({ z: 12, x: 655, y: 1422 });
  const plan = planPicture({ sensor, bands, grid, options: { ...options, color } }, scene);
  const found = await makeFindContrast({
    limits: DEFAULT_LIMITS,
    ...shared,
    pool: made.pool,
    store: forgets,
  })({ plan, scene }, aTicket);
  return found.map(({ min, max }) => ({ min, max }));
}

async function intensityOf(scene: Scene, bands: string, calibrated: boolean) {
  const { findByViewId, findByName } = made.folder.options.store;
  const find = makeFindIntensity({
    limits: DEFAULT_LIMITS,
    ...shared,
    pool: made.pool,
    store: forgets,
    compareScene: async (one) => one,
    watch: stillFiles,
    scenes: { findByViewId, findByName } as never,
  });
  return find(
    {
      sensor: sensorByDataset(scene.dataset)!,
      viewId: scene.viewId,
      sceneName: '',
      bands,
      calibrated,
      within: null,
      area: null,
      countsClouds: true,
      onlyOpaque: null,
      // The default parameters of an intensity range.
      rule: { method: 'cc', lowPercent: 2, highPercent: 98, cloudPercent: 0 },
    },
    aTicket,
  );
}

const CORRECTED = ['sentinel2-l1c-polygons', 'sentinel2-l1c-images', 'sentinel2-l2a', 'landsat8-c2'];

for (const [key, cases] of CASES) {
  test(`MIN_MAX by default is what an intensity range answers by default: ${key}`, async () => {
    const scene = made.sceneOf.get(key)!;
    for (const bands of cases) {
      for (const calibrated of key === 'cbers4mux' ? [false] : [false, true]) {
        const { ranges, cloudPercent, isCorrected } = await intensityOf(scene, bands, calibrated);
        const wanted = ranges.map(({ min, max }) => ({ min, max }));
        assert.deepEqual(await contrastOf(scene, bands, calibrated), wanted, `${bands} ${calibrated}`);
        if (CORRECTED.includes(key)) assert.ok(isCorrected && cloudPercent! > 1, `${cloudPercent}`);
      }
    }
  });
}

test('cloud correction: opaque clouds of the mask for Sentinel-2, whatever the metadata say', async () => {
  const scene = made.sceneOf.get('sentinel2-l1c-images')!;
  const [defaultRange] = await contrastOf(scene, 'B04', false);
  const { cloudPercent } = await intensityOf(scene, 'B04', false);
  assert.ok(cloudPercent! < scene.cloudPercent! - 5, `${cloudPercent} of ${scene.cloudPercent}`);
  assert.deepEqual(await contrastOf({ ...scene, cloudPercent: 1 }, 'B04', false), [defaultRange]);
  // Without a mask the percentage of the scene is all there is.
  const { cloudMask: _, ...bare } = scene;
  const [stated] = await contrastOf({ ...bare, cloudPercent: cloudPercent! }, 'B04', false);
  assert.deepEqual(stated, defaultRange);
  const [more] = await contrastOf({ ...bare, cloudPercent: cloudPercent! + 40 }, 'B04', false);
  assert.ok(more!.max < defaultRange!.max && more!.min === defaultRange!.min);
});

test('cloud correction: none for CBERS-4, MODIS and Sentinel-1, whatever a catalog says of them', async () => {
  for (const [key, band] of [
    ['cbers4mux', 'BAND7'],
    ['modis', 'B01'],
    ['sentinel1', 'VV'],
  ] as const) {
    const scene = made.sceneOf.get(key)!;
    const plain = await contrastOf(scene, band, false);
    assert.deepEqual(await contrastOf({ ...scene, cloudPercent: 60 }, band, false), plain, key);
  }
});

test('cloud correction: a percentage that Landsat calls "not computed" corrects nothing', async () => {
  const scene = made.sceneOf.get('landsat7-c2')!;
  const none = await contrastOf({ ...scene, cloudPercent: 0 }, 'B3', false);
  assert.deepEqual(await contrastOf({ ...scene, cloudPercent: -1 }, 'B3', false), none);
  assert.deepEqual(await contrastOf({ ...scene, cloudPercent: null }, 'B3', false), none);
});

test('NAIP, 8-bit pictures, is shown as it is, though it has an intensity range', async () => {
  const scene = made.sceneOf.get('naip-rgbir')!;
  const shown = Array.from({ length: 3 }, () => ({ min: 0, max: 255 }));
  assert.deepEqual(await contrastOf(scene, 'R,G,B', false), shown);
  const { ranges, isCorrected } = await intensityOf(scene, 'R,G,B', false);
  assert.ok(!isCorrected && ranges.every(({ min, max }) => min > 0 && max < 256));
});
