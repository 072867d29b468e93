/** Heights of the terrain: as tiles, lines and numbers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import proj4 from 'proj4';
import { spots } from '../../../world/setting.ts';
import { readImage } from '../../../world/testing/read-image.ts';
import { ask, askJson, askRefused, demPathOf } from '../service.ts';
import { askHeights, askPixels, HALF_WORLD_M, INNER, locate, summit, toPath } from '../terrain.ts';

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

test('terrain point: heights are interpolated bilinearly in the model, null where they are unknown', async () => {
  for (const [lon, lat] of POINTS) {
    const { index_value: found } = await askJson<{ index_value: number }>(`terrain/point/${lat}/${lon}`);
    const wanted = await heightAt(lat, lon);
    assert.ok(Math.abs(found - wanted) < 1e-3, `${found}, not ${wanted}`);
  }
  assert.deepEqual(await askJson('terrain/point/10/10'), { index_value: null });
  assert.equal(await askRefused('terrain/point/91/10', 400), 'bad-point');
});

test('terrain geotiff: 256 × 256 float32 in EPSG:3857, heights of the model, NaN where they are unknown', async () => {
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

test('terrain tilejson: it has the address of the tiles, with the query', async () => {
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
