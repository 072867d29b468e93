/** Files of mosaics through the service, computed again from the files of the scenes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { keepArea, ringAround } from '../areas.ts';
import type { BandPixels } from '../pixels.ts';
import { readBand } from '../pixels.ts';
import { call, sceneOf } from '../service.ts';
import type { MadeFile } from '../tasks.ts';
import { makeFile, orderRefused, readArchive, readPixels, readTiff } from '../tasks.ts';

const FIRE = { sensors: ['S2L2A'], period: '2026-08' };
const readFire = (band: string) => Promise.all([readBand('beforeFire', band), readBand('afterFire', band)]);

/** Pixels of a file that are pixels of a band too: the positions of both. */
async function matchPixels({ bytes }: Pick<MadeFile, 'bytes'>, band: BandPixels) {
  const { width, height, epsg, transform, bands } = await readPixels(bytes);
  assert.ok(epsg === 32_610 && transform !== null);
  const size = band.frame[1];
  assert.deepEqual([transform[1], transform[5]], [size, -size]);
  const [left, top] = [(transform[0] - band.frame[0]) / size, (band.frame[2] - transform[3]) / size];
  assert.ok(Number.isInteger(left) && Number.isInteger(top), 'on the lattice of the band');
  const pairs: { readonly own: number; readonly pixel: number | null }[] = [];
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const [x, y] = [column + left, row + top];
      const isInside = x >= 0 && y >= 0 && x < band.width && y < band.height;
      pairs.push({ own: row * width + column, pixel: isInside ? y * band.width + x : null });
    }
  }
  return { pairs, bands, width, height };
}

/** The names of scenes in a file, by their numbers. */
const namesOf = ({ bytes }: Pick<MadeFile, 'bytes'>): ReadonlyMap<number, string> =>
  new Map(
    [...bytes.toString('latin1').matchAll(/<Item name="SCENE_(\d+)">([^<]*)</g)].map(([, number, name]) => [
      Number(number),
      name!,
    ]),
  );

const ORDER = { mask: 'none', selection: 'highest', by: '(B8A-B12)/(B8A+B12)' };

test('mosaic lbe: each pixel has the stored number of the scene that the source band names', async () => {
  const [[before, after], [beforeNear, afterNear]] = [await readFire('B12'), await readFire('B8A')];
  const ring = ringAround(after, [20, 20], [69, 79]);
  const file = await makeFile('lbe', {
    mosaic: { ...FIRE, ...ORDER },
    bands: ['B12', 'B8A'],
    geometry: { type: 'Polygon', coordinates: [ring] },
  });
  assert.equal(file.name, 'S2L2A_2026-08-01_2026-08-31_highest_B12,B8A.TIF');
  const tiff = await readTiff(file.bytes);
  assert.deepEqual([tiff.images[0].type, tiff.nodata, file.type], ['uint16', 0, 'image/tiff']);
  const names = namesOf(file);
  const { pairs, bands } = await matchPixels(file, after);
  const [short, near, sources] = bands as [(typeof bands)[0], (typeof bands)[0], (typeof bands)[0]];
  const seen = new Map<string, number>();
  for (const { own, pixel } of pairs) {
    if (sources[own] === 0) {
      assert.deepEqual([short[own], near[own]], [0, 0]);
      continue;
    }
    assert.ok(pixel !== null);
    const ratio = (a: BandPixels, b: BandPixels) =>
      (a.values[pixel]! - b.values[pixel]!) / (a.values[pixel]! + b.values[pixel]!);
    const name = names.get(sources[own]!) ?? '';
    const isBefore = name === sceneOf('beforeFire').viewId;
    assert.ok(isBefore || name === sceneOf('afterFire').viewId, name);
    const [higher, lower] = [ratio(beforeNear, before), ratio(afterNear, after)].toSorted((a, b) => b - a);
    if (higher !== lower) assert.equal(isBefore, ratio(beforeNear, before) === higher);
    const [b12, b8a] = isBefore ? [before, beforeNear] : [after, afterNear];
    assert.deepEqual([short[own], near[own]], [b12.values[pixel], b8a.values[pixel]]);
    seen.set(name, (seen.get(name) ?? 0) + 1);
  }
  assert.equal(
    [...seen.values()].reduce((sum, count) => sum + count, 0),
    50 * 60,
    'the pixels of the outline',
  );
  assert.equal(seen.size, 2);
});

test('mosaic bandmath: the file has values over all scenes, and their count', async () => {
  const [before, after] = await readFire('B12');
  const cropper_ref = await keepArea(ringAround(after, [10, 10], [29, 39]));
  const file = await makeFile('bandmath', {
    mosaic: { ...FIRE, mask: 'none', selection: 'mean' },
    bm_type: ['B12/2', 'B12+1'],
    cropper_ref,
    crs: 'EPSG:32610',
    name_alias: 'two of them',
  });
  assert.equal(file.name, 'S2L2A_2026-08-01_2026-08-31_mean_two_of_them.TIF');
  const tiff = await readTiff(file.bytes);
  assert.deepEqual([tiff.images[0].type, tiff.nodata], ['float32', -9999]);
  const { pairs, bands } = await matchPixels(file, after);
  let count = 0;
  for (const { own, pixel } of pairs) {
    const [half, more, scenes] = bands.map((band) => band[own]!);
    if (scenes === -9999) continue;
    const mean = (before.values[pixel!]! + after.values[pixel!]!) / 2;
    assert.deepEqual([half, more, scenes], [Math.fround(mean / 2), Math.fround(mean + 1), 2]);
    count += 1;
  }
  assert.equal(count, 20 * 30);
});

test('mosaic jpeg: the file equals the picture of the same rectangle, with the contrast of the mosaic', async () => {
  const [, after] = await readFire('B12');
  const params = {
    mosaic: { ...FIRE, mask: 'none', selection: 'oldest' },
    bm_type: 'B12',
    resample: 'near',
    geometry: { type: 'Polygon', coordinates: [ringAround(after, [10, 10], [79, 69])] },
  };
  const file = await makeFile('jpeg', { ...params, format: 'tiff' });
  const { epsg, transform, width, height, bands } = await readPixels(file.bytes);
  assert.ok(epsg === 3857 && transform !== null);
  const [west, pixel, , north, , down] = transform;
  const [x, y] = [`${west};${west + width * pixel};3857`, `${north};${north + height * down};3857`];
  const query = `TILE_SIZE=${width},${height}&crs=EPSG:3857&mimetype=image/png&RESAMPLE=near&mask=none&selection=oldest`;
  const response = await call(`/api/mosaic/S2L2A/2026-08/B12/12/${x}/${y}?${query}`);
  assert.equal(response.status, 200);
  const drawn = await sharp(new Uint8Array(await response.arrayBuffer()))
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer();
  let shown = 0;
  for (let i = 0; i < width * height; i += 1) {
    if (bands[3]![i] === 0) continue;
    shown += 1;
    assert.deepEqual(
      bands.map((band) => band[i]),
      [...drawn.subarray(4 * i, 4 * i + 4)],
    );
  }
  assert.ok(shown > 3_000, `${shown} pixels`);
  const jpeg = await makeFile('jpeg', params);
  const { format, width: across } = await sharp(jpeg.bytes).metadata();
  assert.deepEqual([format, across, jpeg.type], ['jpeg', width, 'image/jpeg']);
});

test('mosaic several files: a long strip is written as two files, with a VRT and a STAC item', async () => {
  const [, after] = await readFire('B12');
  const [left, right] = [ringAround(after, [10, 50], [10, 50]), ringAround(after, [89, 50], [89, 50])];
  const lons = [...left, ...right].map(([lon]) => lon!);
  const lats = left.map(([, lat]) => lat!);
  const file = await makeFile('lbe', {
    mosaic: { ...FIRE, mask: 'none' },
    bands: 'B12',
    bbox: [Math.min(...lons), Math.min(...lats), Math.max(...lons), Math.max(...lats)],
    px_size: 0.3,
  });
  assert.equal(file.type, 'application/zip');
  const files = readArchive(file.bytes);
  const name = 'S2L2A_2026-08-01_2026-08-31_newest_B12';
  assert.deepEqual([...files.keys()], [`${name}_0_0.tif`, `${name}_1_0.tif`, `${name}.vrt`, 'item.json']);
  const [first, second] = await Promise.all(
    [0, 1].map((column) => readPixels(files.get(`${name}_${column}_0.tif`)!)),
  );
  assert.equal(first!.width, 10_240);
  assert.ok(Math.abs(second!.transform![0] - (first!.transform![0] + 10_240 * 0.3)) < 1e-6);
  const item = JSON.parse(files.get('item.json')!.toString());
  assert.deepEqual(item.properties['proj:shape'], [first!.height, 10_240 + second!.width]);
  assert.deepEqual(
    item.links.map(({ title }: { title: string }) => title),
    [sceneOf('afterFire').viewId],
  );
  assert.match(files.get(`${name}.vrt`)!.toString(), new RegExp(`rasterXSize="${10_240 + second!.width}"`));
});

test('mosaic refused orders: an order without an area, a scene or a band is refused', async () => {
  const bbox = [-122.41, 48.21, -122.39, 48.23];
  const mosaic = FIRE;
  assert.equal(await orderRefused('lbe', { mosaic, bands: 'B12' }), 'no-area');
  assert.equal(await orderRefused('lbe', { mosaic, bands: 'B12+B04', bbox }), 'unknown-band');
  assert.equal(await orderRefused('bandmath', { mosaic, bm_type: 'B99', bbox }), 'unknown-band');
  const never = { ...FIRE, period: '2020' };
  assert.equal(await orderRefused('bandmath', { mosaic: never, bm_type: 'B12', bbox }, 404), 'nothing-there');
  const [, after] = await readFire('B12');
  const geometry = { type: 'Polygon', coordinates: [ringAround(after, [10, 10], [29, 29])] };
  const sharpened = { mosaic, bm_type: 'B12', geometry, pansharpening: 1 };
  assert.equal(await orderRefused('jpeg', sharpened), 'sharpened-mosaic');
});
