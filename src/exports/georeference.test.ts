import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TypedTree } from '../bandmath/index.ts';
import type { Asset, Scene } from '../catalog/index.ts';
import { makeScene } from '../catalog/testing/make-scene.ts';
import { toFileCrs, toFileGrid } from './georeference.ts';

const SINUSOIDAL = '+proj=sinu +lon_0=0 +x_0=0 +y_0=0 +R=6371007.181 +units=m +no_defs';
const crsOf = (proj: string) => toFileCrs({ epsg: 0, proj });

test('a code is stored unchanged', () => {
  assert.deepEqual(toFileCrs({ epsg: 32_631 }), { epsg: 32_631, sinusoidalRadiusM: null });
  assert.deepEqual(toFileCrs({ epsg: 32_631, proj: null }), { epsg: 32_631, sinusoidalRadiusM: null });
  assert.equal(toFileCrs({ epsg: 0 }), null);
  assert.equal(toFileCrs({ epsg: 102_001 }), null);
});

test('the sinusoidal CRS of MODIS is stored by its radius, in any notation', () => {
  const modis = { epsg: null, sinusoidalRadiusM: 6_371_007.181 };
  assert.deepEqual(crsOf(SINUSOIDAL), modis);
  assert.deepEqual(crsOf('+proj=sinu +a=6371007.181 +b=6371007.181'), modis);
});

test('a CRS that a file cannot state is null', () => {
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

/** The grid of a file of some bands. */
function gridOf(assets: readonly Asset[]) {
  const inputs = assets.map((_, i) => ({ band: `B${i}`, scene: 'this', calibrated: false }));
  const scene = { assets: Object.fromEntries(assets.map((asset, i) => [`B${i}`, asset])) };
  return toFileGrid({ inputs } as unknown as TypedTree, scene as unknown as Scene);
}

const base = makeScene(21).assets.B04 as Asset;
const withPixel = (pixelM: number): Asset => ({
  ...base,
  transform: [500_000, pixelM, 0, 4_700_000, 0, -pixelM],
  width: 10_240 / pixelM,
  height: 10_240 / pixelM,
});

test('the coarsest band defines the grid, the first of equal ones', () => {
  const { grid, crs, isNative } = gridOf([withPixel(10), withPixel(20), withPixel(10)]);
  assert.deepEqual(grid, {
    epsg: 32_631,
    transform: [500_000, 20, 0, 4_700_000, 0, -20],
    width: 512,
    height: 512,
  });
  assert.deepEqual([crs, isNative], [{ epsg: 32_631, sinusoidalRadiusM: null }, true]);
  const shifted: Asset = { ...withPixel(10), transform: [500_005, 10, 0, 4_700_000, 0, -10] };
  assert.deepEqual(gridOf([shifted, withPixel(10)]).grid.transform, shifted.transform);
});

test('images in a CRS that no file can state are converted to their UTM zone', () => {
  const proj = '+proj=laea +lat_0=42 +lon_0=3 +x_0=500000 +y_0=4700000 +datum=WGS84 +units=m';
  const { grid, crs, isNative } = gridOf([{ ...withPixel(10), epsg: 0, proj }]);
  assert.deepEqual([grid.epsg, crs.epsg, isNative], [32_631, 32_631, false]);
  assert.equal(grid.transform[1], 10);
});
