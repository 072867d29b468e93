import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Grid } from '../../geo/index.ts';
import { aTicket } from '../../pool/testing/run-here.ts';
import { makeProjection } from '../../proj/index.ts';
import { makeTerrainHere } from '../testing/terrain-here.ts';

/** A plane: bilinear interpolation gives its heights exactly. */
const plane = (lon: number, lat: number): number => 100 + 50 * (lon - 9) + 30 * (lat - 49);

const here = makeTerrainHere();
after(here.remove);
here.addModel('fine');
here.addModel('coarse', { gaps: 'sea' });
const STEP = 1 / 300;
for (const west of [9, 10]) {
  await here.addImage({
    dem: 'fine',
    epsg: 4326,
    transform: [west, STEP, 0, 50, 0, -STEP],
    width: 300,
    height: 300,
    // A void of some pixels.
    heightAt: (lon, lat) => (Math.hypot(lon - 9.5, lat - 49.5) < 0.02 ? null : plane(lon, lat)),
  });
}
await here.addImage({
  dem: 'coarse',
  epsg: 32632,
  transform: [490_000, 500, 0, 5_600_000, 0, -500],
  width: 400,
  height: 400,
  heightAt: (x, y) => plane(...makeProjection(32632, 4326).forward(x, y)) + 5,
});

const at = (lat: number, lon: number): Promise<number | null> => here.readElevation({ lat, lon }, aTicket);

test('heights are interpolated between the four pixels around a point, across files too', async () => {
  for (const [lat, lon] of [
    [49.7, 9.2],
    [49.123456, 9.654321],
    // Between the last column of a file and the first of the next one.
    [49.3, 10],
    [49.3, 10 + STEP / 4],
    [49.3, 10 - STEP / 4],
  ] as const) {
    const height = (await at(lat, lon)) as number;
    assert.ok(Math.abs(height - plane(lon, lat)) < 2e-4, `${lat} ${lon}: ${height}, not ${plane(lon, lat)}`);
  }
});

test('in a void, and where the best model ends, the next one is used', async () => {
  const inVoid = (await at(49.5, 9.5)) as number;
  assert.ok(Math.abs(inVoid - plane(9.5, 49.5) - 5) < 0.01, `${inVoid}`);
  const outside = (await at(50.2, 9.5)) as number;
  assert.ok(Math.abs(outside - plane(9.5, 50.2) - 5) < 0.05, `${outside}`);
});

test('where there is no file, the height is sea if a model says so, and unknown otherwise', async () => {
  assert.equal(await at(-30, -140), 0);
  const other = makeTerrainHere();
  try {
    other.addModel('one');
    assert.equal(await other.readElevation({ lat: 1, lon: 1 }, aTicket), null);
  } finally {
    other.remove();
  }
});

test('poles and the ends of longitudes are valid locations', async () => {
  for (const [lat, lon] of [
    [90, 0],
    [-90, 180],
    [0, -180],
  ] as const)
    assert.equal(await at(lat, lon), 0);
});

test('a profile has the heights of its points, and the sums of rises and falls', async () => {
  const profile = await here.readProfile(
    {
      line: [
        [9.1, 49.9],
        [9.3, 49.9],
        [9.1, 49.9],
      ],
      samples: 41,
    },
    aTicket,
  );
  assert.equal(profile.points.length, 41);
  for (const { lat, lon, heightM } of profile.points)
    assert.ok(Math.abs((heightM as number) - plane(lon, lat)) < 1e-3);
  assert.ok(Math.abs((profile.maxM as number) - plane(9.3, 49.9)) < 0.01);
  assert.ok(Math.abs((profile.minM as number) - plane(9.1, 49.9)) < 0.01);
  assert.ok(Math.abs(profile.ascentM - 10) < 0.02 && Math.abs(profile.descentM - 10) < 0.02);
});

test('an area has the statistics of its surface', async () => {
  const [west, south, east, north] = [9.2, 49.1, 9.4, 49.3];
  const ring = [west, south, east, south, east, north, west, north, west, south];
  const outline = new Float64Array(16);
  for (let i = 0; i < 4; i++) {
    const [x1, y1, x2, y2] = ring.slice(2 * i, 2 * i + 4) as [number, number, number, number];
    outline.set(y1 < y2 || (y1 === y2 && x1 < x2) ? [x1, y1, x2, y2] : [x2, y2, x1, y1], 4 * i);
  }
  const { areaM2, knownShare, height, slope } = await here.readAreaStatistics(
    { outline, bounds: { west, south, east, north }, slopeBounds: [0.01, 0.05], isFiltered: false },
    aTicket,
  );
  // 0.2° of latitude and 0.2° of longitude at 49.2° N on a sphere of 6378137 m.
  const side = (0.2 * Math.PI * 6_378_137) / 180;
  assert.ok(Math.abs(areaM2 / (side * side * Math.cos((49.2 * Math.PI) / 180)) - 1) < 0.005, `${areaM2}`);
  assert.equal(knownShare, 1);
  assert.ok(Math.abs((height?.mean as number) - plane(9.3, 49.2)) < 0.05);
  assert.ok(Math.abs((height?.min as number) - plane(west, south)) < 0.1);
  assert.ok(Math.abs((height?.max as number) - plane(east, north)) < 0.1);
  // Of a uniform plane: the ranges of both directions, over the root of twelve.
  assert.ok(Math.abs((height?.std as number) - Math.hypot(10, 6) / Math.sqrt(12)) < 0.05);
  const metres = (Math.PI * 6_378_137) / 180;
  const steepness = Math.hypot(50 / (metres * Math.cos((49.2 * Math.PI) / 180)), 30 / metres);
  assert.ok(Math.abs((slope?.mean as number) - (Math.atan(steepness) * 180) / Math.PI) < 1e-3);
  assert.deepEqual(
    slope?.classes.map(({ fromDeg, toDeg, share }) => [fromDeg, toDeg, Math.round(share * 100)]),
    [
      [0, 0.01, 0],
      [0.01, 0.05, 100],
      [0.05, 90, 0],
    ],
  );
});

test('an area without a pixel is refused', async () => {
  const [x, y, e] = [9.3, 49.2, 1e-6];
  const outline = new Float64Array([x, y, x + e, y, x + e, y, x + e, y + e, x, y, x + e, y + e]);
  const bounds = { west: x, south: y, east: x + e, north: y + e };
  await assert.rejects(
    here.readAreaStatistics({ outline, bounds, slopeBounds: [], isFiltered: false }, aTicket),
    {
      code: 'area-too-small',
    },
  );
});

test('infinite and impossible heights are voids', async () => {
  const other = makeTerrainHere();
  try {
    other.addModel('odd');
    const odd = [Infinity, -Infinity, Number.NaN, -3.4028234663852886e38, 99_999];
    await other.addImage({
      dem: 'odd',
      epsg: 4326,
      transform: [9, STEP, 0, 50, 0, -STEP],
      width: 300,
      height: 300,
      heightAt: (lon, lat) => {
        const column = Math.floor((lon - 9) / STEP);
        return Math.abs(lat - 49.5) < 0.02 && column % 50 < 10
          ? odd[Math.floor(column / 50) % 5]!
          : plane(lon, lat);
      },
    });
    const grid: Grid = { epsg: 4326, transform: [9, STEP, 0, 50, 0, -STEP], width: 300, height: 300 };
    const heights = await other.readGrid({ grid, method: 'bilinear', isFiltered: false }, aTicket);
    assert.ok(heights.some(Number.isNaN));
    assert.ok(heights.every((height) => Number.isNaN(height) || (height > 90 && height < 200)));
    assert.equal(await other.readElevation({ lat: 49.5, lon: 9 + 5 * STEP }, aTicket), null);
  } finally {
    other.remove();
  }
});

test('a replaced file is opened again once its record says so', async () => {
  const other = makeTerrainHere();
  try {
    other.addModel('one');
    const image = {
      dem: 'one',
      epsg: 4326,
      transform: [9, STEP, 0, 50, 0, -STEP] as const,
      width: 300,
      height: 300,
    };
    const readStamp = async (href: string): Promise<string> => {
      const source = await other.tools.open(href);
      await source.close();
      return source.version;
    };
    const file = await other.addImage({ ...image, heightAt: () => 500 });
    other.files.splice(0, 1, { ...file, stamps: [await readStamp(file.href)] });
    const at = () => other.readElevation({ lat: 49.5, lon: 9.5 }, aTicket);
    assert.equal(await at(), 500);
    const second = await other.addImage({ ...image, heightAt: () => 900 });
    renameSync(join(other.dataDir, second.href), join(other.dataDir, file.href));
    other.files.splice(0, 2, { ...file, stamps: [await readStamp(file.href)] });
    assert.equal(await at(), 900);
    const grid: Grid = { epsg: 4326, transform: [9.4, STEP, 0, 49.6, 0, -STEP], width: 20, height: 20 };
    const heights = await other.readGrid({ grid, isFiltered: false }, aTicket);
    assert.ok(heights.every((height) => height === 900));
  } finally {
    other.remove();
  }
});

test('a file that is ingested again with another unit has other heights, although its bytes are the same', async () => {
  const other = makeTerrainHere();
  try {
    other.addModel('one');
    const transform = [9, STEP, 0, 50, 0, -STEP] as const;
    const file = await other.addImage({
      dem: 'one',
      epsg: 4326,
      transform,
      width: 300,
      height: 300,
      heightAt: () => 1_000,
    });
    const at = () => other.readElevation({ lat: 49.5, lon: 9.5 }, aTicket);
    const grid: Grid = { epsg: 3857, transform: [1_050_000, 50, 0, 6_360_000, 0, -50], width: 8, height: 8 };
    const tileEtag = async () =>
      (await other.tiles.plan({ grid, product: { kind: 'geotiff' }, isFiltered: false })).etag;
    assert.equal(await at(), 1_000);
    const before = await tileEtag();
    other.files.splice(0, 1, { ...file, scale: 0.3048 });
    assert.ok(Math.abs(((await at()) as number) - 304.8) < 1e-3);
    assert.notEqual(await tileEtag(), before);
  } finally {
    other.remove();
  }
});

test('an area without known heights says so', async () => {
  const other = makeTerrainHere();
  try {
    const outline = new Float64Array([1, 1, 2, 1, 2, 1, 2, 2, 1, 1, 2, 2]);
    const bounds = { west: 1, south: 1, east: 2, north: 2 };
    const request = { outline, bounds, slopeBounds: [5], isFiltered: false };
    const { height, slope, knownShare, areaM2 } = await other.readAreaStatistics(request, aTicket);
    assert.deepEqual([height, slope, knownShare], [null, null, 0]);
    assert.ok(areaM2 > 5e9);
  } finally {
    other.remove();
  }
});
