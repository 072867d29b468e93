import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toFileCrs } from './file-crs.ts';

const SINUSOIDAL = '+proj=sinu +lon_0=0 +x_0=0 +y_0=0 +R=6371007.181 +units=m +no_defs';
const crsOf = (proj: string) => toFileCrs({ epsg: 0, proj });

test('a code is stored as it is', () => {
  assert.deepEqual(toFileCrs({ epsg: 32_631 }), { epsg: 32_631, sinusoidalRadiusM: null });
  assert.deepEqual(toFileCrs({ epsg: 32_631, proj: null }), { epsg: 32_631, sinusoidalRadiusM: null });
  assert.equal(toFileCrs({ epsg: 0 }), null);
  assert.equal(toFileCrs({ epsg: 102_001 }), null);
});

test('the sinusoidal system of MODIS is stored by its radius, however it is written', () => {
  const modis = { epsg: null, sinusoidalRadiusM: 6_371_007.181 };
  assert.deepEqual(crsOf(SINUSOIDAL), modis);
  assert.deepEqual(crsOf('+proj=sinu +a=6371007.181 +b=6371007.181'), modis);
});

test('systems that a file could not state are none', () => {
  for (const proj of [
    SINUSOIDAL.replace('lon_0=0', 'lon_0=10'),
    SINUSOIDAL.replace('units=m', 'units=ft'),
    '+proj=sinu +a=6378137 +b=6356752.3 +no_defs',
    '+proj=sinu +ellps=WGS84',
    '+proj=laea +lat_0=52 +lon_0=10 +R=6371007.181',
  ]) {
    assert.equal(crsOf(proj), null, proj);
  }
});
