/** Which algorithm sharpens what, computed again from the files. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readMtl, toReflectance } from '../landsat.ts';
import type { BandPixels } from '../pixels.ts';
import { drawTile, expectSame, lookUp, readBand, tileGrid, tileOf, tilePath } from '../pixels.ts';
import type { Key } from '../service.ts';
import { askRefused } from '../service.ts';

const RESAMPLES = 'near,bilinear,cubic,cubicspline,lanczos,average,mode,max,min,med,q1,q3'.split(',');

/** Pixels of a tile of zoom 16 and the pixels of a band and of B8 that they show; only where both are certain. */
async function listPixels(key: Key): Promise<readonly { i: number; ms: number; pan: number }[]> {
  const [band, pan] = [await readBand(key, 'B3'), await readBand(key, 'B8')];
  const grid = tileGrid(tileOf(band, 16));
  const [inBand, inPan] = [lookUp(grid, band), lookUp(grid, pan)];
  const pixels = Array.from(inBand, (ms, i) => ({ i, ms, pan: inPan[i]! }));
  return pixels.filter(({ ms, pan: at }) => ms >= 0 && at >= 0);
}

/** The mean of B8 over every pixel of the other bands, by the share of it that each pixel of B8 covers. */
function averagePan(pan: BandPixels, band: BandPixels): Float64Array {
  const [west, dx, north, dy] = pan.frame;
  const [bandWest, bandDx, bandNorth, bandDy] = band.frame;
  const shares = (from: number, to: number): [number, number][] =>
    Array.from({ length: Math.ceil(to) - Math.floor(from) }, (_, k) => {
      const at = Math.floor(from) + k;
      return [at, Math.min(to, at + 1) - Math.max(from, at)];
    });
  return band.values.map((_, i) => {
    const [column, row] = [i % band.width, Math.floor(i / band.width)];
    const left = (bandWest + column * bandDx - west) / dx;
    const top = (north - bandNorth + row * bandDy) / dy;
    let [sum, weights] = [0, 0];
    for (const [y, high] of shares(top, top + bandDy / dy)) {
      for (const [x, wide] of shares(left, left + bandDx / dx)) {
        const value = x < 0 || y < 0 || x >= pan.width ? Number.NaN : pan.values[y * pan.width + x];
        if (value === undefined || Number.isNaN(value)) return Number.NaN;
        sum += wide * high * value;
        weights += wide * high;
      }
    }
    return sum / weights;
  });
}

const isLevel = (found: number, value: number, min: number, max: number): boolean =>
  Math.abs(found - Math.min(Math.max(((value - min) / (max - min)) * 255, 0), 255)) <= 0.75;

test('pansharpening Landsat 8 RGB composite: weighted Brovey with 0.52, 0.25 and 0.23 in the requested order', async () => {
  const mtl = await readMtl('l8');
  const pan = await readBand('l8', 'B8');
  const pixels = await listPixels('l8');
  const tile = tileOf(await readBand('l8', 'B3'), 16);
  for (const [names, calibrated] of [
    [[4, 3, 2], false],
    [[2, 5, 7], false],
    [[4, 3, 2], true],
  ] as const) {
    const bands = await Promise.all(names.map((name) => readBand('l8', `B${name}`)));
    const toValue = (value: number, band: number): number =>
      calibrated ? toReflectance(value, mtl, band) : value;
    const [min, max] = calibrated ? [0, 0.8] : [5000, 30000];
    const query = `PANSHARPENING=1&MIN_MAX=${min},${max}${calibrated ? '&CALIBRATE=1' : ''}`;
    const { rgba } = await drawTile('l8', names.map((name) => `B${name}`).join(), tile, query);
    let judged = 0;
    for (const { i, ms, pan: at } of pixels) {
      const values = bands.map((band, k) => toValue(band.values[ms]!, names[k]!));
      const [b1, b2, b3] = values;
      const ratio = toValue(pan.values[at]!, 8) / (0.52 * b1! + 0.25 * b2! + 0.23 * b3!);
      if (Number.isNaN(ratio)) {
        assert.equal(rgba[4 * i + 3], 0);
        continue;
      }
      for (const [k, value] of values.entries()) {
        const found = rgba[4 * i + k]!;
        if (!isLevel(found, value * ratio, min, max)) assert.fail(`${names} ${k} at ${i}: ${found}`);
      }
      judged += 1;
    }
    assert.ok(judged > 10_000, `${judged}`);
  }
});

test('pansharpening single band, virtual band, index: each pixel is weighted by B8 over its mean', async () => {
  for (const [key, name, min, max] of [
    ['l8', 'B5', 5000, 40000],
    ['l7', 'B3', 0, 255],
    ['l7', 'B4', 0, 255],
  ] as const) {
    const [band, pan] = [await readBand(key, name), await readBand(key, 'B8')];
    const means = averagePan(pan, band);
    const { rgba } = await drawTile(key, name, tileOf(band, 16), `PANSHARPENING=1&MIN_MAX=${min},${max}`);
    let [judged, changed] = [0, 0];
    for (const { i, ms, pan: at } of await listPixels(key)) {
      const factor = pan.values[at]! / means[ms]!;
      if (Number.isNaN(factor) || Number.isNaN(band.values[ms]!)) continue;
      const found = rgba[4 * i]!;
      if (!isLevel(found, band.values[ms]! * factor, min, max)) {
        assert.fail(`${key} ${name} at ${i}: ${found}, not ${band.values[ms]} times ${factor}`);
      }
      judged += 1;
      changed += Number(Math.abs(factor - 1) > 0.02);
    }
    assert.ok(judged > 5000 && changed > 1000, `${judged} ${changed}`);
  }
});

test('pansharpening three-band composite of Landsat 7: each band is sharpened as if it were alone', async () => {
  const tile = tileOf(await readBand('l7', 'B3'), 16);
  const query = 'PANSHARPENING=1&MIN_MAX=0,255';
  const three = await drawTile('l7', 'B3,B2,B1', tile, query);
  for (const [k, name] of ['B3', 'B2', 'B1'].entries()) {
    const one = await drawTile('l7', name, tile, query);
    for (let i = 0; i < one.rgba.length; i += 4) {
      // The composite is transparent where any of the three is.
      if (three.rgba[i + 3] !== 0) assert.equal(three.rgba[i + k], one.rgba[i]);
    }
  }
});

test('pansharpening index images: the panchromatic band adds detail that a ratio of sharpened bands would not have', async () => {
  for (const [key, bands] of [
    ['l8', 'NDVI'],
    ['l8', '(B5-B4)/(B5+B4)'],
    ['l7', 'B4/B3'],
  ] as const) {
    const [band, pan] = [await readBand(key, 'B3'), await readBand(key, 'B8')];
    const means = averagePan(pan, band);
    const [plain, sharp] = [
      await drawTile(key, bands, tileOf(band, 16), 'MIN_MAX=-1,4'),
      await drawTile(key, bands, tileOf(band, 16), 'MIN_MAX=-1,4&PANSHARPENING=1'),
    ];
    const sums = { dd: 0, cc: 0, dc: 0 };
    for (const { i, ms, pan: at } of await listPixels(key)) {
      const detail = pan.values[at]! / means[ms]! - 1;
      if (Number.isNaN(detail) || sharp.rgba[4 * i + 3] === 0) continue;
      const change = sharp.rgba[4 * i]! - plain.rgba[4 * i]!;
      sums.dd += detail ** 2;
      sums.cc += change ** 2;
      sums.dc += detail * change;
    }
    const correlation = sums.dc / Math.sqrt(sums.dd * sums.cc);
    assert.ok(sums.cc > 1000 && correlation > 0.8, `${key} ${bands}: ${JSON.stringify(sums)} ${correlation}`);
  }
});

test('pansharpening RESAMPLE: all methods are allowed, and the results depend on them', async () => {
  const tile = tileOf(await readBand('l8', 'B3'), 16);
  const seen = new Map<string, string>();
  for (const method of RESAMPLES) {
    const { rgba } = await drawTile(
      'l8',
      'B5',
      tile,
      `PANSHARPENING=1&MIN_MAX=5000,40000&RESAMPLE=${method}`,
    );
    seen.set(method, Buffer.from(rgba).toString('base64'));
  }
  const interpolating = ['near', 'bilinear', 'cubic', 'cubicspline', 'lanczos'].map((method) =>
    seen.get(method),
  );
  assert.equal(new Set(interpolating).size, 5);
});

test('pansharpening PANSHARPENING or PS: both use the same algorithm', async () => {
  for (const [key, pattern, bands] of [
    ['l8', 'PS:B4:B3:B2:B8', 'B4,B3,B2'],
    ['l8', 'PS:B5:B8', 'B5'],
    ['l7', 'PS:B3:B2:B1:B8', 'B3,B2,B1'],
    ['l7', 'PS:B4:B8', 'B4'],
  ] as const) {
    const tile = tileOf(await readBand(key, 'B3'), 15);
    const asked = await drawTile(key, bands, tile, 'PANSHARPENING=true');
    expectSame(await drawTile(key, pattern, tile), asked, pattern);
    expectSame(await drawTile(key, pattern, tile, 'PANSHARPENING=1'), asked, pattern);
  }
});

test('pansharpening supported: Landsat 7 and 8 only', async () => {
  for (const [key, bands, pattern] of [
    ['s2', 'B04,B03,B02', 'PS:B04:B03:B02:B08'],
    ['modis', 'B01', 'PS:B01:B02'],
    ['cbers', 'BAND7', 'PS:BAND7:BAND8'],
    ['naip', 'R,G,B', 'PS:R:G:B:N'],
    ['s1', 'VV', 'PS:VV:VH'],
  ] as const) {
    const tile = { z: 3, x: 1, y: 2 };
    await askRefused(tilePath(key, bands, tile), 422, { query: 'PANSHARPENING=1' });
    await askRefused(tilePath(key, pattern, tile), 422);
  }
});
