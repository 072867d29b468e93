import assert from 'node:assert/strict';
import { test } from 'node:test';
import { viewerSensorOf } from '../../test/support/viewer-sensors.ts';
import {
  contrastsOf,
  isColorable,
  isMaskedPicture,
  isNaturalPicture,
  PLAIN_PICTURE,
  toLevelsQuery,
  toPictureContrast,
  toPictureQuery,
} from './picture.ts';

const S2L2A = viewerSensorOf('sentinel2l2a');
const [S2, L8] = [viewerSensorOf('sentinel2'), viewerSensorOf('landsat8')];

test('a plain picture is in natural colour, and its query contains the choices', () => {
  assert.equal(toPictureQuery(S2, PLAIN_PICTURE), '?STRETCH=natural');
  assert.equal(toPictureQuery(S2, { ...PLAIN_PICTURE, stretch: 'auto' }), '');
  const picture = {
    bands: 'NDVI',
    colormap: 'viridis',
    contrast: { min: -0.2, max: 0.9 },
    stretch: 'natural',
    resampling: 'near',
    isCalibrated: true,
    isPansharpened: true,
    isSpeckleFiltered: true,
    isCloudMasked: true,
    clip: null,
  } as const;
  const all =
    'COLORMAP=viridis&MIN_MAX=-0.2,0.9&CALIBRATE=1&PANSHARPENING=1&MASKING=CLOUD_SHADOW&MASK_COLOR=b4b4b4&RESAMPLE=near';
  assert.equal(toPictureQuery(L8, picture), `?${all}`);
  assert.equal(toPictureQuery(S2, picture), `?${all.replace('PANSHARPENING=1&', '')}`);
});

test('clouds and shadows are masked in indices, unless the mask is switched off', () => {
  const query = (bands: string, isCloudMasked: boolean | null): string =>
    toPictureQuery(S2, { ...PLAIN_PICTURE, bands, isCloudMasked });
  const masking = '?MASKING=CLOUD_SHADOW&MASK_COLOR=b4b4b4';
  assert.equal(query('NDVI', null), masking);
  assert.equal(query('NDVI', false), '');
  assert.equal(query('B04,B03,B02', null), '?STRETCH=natural');
  assert.equal(query('B04/B03', true), masking);
  assert.ok(!isMaskedPicture(viewerSensorOf('sentinel1'), { ...PLAIN_PICTURE, isCloudMasked: true }));
});

test('three channels take no colormap, and three expressions are called a composite', () => {
  const colored = { ...PLAIN_PICTURE, colormap: 'viridis' };
  assert.equal(toPictureQuery(S2, colored), '?STRETCH=natural');
  assert.equal(toPictureQuery(S2, { ...colored, bands: 'B04*2,B03,B02' }), '?COMPOSITE=1');
});

test('each of three channels may have its own contrast; one channel has one', () => {
  const contrast = {
    min: 0,
    max: 1,
    others: [
      { min: 2, max: 3 },
      { min: -4, max: 5 },
    ],
  } as const;
  assert.equal(toPictureQuery(S2, { ...PLAIN_PICTURE, contrast }), '?MIN_MAX=0,1,2,3,-4,5');
  assert.equal(toPictureQuery(S2, { ...PLAIN_PICTURE, bands: 'B8A', contrast }), '?MIN_MAX=0,1');
  assert.deepEqual(toPictureContrast(contrastsOf(contrast)), contrast);
  assert.deepEqual(toPictureContrast([{ min: 1, max: 2 }]), { min: 1, max: 2 });
  assert.equal(toPictureContrast([]), null);
});

test('values are counted in pictures without colours, masks and interpolation', () => {
  const axes = [{ min: -1, max: 1 }];
  const picture = {
    ...PLAIN_PICTURE,
    bands: 'NDVI',
    colormap: 'viridis',
    isCloudMasked: true,
    isCalibrated: true,
  };
  assert.equal(
    toLevelsQuery(S2, picture, axes),
    '?MIN_MAX=-1,1&TILE_SIZE=256,256&mimetype=image/png&RESAMPLE=near&CALIBRATE=1',
  );
});

test('classes and bits have colours of their own', () => {
  assert.ok(isColorable(S2, 'B8A') && isColorable(S2, 'NDVI') && isColorable(S2, 'B08/B04'));
  assert.ok(!isColorable(viewerSensorOf('sentinel2l2a'), 'SCL') && !isColorable(S2, 'B04,B03,B02'));
});

test('natural colour applies to bands and to indices with a colormap, not to band math, classes or manual contrasts', () => {
  const isNatural = (bands: string, change: object = {}): boolean =>
    isNaturalPicture(S2L2A, { ...PLAIN_PICTURE, bands, ...change });
  assert.ok(isNatural('B04') && isNatural('B08,B04,B03') && isNatural('NIR,RED,GREEN'));
  assert.ok(!isNatural('NDVI'), 'it has fixed colours of its own');
  assert.ok(isNatural('NDVI', { colormap: 'viridis' }));
  assert.ok(!isNatural('B04*2') && !isNatural('(B08-B04)/(B08+B04)') && !isNatural('sqrt(B04),B03,B02'));
  assert.ok(!isNatural('SCL'));
  assert.ok(!isNatural('B04', { contrast: { min: 0, max: 1 } }) && !isNatural('B04', { stretch: 'auto' }));
});
