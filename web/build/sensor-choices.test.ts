import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sensors } from '../../src/sensors/index.ts';
import type { ViewerSensor } from '../scenes/bands.ts';
import { isBandChoice } from '../scenes/bands.ts';
import { toViewerSensor } from './sensor-choices.ts';

const all = sensors.map(toViewerSensor);
const of = (dataset: string): ViewerSensor => {
  const sensor = all.find((one) => one.dataset === dataset);
  assert.ok(sensor, dataset);
  return sensor;
};
const listed = (dataset: string): string[] =>
  of(dataset).compositions.map(({ bands, title }) => `${title}: ${bands}`);

test('Sentinel-2 has its three compositions and an index', () => {
  assert.deepEqual(listed('sentinel2'), [
    'Natural colour: B04,B03,B02',
    'False colour: B08,B04,B03',
    'SWIR: B12,B8A,B04',
    'NDVI: NDVI',
  ]);
  assert.ok(of('sentinel2').compositions.every(({ hint }) => hint !== ''));
});

test('the same meanings are found by role on other sensors, after their own defaults', () => {
  assert.deepEqual(listed('landsat8'), [
    'Natural colour: B4,B3,B2',
    'Thermal: B10',
    'False colour: B5,B4,B3',
    'SWIR: B7,B5,B4',
    'NDVI: NDVI',
  ]);
  assert.deepEqual(listed('landsat5mss'), ['False colour: B4,B2,B1', 'NDVI: NDVI']);
  assert.deepEqual(listed('modis'), [
    'Natural colour: B01,B04,B03',
    'False colour: B02,B01,B04',
    'SWIR: B07,B02,B01',
    'NDVI: NDVI',
  ]);
  assert.deepEqual(listed('naip'), ['Natural colour: R,G,B', 'False colour: N,R,G', 'NDVI: NDVI']);
});

test('sensors without colours show single bands', () => {
  assert.deepEqual(listed('sentinel1'), ['VV: VV', 'HH: HH', 'VH: VH', 'HV: HV']);
  assert.deepEqual(listed('cbers4pan5m'), ['Panchromatic: BAND1']);
});

test('bands say what they measure and where in the spectrum', () => {
  const titles = (dataset: string) =>
    Object.fromEntries(of(dataset).bands.map(({ name, title }) => [name, title]));
  assert.equal(titles('sentinel2').B04, 'Red, 665 nm');
  assert.equal(titles('landsat8').B10, 'Thermal, 10.9 µm');
  assert.equal(titles('landsat8').BQA, 'Quality');
  assert.equal(titles('landsat7').B6_VCID_2, 'Thermal, 11.4 µm');
  assert.equal(titles('landsat5mss').B3, 'Near infrared, 750 nm');
  assert.equal(titles('modis').B05, 'Short-wave infrared, 1240 nm');
  assert.equal(titles('sentinel1').VV, 'Radar');
});

test('tiles are requested down to the pixel size of each sensor', () => {
  const zooms = ['modis', 'landsat5tm', 'sentinel2', 'naip'].map((dataset) => of(dataset).maxZoom);
  assert.deepEqual(zooms, [9, 13, 14, 18]);
});

test('every sensor has only compositions of its own bands, each once, and named', () => {
  assert.equal(all.length, sensors.length);
  for (const sensor of all) {
    const choices = sensor.compositions.map(({ bands }) => bands);
    for (const bands of choices) assert.ok(isBandChoice(sensor, bands), `${sensor.dataset} ${bands}`);
    assert.equal(new Set(choices).size, choices.length, sensor.dataset);
    assert.ok(sensor.compositions.every(({ title }) => title !== '' && !title.includes(',')));
  }
});

test('a role without words stops the build', () => {
  const band = {
    name: 'B1',
    role: 'ULTRAVIOLET',
    kind: 'reflective',
    centreNm: 350,
    resolutionM: 10,
  } as const;
  const facts = { dataset: 'new', title: 'New', bands: [band], defaultCompositions: [['B1']] };
  assert.throws(() => toViewerSensor(facts), /no words for bands of the role ULTRAVIOLET/);
});

test('a sensor without any composition stops the build', () => {
  const facts = { dataset: 'bare', title: 'Bare', bands: [], defaultCompositions: [] };
  assert.throws(() => toViewerSensor(facts), /bare has no composition/);
});
