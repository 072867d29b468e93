import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sensors } from '../../src/sensors/index.ts';
import { toViewerSensor } from '../build/sensor-choices.ts';
import type { ViewerSensor } from './bands.ts';
import { describeMissing, isBandChoice, planBands, planOther } from './bands.ts';

const of = (dataset: string): ViewerSensor => {
  const sensor = sensors.find((one) => one.dataset === dataset);
  assert.ok(sensor, dataset);
  return toViewerSensor(sensor);
};
const [S2, S2_L2A, L8, L7, S1] = ['sentinel2', 'sentinel2l2a', 'landsat8', 'landsat7', 'sentinel1'].map(
  of,
) as [ViewerSensor, ViewerSensor, ViewerSensor, ViewerSensor, ViewerSensor];

test('one or three bands of the sensor are a choice', () => {
  for (const good of ['B8A', 'B04,B03,B02', 'B04,B04,B04']) assert.ok(isBandChoice(S2, good), good);
  for (const bad of ['', 'B99', 'B04,B03', 'B04,B03,B02,B01', 'B4', 'B04,B03,x', 'toString']) {
    assert.ok(!isBandChoice(S2, bad), bad);
  }
});

test('an address is followed when its bands exist and otherwise gives the first composition', () => {
  assert.equal(planBands(S2, { bands: 'B11,B08,B02', of: null }), 'B11,B08,B02');
  assert.equal(planBands(S2, { bands: 'B99', of: null }), 'B04,B03,B02');
  assert.equal(planBands(S1, { bands: 'B04,B03,B02', of: null }), 'VV');
  assert.equal(planBands(L8, { bands: null, of: null }), 'B4,B3,B2');
});

test('another scene of the same sensor keeps the bands', () => {
  assert.equal(planBands(S2, { bands: 'B8A', of: of('sentinel2') }), 'B8A');
});

test('a composition is translated by roles to another sensor', () => {
  // Bands 4, 3 and 2 exist on Landsat 7 too, where they are infrared, red and green.
  assert.equal(planBands(L7, { bands: 'B4,B3,B2', of: L8 }), 'B3,B2,B1');
  assert.equal(planBands(L8, { bands: 'B08,B04,B03', of: S2 }), 'B5,B4,B3');
  assert.equal(planBands(S2, { bands: 'B10', of: L8 }), 'B04,B03,B02');
});

test('other bands are retained only if they are the same bands', () => {
  assert.equal(planBands(S2_L2A, { bands: 'B11,B08,B02', of: S2 }), 'B11,B08,B02');
  assert.equal(planBands(L7, { bands: 'B5', of: L8 }), 'B3,B2,B1');
  assert.equal(planBands(S2_L2A, { bands: 'B10', of: S2 }), 'B04,B03,B02');
});

test('what is offered instead is the first choice that is not known to be missing', () => {
  assert.deepEqual(planOther(S1, new Set(['VV']))?.bands, 'HH');
  assert.deepEqual(planOther(S1, new Set(['VV', 'HH', 'VH', 'HV'])), null);
  assert.equal(planOther(L8, new Set(['B4,B3,B2']))?.title, 'Thermal');
  // Without red there is no composition with red in it.
  assert.equal(planOther(L8, new Set(['B4', 'B10']))?.bands, 'B1');
});

test('what a scene lacks is said in words', () => {
  assert.equal(describeMissing(S1, new Set(['VV', 'HH'])), 'Not in this scene: VV, HH.');
  assert.equal(describeMissing(L8, new Set(['B4,B3,B2', 'B9'])), 'Not in this scene: Natural colour, B9.');
});
