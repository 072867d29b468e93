import assert from 'node:assert/strict';
import { test } from 'node:test';
import { viewerSensorOf as of } from '../../test/support/viewer-sensors.ts';
import { isBandChoice, isComposite, isMissing, namesIn, planBands, planOther } from './bands.ts';
import type { ViewerSensor } from './sensor.ts';

const [S2, S2_L2A, L8, L7, S1] = ['sentinel2', 'sentinel2l2a', 'landsat8', 'landsat7', 'sentinel1'].map(
  of,
) as [ViewerSensor, ViewerSensor, ViewerSensor, ViewerSensor, ViewerSensor];

test('one or three bands or expressions of the sensor are a valid choice', () => {
  for (const good of ['B8A', 'B04,B03,B02', 'B04,B04,B04']) assert.ok(isBandChoice(S2, good), good);
  for (const good of ['NDVI', 'NIR', '(B08-B04)/(B08+B04)', 'where(B08>B04,NODATA,1)', 'B04*2,B03,B02']) {
    assert.ok(isBandChoice(S2, good), good);
  }
  for (const bad of [
    '',
    'B99',
    'B04,B03',
    'B04,B03,B02,B01',
    'B4',
    'B04,B03,x',
    'toString',
    '1+1',
    'B04/../x',
  ]) {
    assert.ok(!isBandChoice(S2, bad), bad);
  }
});

test('bands of an address are used if they exist, otherwise the first composition', () => {
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

test('other bands are kept only if they are the same bands', () => {
  assert.equal(planBands(S2_L2A, { bands: 'B11,B08,B02', of: S2 }), 'B11,B08,B02');
  assert.equal(planBands(L7, { bands: 'B5', of: L8 }), 'B3,B2,B1');
  assert.equal(planBands(S2_L2A, { bands: 'B10', of: S2 }), 'B04,B03,B02');
});

test('the alternative offered is the first choice that is not known to be missing', () => {
  assert.deepEqual(planOther(S1, new Set(['VV']))?.bands, 'HH');
  assert.deepEqual(planOther(S1, new Set(['VV', 'HH', 'VH', 'HV'])), null);
  assert.equal(planOther(L8, new Set(['B4,B3,B2']))?.bands, 'B10');
  // Without red there is no composition with red in it.
  assert.equal(planOther(L8, new Set(['B4', 'B5', 'B10']))?.bands, 'B1');
});

test('names in band math are those not followed by a parenthesis', () => {
  assert.deepEqual(namesIn('sqrt(B08)/(NIR + 2e3*where (B04,1,NDVI))'), ['B08', 'NIR', 'B04', 'NDVI']);
});

test('an index or an expression is kept for another sensor if all its names mean the same there', () => {
  assert.equal(planBands(L8, { bands: 'NDVI', of: S2 }), 'NDVI');
  assert.equal(planBands(L8, { bands: '(NIR-RED)/NIR', of: S2 }), '(NIR-RED)/NIR');
  assert.equal(planBands(L8, { bands: 'NDRE', of: S2 }), 'B4,B3,B2');
});

test('commas inside calls do not separate channels', () => {
  assert.ok(
    isComposite(S2, 'B04,B03,B02') && isComposite(S2, 'ISTACK') && isComposite(S2, 'sqrt(B04),B03,B02'),
  );
  assert.ok(!isComposite(S2, 'NDVI') && !isComposite(S2, 'where(B04,1,2)'));
});

test('an index is missing if any of its bands is missing', () => {
  assert.ok(isMissing(S2, 'NDVI', new Set(['B08'])) && isMissing(S2, 'B08,B04,B03', new Set(['B08'])));
  assert.ok(!isMissing(S2, 'NDVI', new Set(['B12'])));
});
