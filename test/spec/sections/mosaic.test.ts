/** Mosaics through the service: two scenes of a forest before and after a fire, and one of a town under clouds. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { keepArea, ringAround } from '../areas.ts';
import type { BandPixels, Picture, Tile } from '../pixels.ts';
import {
  bandGrid,
  colorAt,
  drawTile,
  expectPixels,
  expectSame,
  greyOf,
  lonLatOf,
  lookUp,
  readBand,
  TRANSPARENT,
  tileGrid,
  tileOf,
  UNSURE,
} from '../pixels.ts';
import { call, sceneOf } from '../service.ts';

const FIRE = 'S2L2A/2026-08';
const TOWN = 'S2L2A/2026-06';
/** Classes of SCL that do not show the ground: shadow, clouds and cirrus. */
const HIDDEN = [3, 8, 9, 10];

async function draw(path: string, query: string): Promise<Picture> {
  const response = await call(`/api/mosaic/${path}?RESAMPLE=near&mimetype=image/png&${query}`);
  if (response.status !== 200) assert.fail(`${path}?${query}: ${response.status} ${await response.text()}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const { data, info } = await sharp(bytes)
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const type = response.headers.get('content-type') ?? '';
  return { type, width: info.width, height: info.height, rgba: new Uint8Array(data), bytes };
}

const at = ({ z, x, y }: Tile): string => `${z}/${x}/${y}`;

async function askJson<Body>(path: string, body?: unknown): Promise<Body> {
  const response = await call(`/api/mosaic/${path}`, body === undefined ? {} : { body });
  assert.equal(response.status, 200, `${path}: ${await response.clone().text()}`);
  return (await response.json()) as Body;
}

interface Source {
  readonly view_id: string;
  readonly date: string;
  readonly sensor: string;
  readonly color?: string;
  readonly pixels?: number;
}

/** The two scenes of the fire on their common grid. */
const readFire = (band: string) => Promise.all([readBand('beforeFire', band), readBand('afterFire', band)]);

/** Where a pixel of a band lies in another band of the same scene. */
function toCoarser(band: BandPixels, coarse: BandPixels, at: number): number {
  const factor = coarse.frame[1] / band.frame[1];
  const [column, row] = [at % band.width, Math.floor(at / band.width)];
  return Math.floor(row / factor) * coarse.width + Math.floor(column / factor);
}

test('mosaic tile: newest and oldest take each pixel from the newest or oldest scene', async () => {
  const [before, after] = await readFire('B12');
  const tile = tileOf(after, 12);
  const where = lookUp(tileGrid(tile), after);
  for (const [selection, band, key] of [
    ['newest', after, 'afterFire'],
    ['oldest', before, 'beforeFire'],
    ['nearest&date=2026-08-05', before, 'beforeFire'],
  ] as const) {
    const picture = await draw(`${FIRE}/B12/${at(tile)}`, `MIN_MAX=0,6000&mask=none&selection=${selection}`);
    assert.equal(picture.type, 'image/png');
    expectPixels(picture, where, (pixel) => greyOf(band.values[pixel]!, 0, 6000));
    expectSame(picture, await drawTile(key, 'B12', tile, 'MIN_MAX=0,6000'), selection);
  }
});

test('mosaic tile: mean, stddev, highest and count equal those computed from the two scenes', async () => {
  const [before, after] = await readFire('B12');
  const [beforeNear, afterNear] = await readFire('B8A');
  const tile = tileOf(after, 12);
  const where = lookUp(tileGrid(tile), after);
  const values = (pixel: number) => [before.values[pixel]!, after.values[pixel]!] as const;
  const ndviIsHigherBefore = (pixel: number): boolean => {
    const ratio = (near: BandPixels, short: BandPixels) =>
      (near.values[pixel]! - short.values[pixel]!) / (near.values[pixel]! + short.values[pixel]!);
    return ratio(beforeNear, before) > ratio(afterNear, after);
  };
  const by = encodeURIComponent('(B8A-B12)/(B8A+B12)');
  const selections: readonly (readonly [string, (pixel: number) => number, number])[] = [
    ['mean', (pixel) => (values(pixel)[0] + values(pixel)[1]) / 2, 6000],
    ['median', (pixel) => (values(pixel)[0] + values(pixel)[1]) / 2, 6000],
    ['stddev', (pixel) => Math.abs(values(pixel)[0] - values(pixel)[1]) / 2, 3000],
    ['percentile&percent=100', (pixel) => Math.max(...values(pixel)), 6000],
    [`highest&by=${by}`, (pixel) => (ndviIsHigherBefore(pixel) ? before : after).values[pixel]!, 6000],
    ['count', () => 2, 4],
  ];
  for (const [selection, expected, max] of selections) {
    const query = `MIN_MAX=0,${max}&mask=none&selection=${selection}`;
    const picture = await draw(`${FIRE}/B12/${at(tile)}`, query);
    expectPixels(picture, where, (pixel) => greyOf(expected(pixel), 0, max));
  }
});

test('mosaic mask: cloud, cirrus and shadow pixels of SCL are left out, on request with their surroundings', async () => {
  const [red, classes] = [await readBand('l2a', 'B04'), await readBand('l2a', 'SCL')];
  const tile = tileOf(red, 15);
  const where = lookUp(tileGrid(tile), red);
  const isHidden = (pixel: number, hidden: readonly number[]): boolean =>
    hidden.includes(classes.values[toCoarser(red, classes, pixel)]!);
  const expectHidden = (picture: Picture, hidden: readonly number[]): number =>
    expectPixels(picture, where, (pixel) =>
      isHidden(pixel, hidden) ? TRANSPARENT : greyOf(red.values[pixel]!, 0, 6000),
    ).get(TRANSPARENT) ?? 0;
  const path = `${TOWN}/B04/${at(tile)}`;
  const all = await draw(path, 'MIN_MAX=0,6000');
  const none = expectHidden(await draw(path, 'MIN_MAX=0,6000&mask=none'), []);
  const clouds = expectHidden(await draw(path, 'MIN_MAX=0,6000&mask=clouds'), [8, 9]);
  const every = expectHidden(all, HIDDEN);
  assert.ok(none < clouds && clouds < every, `${none} ${clouds} ${every}`);
  const wider = await draw(path, 'MIN_MAX=0,6000&dilate=40');
  let shrunk = 0;
  for (let i = 0; i < where.length; i += 1) {
    if (colorAt(wider, i) === TRANSPARENT) shrunk += Number(colorAt(all, i) !== TRANSPARENT);
    else assert.equal(colorAt(wider, i), colorAt(all, i));
  }
  assert.ok(shrunk > 100, `${shrunk} pixels`);
});

test('mosaic image: bounds may replace the tile, and a tile is a part of an image without a seam', async () => {
  const after = await readBand('afterFire', 'B12');
  const tile = tileOf(after, 13);
  const next = { ...tile, x: tile.x + 1 };
  const whole = { ...tileGrid(tile), width: 512, east: tileGrid(next).east };
  const shape = `${whole.west};${whole.east};3857/${whole.north};${whole.south};3857`;
  for (const query of [
    'MIN_MAX=0,6000',
    'MIN_MAX=0,6000&selection=median',
    'MIN_MAX=0,6000&dilate=100&feather=8',
    'MIN_MAX=0,6000&selection=medoid&dilate=100',
  ]) {
    const image = await draw(`${FIRE}/B12/13/${shape}`, `${query}&crs=EPSG:3857&TILE_SIZE=512,256`);
    assert.deepEqual([image.width, image.height], [512, 256]);
    for (const [half, part] of [tile, next].entries()) {
      const picture = await draw(`${FIRE}/B12/${at(part)}`, query);
      const rgba = new Uint8Array(4 * 256 * 256);
      for (let row = 0; row < 256; row += 1) {
        const from = 4 * (row * 512 + 256 * half);
        rgba.set(image.rgba.subarray(from, from + 4 * 256), 4 * 256 * row);
      }
      expectSame(picture, { ...image, width: 256, rgba }, `${query} ${half}`);
    }
  }
  const native = bandGrid(after);
  const bounds = `${native.west};${native.east};32610/${native.north};${native.south};32610`;
  const exact = `crs=EPSG:32610&TILE_SIZE=${native.width},${native.height}&MIN_MAX=0,6000&mask=none`;
  const picture = await draw(`${FIRE}/B12/12/${bounds}`, exact);
  const everyPixel = new Int32Array(native.width * native.height).map((_, i) => i);
  expectPixels(picture, everyPixel, (pixel) => greyOf(after.values[pixel]!, 0, 6000));
});

test('mosaic ETag: a client that already has the picture gets 304; another selection has another ETag', async () => {
  const tile = tileOf(await readBand('afterFire', 'B12'), 12);
  const path = `/api/mosaic/${FIRE}/B12/${at(tile)}?MIN_MAX=0,6000`;
  const first = await call(path);
  const etag = first.headers.get('etag') ?? '';
  await first.arrayBuffer();
  const again = await call(path, { headers: { 'if-none-match': etag } });
  assert.deepEqual([again.status, await again.text(), again.headers.get('etag')], [304, '', etag]);
  const other = await call(`${path}&selection=oldest`, { headers: { 'if-none-match': etag } });
  assert.equal(other.status, 200);
  assert.notEqual(other.headers.get('etag'), etag);
  await other.arrayBuffer();
});

test('mosaic sources: each pixel has the colour of its scene, and the legend counts them', async () => {
  const after = await readBand('afterFire', 'B12');
  const tile = tileOf(after, 12);
  const query = `selection=highest&mask=none&by=${encodeURIComponent('(B8A-B12)/(B8A+B12)')}`;
  const picture = await draw(`sources/${FIRE}/B12/${at(tile)}`, query);
  const { picks, sources } = await askJson<{ picks: boolean; sources: readonly Source[] }>(
    `sources/legend/${FIRE}/B12/${at(tile)}?RESAMPLE=near&${query}`,
  );
  assert.equal(picks, true);
  assert.deepEqual(
    sources.map(({ view_id }) => view_id),
    [sceneOf('afterFire').viewId, sceneOf('beforeFire').viewId],
  );
  const seen = new Map<string, number>();
  for (let i = 0; i < 256 * 256; i += 1) {
    const color = colorAt(picture, i);
    seen.set(color, (seen.get(color) ?? 0) + 1);
  }
  for (const { color, pixels } of sources) {
    assert.ok(pixels! > 100, `${pixels}`);
    assert.equal(seen.get(`${color!.slice(1)}ff`), pixels);
  }
  // The values are those of the scene that the colour names.
  const shown = await draw(`${FIRE}/B12/${at(tile)}`, `MIN_MAX=0,6000&${query}`);
  const [before] = await readFire('B12');
  const where = lookUp(tileGrid(tile), after);
  const [own] = sources;
  for (let i = 0; i < where.length; i += 1) {
    const pixel = where[i]!;
    if (pixel === UNSURE || pixel < 0) continue;
    const band = colorAt(picture, i) === `${own!.color!.slice(1)}ff` ? after : before;
    const wanted = greyOf(band.values[pixel]!, 0, 6000);
    if (wanted !== null) assert.equal(colorAt(shown, i), wanted, `pixel ${i}`);
  }
  const counted = await askJson<{ picks: boolean; sources: readonly Source[] }>(
    `sources/legend/${FIRE}/B12/${at(tile)}?selection=mean`,
  );
  assert.equal(counted.picks, false);
  assert.deepEqual(
    counted.sources.map(({ view_id, sensor, pixels }) => [view_id, sensor, pixels]),
    ['afterFire' as const, 'beforeFire' as const].map((key) => [sceneOf(key).viewId, 'S2L2A', undefined]),
  );
});

test('mosaic point: the answer has the value of the pixel and the scenes that show it', async () => {
  const [before, after] = await readFire('B12');
  for (const pixel of [5 * after.width + 7, 60 * after.width + 55]) {
    const { lon, lat } = lonLatOf(after, pixel);
    const newest = await askJson<{ index_value: number; scenes: number; sources: readonly Source[] }>(
      `point/${FIRE}/B12/${lat}/${lon}?mask=none`,
    );
    assert.equal(newest.index_value, after.values[pixel]);
    assert.deepEqual(
      newest.sources.map(({ view_id }) => view_id),
      [sceneOf('afterFire').viewId],
    );
    const mean = await askJson<{ index_value: number; scenes: number; sources: readonly Source[] }>(
      `point/${FIRE}/B12/${lat}/${lon}?mask=none&selection=mean`,
    );
    assert.deepEqual(
      [mean.index_value, mean.scenes, mean.sources.length],
      [(before.values[pixel]! + after.values[pixel]!) / 2, 2, 2],
    );
  }
  const nowhere = await askJson<object>(`point/${FIRE}/B12/10/10`);
  assert.deepEqual(nowhere, { index_value: null, scenes: 0, sources: [] });
});

test('mosaic point: under a cloud there is no value and no scene', async () => {
  const [red, classes] = [await readBand('l2a', 'B04'), await readBand('l2a', 'SCL')];
  const pixelWhere = (isWanted: (value: number) => boolean): number =>
    red.values.findIndex(
      (_, i) => i % red.width > 8 && isWanted(classes.values[toCoarser(red, classes, i)]!),
    );
  const hidden = lonLatOf(
    red,
    pixelWhere((value) => HIDDEN.includes(value)),
  );
  const clear = pixelWhere((value) => !HIDDEN.includes(value));
  const seen = lonLatOf(red, clear);
  assert.deepEqual(await askJson<object>(`point/${TOWN}/B04/${hidden.lat}/${hidden.lon}?selection=mean`), {
    index_value: null,
    scenes: 0,
    sources: [],
  });
  const { index_value } = await askJson<{ index_value: number }>(`point/${TOWN}/B04/${seen.lat}/${seen.lon}`);
  assert.equal(index_value, red.values[clear]);
});

test('mosaic ir and legend: the whole mosaic has one contrast, which its tiles use', async () => {
  const after = await readBand('afterFire', 'B12');
  const tile = tileOf(after, 12);
  const { bands } = await askJson<{ bands: readonly { band: string; min: number; max: number }[] }>(
    `ir/${FIRE}/B12`,
  );
  const [{ band, min, max }] = bands as [{ band: string; min: number; max: number }];
  assert.ok(band === 'B12' && min < max);
  const legend = await askJson<{ bands: unknown }>(`legend/${FIRE}/B12/${at(tile)}`);
  assert.deepEqual(legend.bands, bands);
  const path = `${FIRE}/B12/${at(tile)}`;
  expectSame(await draw(path, ''), await draw(path, `MIN_MAX=${min},${max}`));
});

test('mosaic statistics: they equal those computed from the pixels in the area', async () => {
  const [before, after] = await readFire('B12');
  const [from, to] = [
    [10, 12],
    [39, 31],
  ] as const;
  const ring = ringAround(after, from, to);
  const pixels = Array.from({ length: after.width * after.height }, (_, i) => i).filter((i) => {
    const [column, row] = [i % after.width, Math.floor(i / after.width)];
    return column >= from[0] && column <= to[0] && row >= from[1] && row <= to[1];
  });
  const values = pixels.map((pixel) => (before.values[pixel]! + after.values[pixel]!) / 2);
  const { pixel_m, bands, sources } = await askJson<{
    pixel_m: number;
    bands: readonly { count: number; min: number; max: number; average: number }[];
    sources: readonly Source[];
  }>(`statistics/${FIRE}/B12?selection=mean&mask=none`, {
    geometry: { type: 'Polygon', coordinates: [ring] },
    resolution: after.frame[1],
  });
  assert.equal(pixel_m, after.frame[1]);
  const [{ count, min, max, average }] = bands as [(typeof bands)[number]];
  assert.deepEqual([count, min, max], [pixels.length, Math.min(...values), Math.max(...values)]);
  const expected = values.reduce((sum, value) => sum + value, 0) / values.length;
  assert.ok(Math.abs(average - expected) < 1e-3, `${average} ${expected}`);
  assert.equal(sources.length, 2);
});

test('mosaic area: cropper_ref crops the picture, within selects the scenes', async () => {
  const after = await readBand('afterFire', 'B12');
  const tile = tileOf(after, 12);
  const ref = await keepArea(ringAround(after, [30, 30], [69, 69]));
  const path = `${FIRE}/B12/${at(tile)}`;
  const [whole, cropped] = [
    await draw(path, 'MIN_MAX=0,6000'),
    await draw(path, `MIN_MAX=0,6000&cropper_ref=${ref}`),
  ];
  let inside = 0;
  for (let i = 0; i < 256 * 256; i += 1) {
    if (colorAt(cropped, i) === TRANSPARENT) continue;
    assert.equal(colorAt(cropped, i), colorAt(whole, i));
    inside += 1;
  }
  const shown = Array.from({ length: 256 * 256 }, (_, i) => colorAt(whole, i)).filter(
    (c) => c !== TRANSPARENT,
  );
  assert.ok(inside > 1_000 && inside < shown.length);
  expectSame(await draw(path, `MIN_MAX=0,6000&within=${ref}`), whole);
  const town = await keepArea(ringAround(await readBand('l2a', 'B04'), [10, 10], [49, 49]));
  const none = await draw(path, `MIN_MAX=0,6000&within=${town}`);
  assert.ok(none.rgba.every((level) => level === 0));
});

test('mosaic TileJSON: its template gives tiles within its bounds', async () => {
  const document = await askJson<{ tiles: string[]; bounds: number[]; attribution: string }>(
    `tilejson/${FIRE}/B12?MIN_MAX=0,6000`,
  );
  const [west, south, east, north] = document.bounds as [number, number, number, number];
  const after = await readBand('afterFire', 'B12');
  const { lon, lat } = lonLatOf(after, 50 * after.width + 50);
  assert.ok(west < lon && lon < east && south < lat && lat < north);
  assert.match(document.attribution, /^Swath demo world$/);
  const { z, x, y } = tileOf(after, 12);
  const url = document.tiles[0]!.replace('{z}', `${z}`).replace('{x}', `${x}`).replace('{y}', `${y}`);
  const response = await call(url);
  assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'image/png']);
  await response.arrayBuffer();
});

test('mosaic elsewhere: a tile without scenes is transparent', async () => {
  const empty = await draw(`${FIRE}/B12/12/0/0`, '');
  assert.ok(empty.width === 256 && empty.rgba.every((level) => level === 0));
  const never = await draw(`S2L2A/2020/B12/${at(tileOf(await readBand('afterFire', 'B12'), 12))}`, '');
  assert.ok(never.rgba.every((level) => level === 0));
});

test('mosaic refusals: parameters for pictures of one scene are refused', async () => {
  const tile = at(tileOf(await readBand('afterFire', 'B12'), 12));
  for (const [path, status, code] of [
    [`${FIRE}/B12/${tile}?PANSHARPENING=1`, 422, 'sharpened-mosaic'],
    [`${FIRE}/B12/${tile}?selection=highest`, 400, 'bad-selection'],
    [`${FIRE}/B99/${tile}`, 422, null],
    [`ir/S2L2A/2020/B12`, 404, 'nothing-there'],
    [`${FIRE}/B12/${tile}?within=${'0'.repeat(32)}`, 404, null],
  ] as const) {
    const response = await call(`/api/mosaic/${path}`);
    const body = (await response.json()) as { code: string };
    assert.equal(response.status, status, path);
    if (code !== null) assert.equal(body.code, code, path);
  }
});
