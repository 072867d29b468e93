/** Pictures of bounds in any projection. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepArea, ringAround } from '../areas.ts';
import {
  bandGrid,
  boundsPath,
  draw,
  drawNative,
  expectNative,
  expectPixels,
  expectSame,
  greyOf,
  lookUp,
  readBand,
  TRANSPARENT,
  tileGrid,
  tileOf,
} from '../pixels.ts';
import { askRefused, sceneOf } from '../service.ts';

const EXACT = 'mimetype=image/png&RESAMPLE=near&MIN_MAX=0,6000';

test('bounds x_bounds: left;right;code; a left that is not less than the right is refused', async () => {
  const band = await readBand('l2a', 'B04');
  const { west, east, north, south } = bandGrid(band);
  const half = { ...bandGrid(band), west, east: (west + east) / 2, width: 48, height: 96 };
  const picture = await draw(boundsPath('l2a', 'B04', half), `${EXACT}&crs=EPSG:32610&TILE_SIZE=48,96`);
  expectPixels(picture, lookUp(half, band), (at) => greyOf(band.values[at]!, 0, 6000));
  const view = sceneOf('l2a').viewId;
  for (const x of [`${east};${west};32610`, `${west};32610`, `${west};${east}`, 'a;b;32610']) {
    assert.equal(await askRefused(`${view}/B04/12/${x}/${north};${south};32610`, 400), 'bad-bounds');
  }
});

test('bounds y_bounds: upper;lower;code; the other order gives the same picture', async () => {
  const band = await readBand('l2a', 'B04');
  const grid = bandGrid(band);
  const top = { ...grid, south: (grid.north + grid.south) / 2, width: 96, height: 48 };
  const query = `${EXACT}&crs=EPSG:32610&TILE_SIZE=96,48`;
  const picture = await draw(boundsPath('l2a', 'B04', top), query);
  expectPixels(picture, lookUp(top, band), (at) => greyOf(band.values[at]!, 0, 6000));
  const turned = await draw(boundsPath('l2a', 'B04', { ...top, north: top.south, south: top.north }), query);
  expectSame(turned, picture);
});

test('bounds projection_code: 4326, 3857 and UTM name the same ground; both bounds have one', async () => {
  const band = await readBand('l2a', 'B04');
  const tile = tileOf(band, 16);
  const mercator = tileGrid(tile);
  const { z, x, y } = tile;
  const lon = (column: number) => (column / 2 ** z) * 360 - 180;
  const lat = (row: number) => (Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / 2 ** z))) * 180) / Math.PI;
  const degrees = {
    ...mercator,
    epsg: 4326,
    west: lon(x),
    east: lon(x + 1),
    north: lat(y),
    south: lat(y + 1),
  };
  const expected = (at: number): string | null => greyOf(band.values[at]!, 0, 6000);
  // Pictures are in Web Mercator unless told, whatever the bounds are in.
  for (const grid of [mercator, degrees]) {
    expectPixels(await draw(boundsPath('l2a', 'B04', grid), EXACT), lookUp(mercator, band), expected);
  }
  const flat = await draw(boundsPath('l2a', 'B04', degrees), `${EXACT}&crs=EPSG:4326`);
  expectPixels(flat, lookUp(degrees, band), expected);
  expectNative(await drawNative('l2a', 'B04', band, 'MIN_MAX=0,6000'), expected);
  const path = boundsPath('l2a', 'B04', degrees);
  assert.equal(await askRefused(path.replace(/4326$/, '3857'), 400), 'bad-bounds');
  await askRefused(path.replaceAll(';4326', ';99999'), 422);
});

test('bounds TILE_SIZE: width,height in pixels; 256 × 256 by default', async () => {
  const band = await readBand('l2a', 'B04');
  const path = boundsPath('l2a', 'B04', tileGrid(tileOf(band, 16)));
  const byDefault = await draw(path, EXACT);
  assert.deepEqual([byDefault.width, byDefault.height], [256, 256]);
  for (const [width, height] of [
    [300, 120],
    [1, 1],
    [2048, 3],
  ] as const) {
    const picture = await draw(path, `${EXACT}&TILE_SIZE=${width},${height}`);
    assert.deepEqual([picture.width, picture.height], [width, height]);
    const grid = { ...tileGrid(tileOf(band, 16)), width, height };
    const where = lookUp(grid, band);
    if (width === 300) expectPixels(picture, where, (at) => greyOf(band.values[at]!, 0, 6000));
  }
  for (const query of ['TILE_SIZE=2049,10', 'TILE_SIZE=0,10', 'TILE_SIZE=256', 'TILE_SIZE=a,b']) {
    assert.equal(await askRefused(path, 422, { query }), 'bad-tile-size');
  }
});

test('bounds outside: pixels outside the scene are transparent', async () => {
  const band = await readBand('l2a', 'B04');
  const { west, east, north, south, ...grid } = bandGrid(band);
  const wide = { ...grid, west: west - 480, east: east + 480, north: north + 480, south: south - 480 };
  const picture = await draw(
    boundsPath('l2a', 'B04', { ...wide, width: 192, height: 192 }),
    `${EXACT}&crs=EPSG:32610&TILE_SIZE=192,192`,
  );
  const seen = expectPixels(picture, lookUp({ ...wide, width: 192, height: 192 }, band), (at) =>
    greyOf(band.values[at]!, 0, 6000),
  );
  assert.equal(seen.get(TRANSPARENT), 192 * 192 - 96 * 96);
});

test('bounds query: tile parameters have the same effect as on the tile of the same ground', async () => {
  const band = await readBand('l8', 'B4');
  const tile = tileOf(band, 16);
  const path = (bands: string): string => boundsPath('l8', bands, tileGrid(tile));
  const ref = await keepArea(ringAround(band, [15, 15], [30, 30]));
  const palette = encodeURIComponent('{"(15,14)":"#ff0000"}');
  for (const [bands, query] of [
    ['B4,B3,B2', ''],
    ['B4', 'MIN_MAX=5000,20000'],
    ['NDVI', 'COLORS=000000,ff0000&THRESHOLDS=0.3'],
    ['B4*1.0', 'CALIBRATE=1'],
    ['NDVI', 'COLORMAP=viridis&COLORS_LIMIT=7'],
    ['B4', `cropper_ref=${ref}`],
    ['B4', 'RESAMPLE=cubic'],
    ['B4', 'mimetype=image/jpeg'],
    ['BQA', `PALETTE=${palette}`],
    ['B4,B3,B2', 'PANSHARPENING=1'],
    ['B4/B3,B3/B2,B2/B4', 'COMPOSITE=1'],
    ['NDVI', 'CLUSTERING=kmeans&CLUSTERS_NO=3'],
    ['PS:B4:B3:B2:B8', ''],
  ] as const) {
    const [image, tiled] = [await draw(path(bands), query), await drawTileAsIs(bands, query)];
    assert.equal(image.type, tiled.type, `${bands} ${query}`);
    expectSame(image, tiled, `${bands} ${query}`);
  }
  async function drawTileAsIs(bands: string, query: string) {
    const { z, x, y } = tile;
    return draw(`${sceneOf('l8').viewId}/${encodeURIComponent(bands)}/${z}/${x}/${y}`, query);
  }
  await askRefused(path('B4'), 401, { apiKey: null });
});
