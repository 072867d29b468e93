import assert from 'node:assert/strict';
import { test } from 'node:test';
import { viewerSensors } from '../../test/support/viewer-sensors.ts';
import type { Picture } from './picture.ts';
import { PLAIN_PICTURE } from './picture.ts';
import { fieldOfRefusal, needsOwnContrast, planOrder, toPlainWords } from './plan-order.ts';
import type { Scene } from './scene.ts';

const sensor = viewerSensors.find(({ dataset }) => dataset === 'sentinel2l2a') ?? assert.fail();
const outline = {
  type: 'Polygon',
  coordinates: [
    [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 0],
    ],
  ],
} as const;
const scene: Scene = {
  viewId: 'S2L2A/10/U/EU/2026/6/21/1',
  id: 'S2B_tile_20260621_10UEU_1',
  sensor,
  date: '2026-06-21',
  tms: '',
  outline,
  cloudPercent: null,
  sunElevationDeg: null,
  coveragePercent: null,
  thumbnail: null,
};
const form = {
  kind: 'bands',
  bands: null,
  expressions: null,
  where: 'scene',
  file: 'jpeg',
  pixelM: null,
  isMerged: true,
  name: '',
} as const;
const plan = (
  change: Partial<Parameters<typeof planOrder>[0]>,
  picture: Partial<Picture> = {},
  more: Partial<Parameters<typeof planOrder>[1]> = {},
) =>
  planOrder(
    { ...form, ...change },
    {
      scene,
      picture: { ...PLAIN_PICTURE, ...picture },
      bounds: null,
      outline: null,
      ownContrast: null,
      ...more,
    },
  );

test('bands: an order has those of the picture or the chosen ones, in the order of the sensor', () => {
  assert.deepEqual(plan({}), {
    type: 'lbe',
    params: { view_id: scene.viewId, bands: ['B02', 'B03', 'B04'] },
  });
  assert.deepEqual(plan({}, { bands: 'NDVI' }).params.bands, ['B04', 'B08']);
  const chosen = plan({ bands: ['SCL', 'B08'], isMerged: false }).params;
  assert.deepEqual([chosen.bands, chosen.merge], [['B08', 'SCL'], false]);
  assert.deepEqual(plan({ bands: [] }).params.bands, []);
});

test('indices: an order has the one on the map if it is a single value, otherwise the first; a name is optional', () => {
  const kind = 'index';
  assert.equal(plan({ kind }, { bands: '(B08-B04)/B08' }).params.bm_type, '(B08-B04)/B08');
  assert.equal(plan({ kind }, { bands: 'B04,B03,B02' }).params.bm_type, 'NDVI');
  const named = plan({ kind, expressions: ['NDVI', 'NDMI'], name: ' plants ' });
  assert.deepEqual(named, {
    type: 'bandmath',
    params: { view_id: scene.viewId, bm_type: 'NDVI,NDMI', name_alias: 'plants' },
  });
});

test('pictures are drawn as on the map', () => {
  const kind = 'picture';
  const drawn = { bands: 'NDVI', colormap: 'viridis', isCalibrated: true, stretch: 'auto' } as const;
  assert.ok(needsOwnContrast(scene, { ...PLAIN_PICTURE, ...drawn }));
  assert.deepEqual(
    plan({ kind, file: 'world-png', pixelM: 20 }, drawn, { ownContrast: { min: -1, max: 0.5 } }),
    {
      type: 'jpeg',
      params: {
        view_id: scene.viewId,
        bm_type: 'NDVI',
        resample: 'bilinear',
        colormap: 'viridis',
        levels: '-1,0.5',
        calibrate: 1,
        format: 'png',
        georeference: 'world',
        px_size: 20,
      },
    },
  );
  const natural = plan({ kind, file: 'png' }, { bands: 'NDVI', colormap: 'viridis' }).params;
  assert.deepEqual([natural.stretch, natural.levels], ['natural', undefined]);
  assert.ok(!needsOwnContrast(scene, { ...PLAIN_PICTURE, bands: 'NDVI', colormap: 'viridis' }));
  assert.equal(plan({ kind, file: 'png' }, {}).params.stretch, 'natural');
  assert.equal(
    plan({ kind, file: 'png' }, { bands: 'B04*2' }).params.stretch,
    undefined,
    'band math has none',
  );
  // Three channels have no colormap, and classes have their own.
  const composite = { bands: 'B04,B03,B02', colormap: 'viridis', contrast: { min: 0, max: 3000 } } as const;
  assert.ok(!needsOwnContrast(scene, { ...PLAIN_PICTURE, ...composite }));
  const { params } = plan({ kind, file: 'kmz' }, { ...composite, resampling: 'near' });
  assert.deepEqual(
    [params.colormap, params.levels, params.resample, params.georeference],
    [undefined, '0,3000', 'near', 'kmz'],
  );
});

test('areas: a map view beyond 180° is wrapped back; a view of the whole world sets no limit', () => {
  const view = (bounds: readonly [number, number, number, number]) =>
    plan({ where: 'view' }, {}, { bounds }).params.bbox;
  assert.deepEqual(view([-122.412345678, 48.2, -122.4, 48.25]), [-122.41235, 48.2, -122.4, 48.25]);
  assert.deepEqual(view([237.5, -95, 238, 95]), [-122.5, -90, -122, 90]);
  assert.deepEqual(
    view([179, 0, 181, 1]),
    [179, 0, -179, 1],
    'a west beyond the east crosses the antimeridian',
  );
  assert.equal(view([-200, -80, 170, 80]), undefined);
  assert.deepEqual(plan({ where: 'area' }, {}, { outline }).params.geometry, outline);
  assert.equal(plan({ where: 'area' }).params.geometry, undefined);
});

test('a refusal is shown at the option that caused it', () => {
  const fields = [
    'area-outside-scene',
    'picture-too-large',
    'bad-px-size',
    'bad-bands',
    'unknown-band',
    'task-storage-full',
  ];
  assert.deepEqual(fields.map(fieldOfRefusal), ['area', 'pixel', 'pixel', 'what', 'what', 'all']);
  assert.equal(toPlainWords('A px_size of 12 fits.'), 'A pixel size of 12 fits.');
});
