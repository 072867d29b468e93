import assert from 'node:assert/strict';
import { test } from 'node:test';
import { viewerSensorOf } from '../../test/support/viewer-sensors.ts';
import { measuresOf, planMeasure } from './measure.ts';
import { PLAIN_PICTURE } from './picture.ts';

const sideOf = (dataset: string, bands: string | null = null) => ({
  sensor: viewerSensorOf(dataset),
  picture: { ...PLAIN_PICTURE, bands },
});

test('indices of both sensors can be subtracted', () => {
  const both = measuresOf(viewerSensorOf('sentinel2l2a'), viewerSensorOf('landsat8'));
  assert.ok(both.includes('NDVI'));
  assert.ok(!both.includes('NDRE'), 'Landsat has no red edge');
  assert.ok(!both.includes('ISTACK'), 'three channels are not one number');
  assert.deepEqual(measuresOf(viewerSensorOf('sentinel1'), viewerSensorOf('sentinel2')), []);
});

test('the measure is the requested one, the shown one, or NDVI', () => {
  const [s2, shown] = [sideOf('sentinel2l2a'), sideOf('sentinel2l2a', 'NDMI')];
  assert.equal(planMeasure(s2, s2, 'EVI'), 'EVI');
  assert.equal(planMeasure(s2, shown, null), 'NDMI');
  assert.equal(planMeasure(s2, sideOf('sentinel2l2a', '(B08-B04)/B08'), null), '(B08-B04)/B08');
  assert.equal(planMeasure(s2, s2, null), 'NDVI');
  assert.equal(planMeasure(s2, s2, 'B04,B03,B02'), 'NDVI', 'three channels are not one number');
  assert.equal(planMeasure(sideOf('sentinel1'), s2, 'NDVI'), null);
  assert.equal(planMeasure(sideOf('landsat8'), shown, 'NDRE'), 'NDMI');
});
