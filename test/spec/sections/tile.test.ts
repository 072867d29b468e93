/** The position of a tile, access to it, and its contrast, units, projection, format and area. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepArea, ringAround } from '../areas.ts';
import { readMtl, toReflectance } from '../landsat.ts';
import { percentile } from '../percentile.ts';
import {
  colorAt,
  draw,
  drawTile,
  expectPixels,
  expectSame,
  greyOf,
  lookUp,
  OUTSIDE,
  readBand,
  TRANSPARENT,
  tileGrid,
  tileOf,
  tilePath,
  toHex,
  toLevel,
  UNSURE,
} from '../pixels.ts';
import { ask, askJson, askRefused, verbPath } from '../service.ts';

test('tile view_id: the scene of a view id is drawn; an unknown view id is 404', async () => {
  const band = await readBand('s2', 'B04');
  const tile = tileOf(band, 16);
  const picture = await drawTile('s2', 'B04', tile, 'MIN_MAX=0,6000');
  expectPixels(picture, lookUp(tileGrid(tile), band), (at) => greyOf(band.values[at]!, 0, 6000));
  const path = tilePath('s2', 'B04', tile);
  assert.equal(await askRefused(path.replace('/2021/', '/2020/'), 404), 'unknown-scene');
  await askRefused(path.replace('S2/', 'S9/'), 404);
});

test('tile bands: one band is grey, three are red, green and blue, an alias is its formula', async () => {
  const [red, green, blue, near] = await Promise.all(
    ['B04', 'B03', 'B02', 'B08'].map((name) => readBand('s2', name)),
  );
  const tile = tileOf(red!, 16);
  const where = lookUp(tileGrid(tile), red!);
  const three = await drawTile('s2', 'B04,B03,B02', tile, 'MIN_MAX=0,6000');
  expectPixels(three, where, (at) => {
    const levels = [red!, green!, blue!].map(({ values }) => toLevel(values[at]!, 0, 6000));
    return levels.includes(null) ? null : `${levels.map((level) => toHex(level!)).join('')}ff`;
  });
  const index = (at: number): string | null => {
    const [n, r] = [near!.values[at]!, red!.values[at]!];
    return greyOf((n - r) / (n + r), -1, 1);
  };
  for (const bands of ['NDVI', '(B08-B04)/(B08+B04)', 'ndvi']) {
    expectPixels(await drawTile('s2', bands, tile, 'MIN_MAX=-1,1'), where, index);
  }
  assert.equal((await ask(tilePath('s2', 'B99', tile))).status, 422);
});

test('tile z, x, y: 256 × 256 pixels of the XYZ grid; tiles outside the grid are 404', async () => {
  const band = await readBand('s2', 'B04');
  for (const z of [14, 15, 17]) {
    const tile = tileOf(band, z);
    const picture = await drawTile('s2', 'B04', tile, 'MIN_MAX=0,6000');
    assert.deepEqual([picture.width, picture.height], [256, 256]);
    expectPixels(picture, lookUp(tileGrid(tile), band), (at) => greyOf(band.values[at]!, 0, 6000));
  }
  for (const tile of [
    { z: 2, x: 4, y: 0 },
    { z: 2, x: 0, y: 4 },
    { z: 25, x: 0, y: 0 },
  ]) {
    assert.equal(await askRefused(tilePath('s2', 'B04', tile), 404), 'no-such-tile');
  }
});

test('tile outside: tiles and parts of tiles outside the scene are transparent', async () => {
  const band = await readBand('s2', 'B04');
  const far = await draw(tilePath('s2', 'B04', { z: 12, x: 0, y: 0 }));
  assert.deepEqual([far.type, far.width, far.height], ['image/png', 256, 256]);
  assert.ok(far.rgba.every((value) => value === 0));
  const tile = tileOf(band, 15);
  const where = lookUp(tileGrid(tile), band);
  const part = await drawTile('s2', 'B04', tile, 'MIN_MAX=0,6000');
  const seen = expectPixels(part, where, (at) => greyOf(band.values[at]!, 0, 6000));
  assert.ok(seen.get(TRANSPARENT)! > 1000 && where.some((at) => at >= 0));
});

test('tile api_key: required, 401 without and 403 with a wrong one', async () => {
  const path = tilePath('s2', 'B04', tileOf(await readBand('s2', 'B04'), 15));
  assert.equal((await ask(path)).status, 200);
  await askRefused(path, 401, { apiKey: null });
  await askRefused(path, 403, { apiKey: 'not-a-key' });
});

test('tile MIN_MAX: levels run from min to max; anything but a range is refused', async () => {
  const band = await readBand('s2', 'B08');
  const tile = tileOf(band, 16);
  const where = lookUp(tileGrid(tile), band);
  for (const [min, max] of [
    [0, 10000],
    [1500.5, 3200],
    [-500, 2600],
  ] as const) {
    const picture = await drawTile('s2', 'B08', tile, `MIN_MAX=${min},${max}`);
    expectPixels(picture, where, (at) => greyOf(band.values[at]!, min, max));
  }
  const path = tilePath('s2', 'B08', tile);
  assert.equal(await askRefused(path, 400, { query: 'MIN_MAX=1' }), 'bad-min-max');
  assert.equal(await askRefused(path, 422, { query: 'MIN_MAX=5,5' }), 'flat-min-max');
});

test('tile MIN_MAX: by default 2 % to 98 % of the scene, with the upper end lowered by 0.75 times the cloud cover', async () => {
  // CBERS-4 has no cloud information; the record of Landsat 8 has it.
  const plain = await readBand('cbers', 'BAND7');
  const { cloud } = await askJson<{ cloud: number }>(`${verbPath('l8', 'ir')}/B4`);
  assert.ok(cloud > 5);
  for (const [key, name, band, high] of [
    ['cbers', 'BAND7', plain, 98],
    ['l8', 'B4', await readBand('l8', 'B4'), 98 - 0.75 * cloud],
  ] as const) {
    const [min, max] = [percentile(band.values, 2), percentile(band.values, high)];
    const tile = tileOf(band, 16);
    const where = lookUp(tileGrid(tile), band);
    expectPixels(await drawTile(key, name, tile), where, (at) => greyOf(band.values[at]!, min, max));
  }
});

test('tile crs: a tile in another projection, EPSG:3857 by default', async () => {
  const band = await readBand('s2', 'B04');
  const tile = tileOf(band, 16);
  const query = 'MIN_MAX=0,6000';
  const byDefault = await drawTile('s2', 'B04', tile, query);
  expectSame(await drawTile('s2', 'B04', tile, `${query}&crs=EPSG:3857`), byDefault);
  const { z, x, y } = tile;
  const lon = (column: number) => (column / 2 ** z) * 360 - 180;
  const lat = (row: number) => (Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / 2 ** z))) * 180) / Math.PI;
  const degrees = { epsg: 4326, width: 256, height: 256, west: lon(x), east: lon(x + 1) };
  const where = lookUp({ ...degrees, north: lat(y), south: lat(y + 1) }, band);
  const picture = await drawTile('s2', 'B04', tile, `${query}&crs=EPSG:4326`);
  expectPixels(picture, where, (at) => greyOf(band.values[at]!, 0, 6000));
  const metres = await drawTile('s2', 'B04', tile, `${query}&crs=EPSG:32610`);
  assert.ok(!Buffer.from(metres.rgba).equals(byDefault.rgba));
  assert.equal(await askRefused(tilePath('s2', 'B04', tile), 400, { query: 'crs=somewhere' }), 'bad-crs');
});

test('tile CALIBRATE: reflectance before band math, brightness temperature of thermal bands', async () => {
  const mtl = await readMtl('l8');
  const [red, thermal] = [await readBand('l8', 'B4'), await readBand('l8', 'B10')];
  const tile = tileOf(red, 16);
  const where = lookUp(tileGrid(tile), red);
  for (const value of ['1', 'true']) {
    const picture = await drawTile('l8', 'B4*2.0', tile, `CALIBRATE=${value}&MIN_MAX=0,1`);
    const seen = expectPixels(picture, where, (at) =>
      greyOf(2 * toReflectance(red.values[at]!, mtl, 4), 0, 1),
    );
    assert.ok(seen.size > 20);
  }
  const kelvin = (value: number): number => {
    const radiance = mtl('RADIANCE_MULT_BAND_10') * value + mtl('RADIANCE_ADD_BAND_10');
    return mtl('K2_CONSTANT_BAND_10') / Math.log(mtl('K1_CONSTANT_BAND_10') / radiance + 1);
  };
  const warm = await drawTile('l8', 'B10+0.0', tile, 'CALIBRATE=1&MIN_MAX=250,320');
  expectPixels(warm, where, (at) => greyOf(kelvin(thermal.values[at]!), 250, 320));
  const raw = await drawTile('l8', 'B4*2.0', tile, 'CALIBRATE=0&MIN_MAX=0,60000');
  expectPixels(raw, where, (at) => greyOf(2 * red.values[at]!, 0, 60000));
  assert.equal(await askRefused(tilePath('l8', 'B4', tile), 400, { query: 'CALIBRATE=2' }), 'bad-calibrate');
});

test('tile cropper_ref: pixels outside the area are transparent, those inside unchanged; an unknown area is 404', async () => {
  const band = await readBand('l2a', 'B04');
  const tile = tileOf(band, 15);
  const where = lookUp(tileGrid(tile), band);
  const ref = await keepArea(ringAround(band, [20, 30], [60, 70]));
  const [plain, cropped] = [
    await drawTile('l2a', 'B04', tile, 'MIN_MAX=0,6000'),
    await drawTile('l2a', 'B04', tile, `MIN_MAX=0,6000&cropper_ref=${ref}`),
  ];
  let inside = 0;
  for (const [i, at] of where.entries()) {
    if (at === UNSURE) continue;
    const [column, row] = [at % band.width, Math.floor(at / band.width)];
    const isInside = at !== OUTSIDE && column >= 20 && column <= 60 && row >= 30 && row <= 70;
    assert.equal(colorAt(cropped, i), isInside ? colorAt(plain, i) : TRANSPARENT, `pixel ${i}`);
    inside += Number(isInside);
  }
  assert.ok(inside > 3000);
  const query = `cropper_ref=${'0'.repeat(32)}`;
  assert.equal(await askRefused(tilePath('l2a', 'B04', tile), 404, { query }), 'unknown-area');
});

test('tile mimetype: JPEG for opaque tiles and PNG for tiles with transparency by default; either on demand', async () => {
  const band = await readBand('l2a', 'B04');
  const [inside, edge] = [tileOf(band, 18), tileOf(band, 14)].map((tile) =>
    tilePath('l2a', 'B04,B03,B02', tile),
  );
  const [opaque, holed] = [await draw(inside!), await draw(edge!)];
  assert.deepEqual([opaque.type, holed.type], ['image/jpeg', 'image/png']);
  assert.deepEqual([...opaque.bytes.subarray(0, 3)], [0xff, 0xd8, 0xff]);
  assert.equal(Buffer.from(holed.bytes.subarray(1, 4)).toString(), 'PNG');
  const png = await draw(inside!, 'mimetype=image/png');
  assert.equal(png.type, 'image/png');
  const off = png.rgba.map((value, i) => Math.abs(value - opaque.rgba[i]!));
  assert.ok(off.reduce((sum, one) => sum + one, 0) / off.length < 4, 'the same picture');
  const jpeg = await draw(edge!, 'mimetype=image/jpeg');
  assert.equal(jpeg.type, 'image/jpeg');
  const holes = holed.rgba.findIndex((value, i) => i % 4 === 3 && value === 0);
  assert.ok(jpeg.rgba[holes - 1]! < 10 && jpeg.rgba[holes] === 255, 'black where it was transparent');
  assert.equal(await askRefused(inside!, 400, { query: 'mimetype=image/gif' }), 'bad-mimetype');
});
