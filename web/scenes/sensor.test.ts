import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sensors } from '../../src/sensors/index.ts';
import { viewerSensorOf, viewerSensors } from '../../test/support/viewer-sensors.ts';
import { de } from '../texts/de.ts';
import { en } from '../texts/en.ts';
import { parseSensors } from './sensor.ts';
import { titleOfBand, titleOfComposition, titleOfShown } from './titles.ts';

test('every sensor of the server is understood', () => {
  assert.equal(viewerSensors.length, sensors.length);
  for (const { dataset, bands } of viewerSensors) {
    for (const band of bands) {
      assert.ok(band.role === null || en.roles[band.role] !== undefined, `${dataset} ${band.name}`);
    }
  }
});

test('tiles are requested down to the pixel size of each sensor', () => {
  const zooms = ['modis', 'landsat5tm', 'sentinel2', 'naip'].map(
    (dataset) => viewerSensorOf(dataset).maxZoom,
  );
  assert.deepEqual(zooms, [9, 13, 14, 18]);
});

test('unreadable entries are left out and the rest is kept', () => {
  assert.deepEqual(parseSensors(null), []);
  assert.deepEqual(parseSensors({ sensors: [{ dataset: 'x' }, 7] }), []);
});

test('bands, compositions and indices have names in each language', () => {
  const titleOf = (dataset: string, name: string): string => {
    const band = viewerSensorOf(dataset).bands.find((one) => one.name === name);
    assert.ok(band);
    return titleOfBand(band, en);
  };
  assert.equal(titleOf('sentinel2', 'B04'), 'Red, 665 nm');
  assert.equal(titleOf('landsat8', 'B10'), 'Thermal, 10.9 µm');
  assert.equal(titleOf('landsat8', 'BQA'), 'Quality');
  assert.equal(titleOf('landsat5mss', 'B3'), 'Near infrared, 750 nm');
  assert.equal(titleOf('modis', 'B05'), 'Short-wave infrared, 1240 nm');
  assert.equal(titleOf('sentinel1', 'VV'), 'Radar');
  const s2 = viewerSensorOf('sentinel2');
  assert.equal(titleOfComposition(s2, 'B04,B03,B02', en)?.title, 'Natural colour');
  assert.equal(titleOfComposition(viewerSensorOf('sentinel1'), 'VV', en)?.title, 'VV');
  assert.equal(titleOfComposition(viewerSensorOf('landsat8'), 'B10', de)?.title, 'Thermal');
  assert.equal(titleOfShown(s2, 'NDWI', de), 'NDWI Wasser');
  assert.equal(titleOfShown(s2, 'B8A', en), 'B8A Narrow near infrared, 865 nm');
  assert.equal(titleOfShown(s2, 'B08/B04', en), 'B08/B04');
});
