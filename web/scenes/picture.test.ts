import assert from 'node:assert/strict';
import { test } from 'node:test';
import { viewerSensorOf } from '../../test/support/viewer-sensors.ts';
import { isColorable, PLAIN_PICTURE, toPictureQuery } from './picture.ts';

const [S2, L8] = [viewerSensorOf('sentinel2'), viewerSensorOf('landsat8')];

test('a plain picture has no query; what is chosen is in it', () => {
  assert.equal(toPictureQuery(S2, PLAIN_PICTURE), '');
  const picture = {
    bands: 'NDVI',
    colormap: 'viridis',
    contrast: { min: -0.2, max: 0.9 },
    resampling: 'near',
    isCalibrated: true,
    isPansharpened: true,
    isCloudMasked: true,
    clip: null,
  } as const;
  const all = 'COLORMAP=viridis&MIN_MAX=-0.2,0.9&CALIBRATE=1&PANSHARPENING=1&MASKING=CLOUD&RESAMPLE=near';
  assert.equal(toPictureQuery(L8, picture), `?${all}`);
  assert.equal(toPictureQuery(S2, picture), `?${all.replace('PANSHARPENING=1&', '')}`);
});

test('three channels take no colormap, and three expressions are called a composite', () => {
  const colored = { ...PLAIN_PICTURE, colormap: 'viridis' };
  assert.equal(toPictureQuery(S2, colored), '');
  assert.equal(toPictureQuery(S2, { ...colored, bands: 'B04*2,B03,B02' }), '?COMPOSITE=1');
});

test('classes and bits have colours of their own', () => {
  assert.ok(isColorable(S2, 'B8A') && isColorable(S2, 'NDVI') && isColorable(S2, 'B08/B04'));
  assert.ok(!isColorable(viewerSensorOf('sentinel2l2a'), 'SCL') && !isColorable(S2, 'B04,B03,B02'));
});
