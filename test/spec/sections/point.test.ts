/** The value at a point. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readMtl, toReflectance } from '../landsat.ts';
import { lonLatOf, readBand } from '../pixels.ts';
import type { Key } from '../service.ts';
import { askJson, askRefused, verbPath } from '../service.ts';

const pointPath = (key: Key, bands: string, { lat, lon }: { lat: number; lon: number }): string =>
  `${verbPath(key, 'point')}/${encodeURIComponent(bands)}/${lat.toFixed(8)}/${lon.toFixed(8)}`;

async function valueAt(key: Key, bands: string, position: { lat: number; lon: number }, query = '') {
  const body = await askJson<{ index_value: number | null }>(pointPath(key, bands, position), { query });
  assert.deepEqual(Object.keys(body), ['index_value']);
  return body.index_value;
}

const isNear = (found: number | null, wanted: number, share = 2e-6): void =>
  assert.ok(
    found !== null && Math.abs(found - wanted) <= share * Math.abs(wanted),
    `${found}, not ${wanted}`,
  );

test('point index_value: the digital number of the pixel at lat and lon, of every sensor', async () => {
  for (const [key, name] of [
    ['s2', 'B04'],
    ['s2', 'B11'],
    ['l2a', 'SCL'],
    ['l8', 'B5'],
    ['l8', 'B8'],
    ['l7', 'B3'],
    ['modis', 'B02'],
    ['cbers', 'BAND7'],
    ['naip', 'N'],
  ] as const) {
    const band = await readBand(key, name);
    for (const share of [0.3, 0.5, 0.62]) {
      const at = Math.floor(band.height * share) * band.width + Math.floor(band.width * share);
      const value = band.values[at]!;
      const found = await valueAt(key, name, lonLatOf(band, at));
      assert.equal(found, Number.isNaN(value) ? null : value, `${key} ${name}`);
    }
  }
});

test('point bands: an expression or an alias is evaluated at the point', async () => {
  const [near, red] = [await readBand('s2', 'B08'), await readBand('s2', 'B04')];
  for (const at of [100, 2000, 4000]) {
    const [n, r] = [near.values[at]!, red.values[at]!];
    isNear(await valueAt('s2', 'NDVI', lonLatOf(red, at)), (n - r) / (n + r));
    isNear(await valueAt('s2', '(B08-B04)/(B08+B04)', lonLatOf(red, at)), (n - r) / (n + r));
    assert.equal(await valueAt('s2', 'where(greater(B04,0),NODATA,B04)', lonLatOf(red, at)), null);
  }
  await askRefused(pointPath('s2', 'B99', lonLatOf(red, 100)), 422);
});

test('point lat, lon: 404 outside the scene, 400 for a position that is not on Earth', async () => {
  await askRefused(`${verbPath('s2', 'point')}/B04/10/10`, 404);
  await askRefused(`${verbPath('s2', 'point')}/B04/91/10`, 400);
  await askRefused(`${verbPath('s2', 'point')}/B04/10/north`, 400);
});

test('point CALIBRATE: reflectance, or brightness temperature of thermal bands, before the math', async () => {
  const mtl = await readMtl('l8');
  const [red, thermal] = [await readBand('l8', 'B4'), await readBand('l8', 'B10')];
  const at = 24 * red.width + 24;
  for (const query of ['CALIBRATE=1', 'CALIBRATE=true']) {
    const wanted = toReflectance(red.values[at]!, mtl, 4);
    assert.ok(wanted > 0 && wanted < 1);
    isNear(await valueAt('l8', 'B4', lonLatOf(red, at), query), wanted, 1e-5);
    isNear(await valueAt('l8', 'B4*2.0', lonLatOf(red, at), query), 2 * wanted, 1e-5);
    const radiance = mtl('RADIANCE_MULT_BAND_10') * thermal.values[at]! + mtl('RADIANCE_ADD_BAND_10');
    const kelvin = mtl('K2_CONSTANT_BAND_10') / Math.log(mtl('K1_CONSTANT_BAND_10') / radiance + 1);
    isNear(await valueAt('l8', 'B10', lonLatOf(red, at), query), kelvin, 1e-5);
  }
  const s2 = await readBand('s2', 'B04');
  isNear(await valueAt('s2', 'B04', lonLatOf(s2, 500), 'CALIBRATE=1'), s2.values[500]! / 10_000);
  assert.equal(await valueAt('l8', 'B4', lonLatOf(red, at), 'CALIBRATE=0'), red.values[at]!);
  const bad = await askRefused(pointPath('l8', 'B4', lonLatOf(red, at)), 400, { query: 'CALIBRATE=yes' });
  assert.equal(bad, 'bad-calibrate');
});

test('point api_key: required', async () => {
  const path = pointPath('s2', 'B04', lonLatOf(await readBand('s2', 'B04'), 500));
  await askRefused(path, 401, { apiKey: null });
  await askRefused(path, 403, { apiKey: 'not-a-key' });
});
