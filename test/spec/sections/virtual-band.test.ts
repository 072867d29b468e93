/** What the picture of an expression is. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  drawNative,
  drawTile,
  expectNative,
  expectPixels,
  greyOf,
  lookUp,
  readBand,
  TRANSPARENT,
  tileGrid,
  tileOf,
  tilePath,
  toHex,
  toLevel,
} from '../pixels.ts';
import { askRefused } from '../service.ts';

test('expression NODATA: pixels where the expression gives NODATA are transparent', async () => {
  const band = await readBand('l2a', 'B04');
  const picture = await drawNative('l2a', 'where(greater(B04,1500),NODATA,B04)', band, 'MIN_MAX=0,3000');
  const seen = expectNative(picture, (at) => {
    const value = band.values[at]!;
    return value > 1500 ? TRANSPARENT : greyOf(value, 0, 3000);
  });
  assert.ok(seen.size > 20 && seen.get(TRANSPARENT)! > 500);
});

test('expression Float32: values beyond 3.4028235e+38 are white, below -3.4028235e+38 black', async () => {
  const band = await readBand('l2a', 'B08');
  for (const [expression, color] of [
    ['exp(B08)', 'ffffffff'],
    ['-exp(B08)', '000000ff'],
  ] as const) {
    const picture = await drawNative('l2a', expression, band, 'MIN_MAX=0,1');
    expectNative(picture, () => color);
  }
});

test('expression bands: one expression is one virtual band, three with COMPOSITE=1 an RGB picture', async () => {
  const [red, near] = [await readBand('l2a', 'B04'), await readBand('l2a', 'B08')];
  const tile = tileOf(red, 16);
  const where = lookUp(tileGrid(tile), red);
  const one = await drawTile('l2a', 'B08/B04', tile, 'MIN_MAX=0,8');
  expectPixels(one, where, (at) => greyOf(near.values[at]! / red.values[at]!, 0, 8));
  const three = await drawTile('l2a', 'B08/B04,B04/B08,B04*0.001', tile, 'COMPOSITE=1&MIN_MAX=0,8');
  expectPixels(three, where, (at) => {
    const [n, r] = [near.values[at]!, red.values[at]!];
    const levels = [n / r, r / n, r * 0.001].map((value) => toLevel(value, 0, 8));
    return levels.includes(null) ? null : `${levels.map((level) => toHex(level!)).join('')}ff`;
  });
  for (const bad of ['B08/B99', 'B08+', 'os(B08)', 'B08 & B04']) {
    await askRefused(tilePath('l2a', bad, tile), 422);
  }
});
