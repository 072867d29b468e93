/** Terrain: relief, heights and what is measured of them, from the elevation model of the demo world. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import proj4 from 'proj4';
import sharp from 'sharp';
import { spots } from '../../../world/setting/spots.ts';
import { readImage } from '../../../world/testing/read-image.ts';
import { ask, askJson, askRefused, demPathOf } from '../service.ts';

const UTM = '+proj=utm +zone=10 +datum=WGS84 +units=m';
const HALF_WORLD_M = 20037508.342789244;

/** Longitude and latitude of a spot of the demo world. */
function locate({ x, y }: { readonly x: number; readonly y: number }): [lon: number, lat: number] {
  return proj4(UTM, 'EPSG:4326', [499_980 + x, 5_400_000 - y]) as [number, number];
}

interface TilePath {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

function tileAround(spot: { readonly x: number; readonly y: number }, z: number): TilePath {
  const [mx, my] = proj4('EPSG:4326', 'EPSG:3857', locate(spot)) as [number, number];
  const side = (2 * HALF_WORLD_M) / 2 ** z;
  return { z, x: Math.floor((mx + HALF_WORLD_M) / side), y: Math.floor((HALF_WORLD_M - my) / side) };
}

const toPath = ({ z, x, y }: TilePath): string => `terrain/${z}/${x}/${y}`;

/** Mountains: steep in all directions, without defects. */
const summit = tileAround(spots.summit, 11);

interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}

async function askPixels(path: string, query: string): Promise<Pixels> {
  const response = await ask(path, { query });
  assert.equal(response.status, 200, `${path} ${query}: ${await response.clone().text()}`);
  const bytes = Buffer.from(await response.arrayBuffer());
  const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, rgba: new Uint8Array(data) };
}

const redsOf = ({ rgba }: Pixels): number[] =>
  Array.from({ length: rgba.length / 4 }, (_, i) => rgba[4 * i]!);

const colorOf = ({ rgba }: Pixels, i: number): string =>
  Buffer.from(rgba.subarray(4 * i, 4 * i + 3)).toString('hex');

/** Heights of a tile as its GeoTIFF has them. */
async function askHeights(path: string, query = ''): Promise<{ width: number; values: Float32Array }> {
  const response = await ask(path, { query: `format=geotiff&${query}` });
  assert.equal(response.headers.get('content-type'), 'image/tiff');
  const file = join(tmpdir(), `swath-spec-${process.pid}.tif`);
  writeFileSync(file, Buffer.from(await response.arrayBuffer()));
  const { width, bands, epsg, transform } = await readImage(file);
  const [, z, x, y] = /terrain\/(\d+)\/(\d+)\/(\d+)/.exec(path)!.map(Number) as [0, number, number, number];
  const side = (2 * HALF_WORLD_M) / 2 ** z;
  assert.equal(epsg, 3857);
  for (const [i, wanted] of [
    [0, x * side - HALF_WORLD_M],
    [1, side / width],
    [3, HALF_WORLD_M - y * side],
    [5, -side / width],
  ] as const)
    assert.ok(Math.abs(transform![i]! - wanted) < 1e-6, `${i}: ${transform![i]}, not ${wanted}`);
  return { width, values: bands[0] as Float32Array };
}

interface Slopes {
  readonly slopeDeg: number;
  readonly east: number;
  readonly north: number;
}

/** Horn's differences at an inner pixel of a tile, in metres per metre of ground. */
function slopesAt(values: Float32Array, column: number, row: number, { z, y }: TilePath): Slopes {
  const w = (dx: number, dy: number): number => values[(row + dy) * 256 + column + dx]!;
  const side = (2 * HALF_WORLD_M) / 2 ** z;
  const northing = HALF_WORLD_M - y * side - ((row + 0.5) * side) / 256;
  const lat = Math.atan(Math.sinh(northing / 6_378_137));
  const ground = (side / 256) * Math.cos(lat);
  const east = (w(1, -1) + 2 * w(1, 0) + w(1, 1) - w(-1, -1) - 2 * w(-1, 0) - w(-1, 1)) / (8 * ground);
  const north = (w(-1, -1) + 2 * w(0, -1) + w(1, -1) - w(-1, 1) - 2 * w(0, 1) - w(1, 1)) / (8 * ground);
  return { slopeDeg: (Math.atan(Math.hypot(east, north)) * 180) / Math.PI, east, north };
}

/** The shade of a slope, 1 to 255: the cosine of the angle between its normal and the light. */
function shadeOf({ east, north }: Slopes, azimuthDeg: number, altitudeDeg: number): number {
  const [azimuth, altitude] = [(azimuthDeg * Math.PI) / 180, (altitudeDeg * Math.PI) / 180];
  const light = [
    Math.sin(azimuth) * Math.cos(altitude),
    Math.cos(azimuth) * Math.cos(altitude),
    Math.sin(altitude),
  ] as const;
  const cosine = (-east * light[0] - north * light[1] + light[2]) / Math.hypot(east, north, 1);
  return cosine <= 0 ? 1 : 1 + 254 * cosine;
}

const INNER = Array.from({ length: 500 }, (_, i) => ({
  column: 1 + ((i * 37) % 254),
  row: 1 + ((i * 91) % 254),
}));

async function compareShades(query: string, azimuth: number, altitude: number): Promise<void> {
  const { values } = await askHeights(toPath(summit));
  const shades = redsOf(await askPixels(toPath(summit), query));
  for (const { column, row } of INNER) {
    const wanted = shadeOf(slopesAt(values, column, row, summit), azimuth, altitude);
    const found = shades[row * 256 + column]!;
    assert.ok(Math.abs(found - wanted) <= 1, `${query} ${column} ${row}: ${found}, not ${wanted}`);
  }
}

test('terrain format: hillshade by default, light from 315° and 45° above the horizon', async () => {
  await compareShades('', 315, 45);
  await compareShades('format=hillshade', 315, 45);
  assert.equal(await askRefused(toPath(summit), 400, { query: 'format=relief' }), 'bad-format');
});

test('terrain AZIMUTH: the light comes from there, clockwise from north', async () => {
  await compareShades('AZIMUTH=90', 90, 45);
  await compareShades('azimuth=200.5', 200.5, 45);
  assert.equal(await askRefused(toPath(summit), 400, { query: 'AZIMUTH=400' }), 'bad-azimuth');
});

test('terrain ALTITUDE: the light is so high above the horizon', async () => {
  await compareShades('ALTITUDE=15', 315, 15);
  await compareShades('ALTITUDE=90', 315, 90);
  assert.equal(await askRefused(toPath(summit), 400, { query: 'ALTITUDE=91' }), 'bad-altitude');
});

test('terrain THRESHOLDS: shades below, between and above them have colours of their own', async () => {
  const shades = redsOf(await askPixels(toPath(summit), ''));
  const colored = await askPixels(toPath(summit), 'THRESHOLDS=120,200&COLORS=0000ff,00ff00,ff0000');
  for (const [i, shade] of shades.entries()) {
    const wanted = shade < 120 ? '0000ff' : shade < 200 ? '00ff00' : 'ff0000';
    assert.equal(colorOf(colored, i), wanted, `${i}: ${shade}`);
  }
});

test('terrain COLORS: one more than thresholds, and hexadecimal', async () => {
  for (const query of [
    'COLORS=0000ff',
    'THRESHOLDS=5',
    'THRESHOLDS=5&COLORS=0000ff',
    'THRESHOLDS=5&COLORS=x,y',
  ])
    await askRefused(toPath(summit), 422, { query });
});

test('terrain SLOPE_RANGE: the ends of the colormap, in degrees', async () => {
  const { values } = await askHeights(toPath(summit));
  const { colors } = await askJson<{ colors: string[] }>('legend/viridis');
  for (const [query, min, max] of [
    ['SLOPE_RANGE=0,45', 0, 45],
    ['slopeRange=(10.0,40.0)', 10, 40],
    ['', 0, 90],
  ] as const) {
    const drawn = await askPixels(toPath(summit), `format=slope&COLORMAP=viridis&${query}`);
    for (const { column, row } of INNER) {
      const { slopeDeg } = slopesAt(values, column, row, summit);
      const exact = ((slopeDeg - min) / (max - min)) * 256;
      // Next to the border of two colours float32 may decide otherwise.
      if (Math.abs(exact - Math.round(exact)) < 0.01) continue;
      const index = Math.min(255, Math.max(0, Math.floor(exact)));
      assert.equal(`#${colorOf(drawn, row * 256 + column)}`, colors[index], `${query} ${slopeDeg}`);
    }
  }
  await askRefused(toPath(summit), 400, { query: 'format=slope&SLOPE_RANGE=40,10' });
});

test('terrain COLORMAP: terrain by default; an unknown one is 404', async () => {
  const plain = await askPixels(toPath(summit), 'format=slope');
  const named = await askPixels(toPath(summit), 'format=slope&COLORMAP=terrain');
  const other = await askPixels(toPath(summit), 'format=slope&COLORMAP=magma');
  assert.deepEqual(plain.rgba, named.rgba);
  assert.notDeepEqual(plain.rgba, other.rgba);
  await askRefused(toPath(summit), 404, { query: 'format=slope&COLORMAP=nosuchmap' });
});

test('terrain MIN_SLOPE: gentler slopes are transparent', async () => {
  const { values } = await askHeights(toPath(summit));
  const drawn = await askPixels(toPath(summit), 'format=slope&MIN_SLOPE=20');
  let [shown, hidden] = [0, 0];
  for (const { column, row } of INNER) {
    const { slopeDeg } = slopesAt(values, column, row, summit);
    if (Math.abs(slopeDeg - 20) < 0.01) continue;
    const alpha = drawn.rgba[4 * (row * 256 + column) + 3];
    assert.equal(alpha, slopeDeg < 20 ? 0 : 255, `${slopeDeg}`);
    if (alpha === 0) hidden += 1;
    else shown += 1;
  }
  assert.ok(shown > 20 && hidden > 20, `${shown} shown, ${hidden} hidden`);
});

test('terrain FILTERING: the bad survey around the forest becomes calm, and mountains stay', async () => {
  const forest = tileAround(spots.forest, 12);
  /** Pixels that stick out of their four neighbours: spikes, and the rims of voids. */
  const countSpikes = async (query: string): Promise<number> => {
    const shades = redsOf(await askPixels(toPath(forest), query));
    let count = 0;
    for (let i = 257; i < shades.length - 257; i++) {
      const around = shades[i - 1]! + shades[i + 1]! + shades[i - 256]! + shades[i + 256]!;
      if (Math.abs(4 * shades[i]! - around) > 120) count += 1;
    }
    return count;
  };
  const [before, after] = [await countSpikes(''), await countSpikes('FILTERING=TRUE')];
  assert.ok(before > 100 && after < before / 10, `${before} before, ${after} after`);
  const holes = async (query: string): Promise<number> => {
    const { rgba } = await askPixels(toPath(forest), query);
    return rgba.filter((_, i) => i % 4 === 3).filter((alpha) => alpha === 0).length;
  };
  assert.ok((await holes('')) > 100);
  assert.equal(await holes('FILTERING=true'), 0);
  const [raw, filtered] = [await askHeights(toPath(summit)), await askHeights(toPath(summit), 'FILTERING=1')];
  const off = raw.values.map((height, i) => Math.abs(height - filtered.values[i]!)).toSorted();
  assert.ok(off[Math.floor(off.length / 2)]! < 5, 'half of all heights move by less than five metres');
});

test('terrain z, x, y: zoom levels 1 to 16; others, and tiles outside of the map, are 404', async () => {
  for (const z of [1, 5, 16]) {
    const { rgba, width } = await askPixels(toPath(tileAround(spots.summit, z)), '');
    assert.equal(width, 256);
    assert.ok(
      rgba.some((byte, i) => i % 4 === 3 && byte === 255),
      `zoom ${z} shows something`,
    );
  }
  for (const path of ['terrain/0/0/0', 'terrain/17/0/0', 'terrain/3/8/0', 'terrain/3/0/x'])
    assert.equal(await askRefused(path, 404), 'no-such-tile');
  const far = await askPixels('terrain/8/10/10', '');
  assert.ok(
    far.rgba.every((byte) => byte === 0),
    'transparent where nothing is known',
  );
});

test('terrain @2x: 512 pixels on the same ground', async () => {
  const { width, height } = await askPixels(`${toPath(summit)}@2x`, '');
  assert.deepEqual([width, height], [512, 512]);
});

test('terrain api_key: needed', async () => {
  await askRefused(toPath(summit), 401, { apiKey: null });
  await askRefused('terrain/point/48.2/-122.4', 401, { apiKey: null });
});

/** Bilinear height of the model's own pixels. */
async function heightAt(lat: number, lon: number): Promise<number> {
  const { width, transform, bands } = await readImage(demPathOf(Math.floor(lat), Math.floor(lon)));
  const [west, step, , north] = transform!;
  const [x, y] = [(lon - west) / step - 0.5, (north - lat) / step - 0.5];
  const [column, row] = [Math.floor(x), Math.floor(y)];
  const at = (dx: number, dy: number): number => bands[0]![(row + dy) * width + column + dx]!;
  const upper = at(0, 0) + (at(1, 0) - at(0, 0)) * (x - column);
  const lower = at(0, 1) + (at(1, 1) - at(0, 1)) * (x - column);
  return upper + (lower - upper) * (y - row);
}

const POINTS = [spots.summit, spots.town, spots.lake, spots.fire].map(locate);

test('terrain point: bilinear in the pixels of the model, null where nothing is known', async () => {
  for (const [lon, lat] of POINTS) {
    const { index_value: found } = await askJson<{ index_value: number }>(`terrain/point/${lat}/${lon}`);
    const wanted = await heightAt(lat, lon);
    assert.ok(Math.abs(found - wanted) < 1e-3, `${found}, not ${wanted}`);
  }
  assert.deepEqual(await askJson('terrain/point/10/10'), { index_value: null });
  assert.equal(await askRefused('terrain/point/91/10', 400), 'bad-point');
});

test('terrain geotiff: 256 × 256 float32 in EPSG:3857, heights of the model, NaN where nothing is known', async () => {
  const { width, values } = await askHeights(toPath(summit));
  assert.deepEqual([width, values.length], [256, 65_536]);
  const side = (2 * HALF_WORLD_M) / 2 ** summit.z;
  for (const { column, row } of INNER.slice(0, 20)) {
    const mx = summit.x * side - HALF_WORLD_M + ((column + 0.5) * side) / 256;
    const my = HALF_WORLD_M - summit.y * side - ((row + 0.5) * side) / 256;
    const [lon, lat] = proj4('EPSG:3857', 'EPSG:4326', [mx, my]) as [number, number];
    const { index_value: point } = await askJson<{ index_value: number }>(`terrain/point/${lat}/${lon}`);
    // Cubic and bilinear interpolation differ by some metres in mountains.
    assert.ok(Math.abs(values[row * 256 + column]! - point) < 25, `${values[row * 256 + column]} ${point}`);
  }
  assert.ok((await askHeights('terrain/8/10/10')).values.every(Number.isNaN));
});

test('terrain terrarium: colours that decode to the heights of the GeoTIFF', async () => {
  const { values } = await askHeights(toPath(summit));
  const { rgba } = await askPixels(toPath(summit), 'format=terrarium');
  for (const [i, height] of values.entries()) {
    const [r, g, b] = rgba.subarray(4 * i, 4 * i + 3) as unknown as [number, number, number];
    assert.ok(Math.abs(r * 256 + g + b / 256 - 32_768 - height) <= 1 / 512 + 1e-4, `${i}`);
  }
  const far = await askPixels('terrain/8/10/10', 'format=terrarium&UNKNOWN=0');
  assert.deepEqual([...far.rgba.subarray(0, 4)], [128, 0, 0, 255]);
});

test('terrain terrainrgb: colours that decode to the heights of the GeoTIFF', async () => {
  const { values } = await askHeights(toPath(summit));
  const { rgba } = await askPixels(toPath(summit), 'format=terrainrgb');
  for (const [i, height] of values.entries()) {
    const [r, g, b] = rgba.subarray(4 * i, 4 * i + 3) as unknown as [number, number, number];
    assert.ok(Math.abs((r * 65_536 + g * 256 + b) / 10 - 10_000 - height) <= 0.0502, `${i}`);
  }
});

test('terrain aspect: the direction in which the ground falls', async () => {
  const { values } = await askHeights(toPath(summit));
  const { colors } = await askJson<{ colors: string[] }>('legend/hsv');
  const drawn = await askPixels(toPath(summit), 'format=aspect');
  for (const { column, row } of INNER) {
    const { east, north } = slopesAt(values, column, row, summit);
    const direction = ((Math.atan2(-east, -north) * 180) / Math.PI + 360) % 360;
    const exact = (direction / 360) * 256;
    if (Math.hypot(east, north) < 0.01 || Math.abs(exact - Math.round(exact)) < 0.02) continue;
    assert.equal(`#${colorOf(drawn, row * 256 + column)}`, colors[Math.floor(exact)], `${direction}`);
  }
});

test('terrain contours: lines at the heights of an interval', async () => {
  const query = 'format=contours&INTERVAL=100&mimetype=application/geo%2Bjson';
  const response = await ask(toPath(summit), { query });
  assert.equal(response.headers.get('content-type'), 'application/geo+json');
  const { features } = (await response.json()) as {
    features: { properties: { ele: number }; geometry: { coordinates: [number, number][][] } }[];
  };
  assert.ok(features.length > 3);
  for (const { properties, geometry } of features) {
    assert.equal(properties.ele % 100, 0);
    const [lon, lat] = geometry.coordinates[0]![0]!;
    const { index_value: height } = await askJson<{ index_value: number }>(`terrain/point/${lat}/${lon}`);
    assert.ok(Math.abs(height - properties.ele) < 40, `${height} on the line of ${properties.ele}`);
  }
  const tile = await ask(toPath(summit), { query: 'format=contours' });
  assert.equal(tile.headers.get('content-type'), 'application/vnd.mapbox-vector-tile');
  assert.ok((await tile.arrayBuffer()).byteLength > 500);
});

test('terrain tilejson: the address of the tiles, with the query', async () => {
  const { tiles, encoding, bounds } = await askJson<{ tiles: string[]; encoding: string; bounds: number[] }>(
    'terrain/tilejson.json',
    { query: 'format=terrainrgb' },
  );
  assert.equal(encoding, 'mapbox');
  assert.ok(bounds[0]! < -122 && bounds[2]! > -122);
  const { z, x, y } = summit;
  const response = await fetch(
    tiles[0]!.replace('{z}', `${z}`).replace('{x}', `${x}`).replace('{y}', `${y}`),
  );
  assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'image/png']);
});

test('terrain legend: colours and thresholds of slopes and shades', async () => {
  const { z, x, y } = summit;
  const slope = await askJson<{ colors: string[]; thresholds: number[]; bands: unknown }>(
    `legend/terrain/${z}/${x}/${y}`,
    { query: 'format=slope&COLORMAP=viridis&SLOPE_RANGE=0,64' },
  );
  assert.deepEqual([slope.colors[0], slope.thresholds[0], slope.thresholds[3]], ['#440154', 0.25, 1]);
  assert.deepEqual(slope.bands, [{ band: 'slope', min: 0, max: 64 }]);
  await askRefused(`legend/terrain/${z}/${x}/${y}`, 422, { query: 'format=geotiff' });
});

test('terrain profile: heights along a line', async () => {
  const [[lon1, lat1], [lon2, lat2]] = POINTS as [[number, number], [number, number]];
  const { points, max } = await askJson<{
    points: { lat: number; lon: number; elevation: number }[];
    max: number;
  }>('terrain/profile', { query: `line=${lon1},${lat1};${lon2},${lat2}&samples=9` });
  assert.equal(points.length, 9);
  for (const { lat, lon, elevation } of points) {
    const wanted = await heightAt(lat, lon);
    assert.ok(Math.abs(elevation - wanted) < 0.05, `${elevation}, not ${wanted}`);
  }
  assert.equal(max, Math.max(...points.map(({ elevation }) => elevation)));
});

test('terrain statistics: heights and slopes of an area', async () => {
  const [lon, lat] = locate(spots.summit);
  const ring = [
    [lon - 0.02, lat - 0.02],
    [lon + 0.02, lat - 0.02],
    [lon + 0.02, lat + 0.02],
    [lon - 0.02, lat + 0.02],
    [lon - 0.02, lat - 0.02],
  ];
  const geometry = { type: 'Polygon', coordinates: [ring] };
  const {
    elevation,
    slope,
    known_percent: known,
  } = await askJson<{
    elevation: { min: number; max: number; mean: number };
    slope: { mean: number; classes: { percent: number }[] };
    known_percent: number;
  }>('terrain/statistics', { body: { geometry } });
  assert.equal(known, 100);
  const top = await heightAt(lat, lon);
  assert.ok(elevation.min < elevation.mean && elevation.mean < elevation.max && elevation.max > top - 50);
  assert.ok(Math.abs(slope.classes.reduce((sum, { percent }) => sum + percent, 0) - 100) < 0.1);
  const { cropper_ref: ref } = await askJson<{ cropper_ref: string }>('cropper/', {
    body: { type: 'Feature', properties: {}, geometry },
  });
  const stored = await askJson<{ elevation: unknown }>('terrain/statistics', { body: { cropper_ref: ref } });
  assert.deepEqual(stored.elevation, elevation);
  await askRefused('terrain/statistics', 400, { body: {} });
});
