import assert from 'node:assert/strict';
import { test } from 'node:test';
import { viewerSensorOf } from '../../test/support/viewer-sensors.ts';
import { isClearable, planClearLayer, toClearPath } from './clear-layer.ts';
import { PLAIN_PICTURE } from './picture.ts';
import type { Scene } from './scene.ts';

const [S2L2A, S2, L8, S1] = [
  viewerSensorOf('sentinel2l2a'),
  viewerSensorOf('sentinel2'),
  viewerSensorOf('landsat8'),
  viewerSensorOf('sentinel1'),
];

const sceneOf = (sensor: Scene['sensor']): Scene =>
  ({
    viewId: 'x',
    sensor,
    date: '2026-06-21',
    tms: 'https://imagery.example/swath/api/render/x/{band}/{z}/{x}/{y}',
  }) as Partial<Scene> as Scene;

const plan = (sensor: Scene['sensor'], change: object = {}, sensors = [S2L2A, S2, L8, S1]) =>
  planClearLayer({
    shown: sceneOf(sensor),
    picture: { ...PLAIN_PICTURE, ...change },
    day: '2026-06-21',
    days: 5,
    sensors,
  });

test('natural colour uses all sensors that have it, finest first, without radar and without level 1 next to level 2', () => {
  const { template, sensors, from, to, maxZoom } = plan(S2L2A);
  assert.equal(
    template,
    'https://imagery.example/swath/api/mosaic/S2L2A,L8/2026-06-16..2026-06-26/RED,GREEN,BLUE/{z}/{x}/{y}' +
      '?STRETCH=natural&selection=nearest&date=2026-06-21&prefer=sensors&max_cloud=60',
  );
  assert.deepEqual(
    sensors.map(({ dataset }) => dataset),
    ['sentinel2l2a', 'landsat8'],
  );
  assert.deepEqual([from, to, maxZoom], ['2026-06-16', '2026-06-26', S2L2A.maxZoom]);
  // A picture that was chosen for the coarser one shows the finer one too.
  assert.match(plan(L8).template, /\/S2L2A,L8\/.*\/RED,GREEN,BLUE\//);
});

test('the latest view covers whole months, so that its address lasts a month and a pyramid can be built for it', () => {
  const latest = (day: string, days = 90) =>
    planClearLayer({ shown: sceneOf(S2L2A), picture: PLAIN_PICTURE, day, days, isLatest: true, sensors: [] });
  assert.match(
    latest('2026-06-21').template,
    /S2L2A\/2026-03-01\.\.2026-06-30\/B04,B03,B02\/.*&selection=nearest&date=2026-06-30&max_cloud=60$/,
  );
  for (const day of ['2026-06-01', '2026-06-30'])
    assert.equal(latest(day).template, latest('2026-06-21').template, day);
  assert.deepEqual([latest('2026-12-31').from, latest('2028-02-05').to], ['2026-09-01', '2028-02-29']);
  // A narrow view is as narrow as it was chosen.
  assert.deepEqual([latest('2026-06-21', 5).from, latest('2026-06-21', 5).to], ['2026-06-16', '2026-06-26']);
});

test('an index, band math or a manual contrast uses only the sensor that it was chosen for', () => {
  for (const [change, path] of [
    [{ bands: 'NDVI' }, 'S2L2A/2026-06-16..2026-06-26/NDVI/{z}/{x}/{y}?selection=nearest'],
    [{ bands: 'B08/B04' }, 'S2L2A/2026-06-16..2026-06-26/B08%2FB04/{z}/{x}/{y}?selection=nearest'],
    [{ contrast: { min: 0, max: 9 } }, '/B04,B03,B02/{z}/{x}/{y}?MIN_MAX=0,9&selection=nearest'],
  ] as const)
    assert.ok(plan(S2L2A, change).template.includes(path), plan(S2L2A, change).template);
});

test('a mosaic is always masked unless the user wants to see clouds, and is never sharpened', () => {
  const masked = plan(L8, { bands: 'NDVI', isCloudMasked: true, isPansharpened: true }).template;
  assert.doesNotMatch(masked, /MASK|PANSHARPENING|mask/);
  assert.match(plan(L8, { isCloudMasked: false }).template, /&mask=none$/);
});

test('points, tiles and source legends of a layer have the same path and query', () => {
  const layer = plan(S2L2A, { bands: 'NDVI' });
  const query = '?selection=nearest&date=2026-06-21&max_cloud=60';
  const path = 'S2L2A/2026-06-16..2026-06-26/NDVI';
  assert.equal(toClearPath(layer, 'point', '42.5/2.5'), `api/mosaic/point/${path}/42.5/2.5${query}`);
  assert.equal(toClearPath(layer, 'tile', '9/1/2'), `api/mosaic/${path}/9/1/2${query}`);
  assert.equal(
    toClearPath(layer, 'sources/legend', '0/a/b'),
    `api/mosaic/sources/legend/${path}/0/a/b${query}`,
  );
});

test('radar has no clear view', () => {
  assert.deepEqual([S2L2A, L8, S1, viewerSensorOf('modis')].map(isClearable), [true, true, false, true]);
});
