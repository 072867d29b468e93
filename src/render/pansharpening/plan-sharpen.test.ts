import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toScene } from '../../catalog/index.ts';
import { tileGrid } from '../../geo/index.ts';
import type { RenderOptions } from '../pictures/plan-picture.ts';
import { planPicture } from '../pictures/plan-picture.ts';
import { defaultOptions } from '../pictures/testing/default-options.ts';
import { DEFAULT_LIMITS } from '../plan/plan-inputs.ts';
import { toEtag } from '../plan/render-plan.ts';
import { planSceneSample } from '../samples/plan-sample.ts';
import { planDetailSamples } from './find-details.ts';
import { landsat, MIDDLE, makeLandsat } from './testing/landsat-scene.ts';

const l8 = makeLandsat('L8');
const l7 = makeLandsat('L7');

const middleAt = (zoom: number) => ({
  z: zoom,
  x: Math.floor(MIDDLE.x * 2 ** (zoom - MIDDLE.z)),
  y: Math.floor(MIDDLE.y * 2 ** (zoom - MIDDLE.z)),
});
const planOf = (bands: string, more: Partial<RenderOptions> = {}, scene = l8, zoom = 13) =>
  planPicture(
    {
      sensor: landsat(scene.viewId.slice(0, 2)),
      bands,
      grid: tileGrid(middleAt(zoom)),
      options: { ...defaultOptions, isSharpened: true, ...more },
    },
    scene,
  );
const kindsOf = (...request: Parameters<typeof planOf>) => {
  const { sharpen } = planOf(...request);
  return sharpen?.kind === 'pixelwise' ? sharpen.channels.map(({ kind }) => kind) : [sharpen?.kind];
};

test('three bands of Landsat 8 use a weighted Brovey transform, everything else is sharpened pixel by pixel', () => {
  const { sharpen } = planOf('B4,B3,B2');
  assert.ok(sharpen?.kind === 'composite');
  assert.deepEqual(sharpen.weights, [0.52, 0.25, 0.23]);
  assert.deepEqual(sharpen.limits, { min: 0, max: 65_535 });
  assert.equal(sharpen.pan.band, 'B8');
  assert.deepEqual(kindsOf('B4,B3,B2', { isComposite: true }), ['composite']);
  assert.deepEqual(kindsOf('B4'), ['band']);
  assert.deepEqual(kindsOf('NDVI'), ['computed']);
  assert.deepEqual(kindsOf('B4*2'), ['computed']);
  assert.deepEqual(kindsOf('NDVI,B4,B3', { isComposite: true }), ['computed', 'band', 'band']);
  assert.deepEqual(kindsOf('B3,B2,B1', {}, l7), ['band', 'band', 'band']);
  assert.deepEqual(kindsOf('NDVI', {}, l7), ['computed']);
});

test('the plan of a sharpened picture is plain JSON, and differs from the plan of the plain picture', () => {
  for (const bands of ['B4,B3,B2', 'B4', 'NDVI']) {
    const plan = planOf(bands);
    assert.deepEqual(JSON.parse(JSON.stringify(plan)), plan);
    const plain = planOf(bands, { isSharpened: false });
    assert.notEqual(toEtag(plan), toEtag(plain));
    assert.equal('sharpen' in plain, false);
    assert.ok(plan.bytes > plain.bytes, 'its memory is counted');
  }
});

test('CALIBRATE and aliases of reflectances make the panchromatic band physical too', () => {
  const ruleOf = (bands: string, more = {}) => planOf(bands, more).sharpen?.pan.rule;
  assert.equal(ruleOf('B4'), 'plain');
  assert.equal(ruleOf('B4', { calibrated: true }), 'linear');
  assert.equal(ruleOf('EVI'), 'linear');
  const { sharpen } = planOf('B4,B3,B2', { calibrated: true });
  assert.ok(sharpen?.kind === 'composite' && sharpen.limits === null);
});

test('RESAMPLE applies to the panchromatic band and to its local mean, which is on the pixels of the bands', () => {
  const { sharpen, inputs } = planOf('B4', { method: 'lanczos' });
  assert.ok(sharpen?.kind === 'pixelwise' && sharpen.low !== null);
  assert.equal(sharpen.pan.warp?.method, 'lanczos');
  assert.equal(sharpen.low.average.method, 'average');
  assert.deepEqual(sharpen.low.warp, inputs[0]?.warp);
  const { transform, width } = sharpen.low.grid;
  assert.equal((transform[0] - 500_000) % 30, 0);
  assert.equal(width, inputs[0]?.warp?.window.width);
  assert.deepEqual(sharpen.low.average.window, sharpen.pan.warp?.window, 'one window is read for both');
});

test('if the copy of the panchromatic band is no finer than the bands, only composites are sharpened', () => {
  const overviews = (side: number) => [2, 4, 8].map((by) => Math.ceil(side / by)).map(toSquare);
  const assets = Object.fromEntries(
    Object.entries(l8.assets).map(([band, asset]) => [band, { ...asset, overviews: overviews(asset.width) }]),
  );
  const scene = toScene({ ...l8, assets });
  assert.ok(planOf('B4', {}, scene).sharpen);
  for (const zoom of [11, 10]) {
    for (const bands of ['B4', 'NDVI']) {
      const options = { isSharpened: false };
      assert.equal(toEtag(planOf(bands, {}, scene, zoom)), toEtag(planOf(bands, options, scene, zoom)));
    }
    assert.ok(planOf('B4,B3,B2', {}, scene, zoom).sharpen, 'colours are the same at all zoom levels');
  }
});
const toSquare = (side: number) => ({ width: side, height: side });

test('the contrast of a Brovey transform is measured on its result, that of other pictures on the bands', () => {
  const kinds = (bands: string, more = {}) => planOf(bands, more).stretches.map(({ kind }) => kind);
  assert.deepEqual(kinds('B4,B3,B2'), ['sharpened', 'sharpened', 'sharpened']);
  assert.deepEqual(kinds('B4,B3,B2', { range: { min: 0, max: 9 } }), ['fixed', 'fixed', 'fixed']);
  assert.deepEqual(kinds('B4'), ['measured']);
  assert.equal(
    planSceneSample(planOf('B4,B3,B2'), l8, DEFAULT_LIMITS.sample).sharpen?.pan.warp?.method,
    'near',
  );
  assert.equal(planSceneSample(planOf('NDVI'), l8, DEFAULT_LIMITS.sample).sharpen, undefined);
});

test('detail is measured at sixteen places of the scene at full resolution, the same for all tiles', () => {
  const places = planDetailSamples(planOf('NDVI'), l8);
  assert.equal(places.length, 16);
  for (const { grid, sharpen } of places) {
    assert.deepEqual([grid.width, grid.height, grid.transform[1]], [128, 128, 15]);
    assert.equal(sharpen?.pan.warp?.level, 0);
  }
  assert.deepEqual(planDetailSamples(planOf('NDVI', {}, l8, 14), l8), places);
});

test('requests that cannot be sharpened are refused with the reason', () => {
  const refused = (code: string, ...request: Parameters<typeof planOf>) =>
    assert.throws(() => planOf(...request), { code });
  refused('not-sharpened', 'B10');
  refused('not-sharpened', 'B8');
  refused('not-sharpened', 'B5,B4,B10');
  refused('not-sharpened', 'B10*2');
  refused('sharpened-classes', 'less(B4,B3)');
  refused('sharpened-classes', 'B4', { color: { palette: '{"1":"ff0000"}' } });
  const { B8: _, ...bands } = l8.assets;
  assert.throws(() => planOf('B4', {}, toScene({ ...l8, assets: bands })), {
    tag: 'unsupported',
    code: 'no-such-band-file',
    message: /panchromatic band B8/,
  });
  const sensor = landsat('S2');
  assert.throws(
    () =>
      planPicture(
        { sensor, bands: 'B04', grid: tileGrid(MIDDLE), options: { ...defaultOptions, isSharpened: true } },
        toScene({ ...l8, viewId: 'S2/31/T/DH/2026/6/21/0', assets: { B04: Object.values(l8.assets)[0]! } }),
      ),
    { code: 'no-pansharpening', tag: 'unsupported' },
  );
});
