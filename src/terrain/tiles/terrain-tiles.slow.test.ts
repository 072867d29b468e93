import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import sharp from 'sharp';
import type { Tile } from '../../geo/index.ts';
import { MERCATOR_HALF_SIDE_M, tileAt, tileGrid } from '../../geo/index.ts';
import { aTicket } from '../../pool/testing/run-here.ts';
import { makeProjection } from '../../proj/index.ts';
import { toLatitude, toLongitude } from '../plan/mercator.ts';
import { makeTerrainHere } from '../testing/terrain-here.ts';
import type { TerrainProduct } from './terrain-plan.ts';

/** A rough surface of the whole world, in degrees. */
const surface = (lon: number, lat: number): number =>
  800 + 300 * Math.sin(lon * 40) * Math.cos(lat * 55) + 60 * Math.sin(lon * 300 + lat * 250);

/** The same without detail, for pixels that are few to a degree. */
const gentle = (lon: number, lat: number): number => 800 + 300 * Math.sin(lon * 9) * Math.cos(lat * 11);

const STEP = 1 / 600;
const here = makeTerrainHere();
after(here.remove);
here.addModel('fine');
here.addModel('world');
const degree = (west: number, north: number, columns = 600, height = surface) =>
  here.addImage({
    dem: 'world',
    epsg: 4326,
    transform: [west, 1 / columns, 0, north, 0, -STEP],
    width: columns,
    height: 600,
    heightAt: height,
  });
// Two files of one spacing, and two of another one north of 50°, as GLO-30 has it.
await degree(9, 50);
await degree(10, 50);
await degree(9, 51, 400);
await degree(10, 51, 400);
// On both sides of the antimeridian, and at 80° N.
await degree(179, 10, 600, (lon, lat) => surface(lon - 360, lat));
await degree(-180, 10);
await degree(20, 81, 120, gentle);
await degree(20, 80, 200, gentle);
// A finer model of whole metres in UTM, 12 m higher, whose pixels are feet.
await here.addImage({
  dem: 'fine',
  epsg: 32632,
  transform: [560_000, 60, 0, 5_570_000, 0, -60],
  width: 500,
  height: 500,
  type: 'int16',
  heightAt: (x, y) => {
    const [lon, lat] = makeProjection(32632, 4326).forward(x, y);
    return Math.round((surface(lon, lat) + 12) / 0.3048);
  },
  more: { scale: 0.3048, stepM: 0.3048 },
});

const hillshade: TerrainProduct = {
  kind: 'hillshade',
  azimuthDeg: 315,
  altitudeDeg: 45,
  color: null,
  format: 'png',
};

const tileOf = (lon: number, lat: number, z: number): Tile =>
  tileAt(z, ...makeProjection(4326, 3857).forward(lon, lat));

async function readShades(grid: ReturnType<typeof tileGrid>, isFiltered: boolean): Promise<Uint8Array> {
  const { bytes } = await here.draw({ grid, product: hillshade, isFiltered });
  const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return new Uint8Array(info.width * info.height).map((_, i) => (data[4 * i + 3] === 0 ? 0 : data[4 * i]!));
}

test('four tiles equal one picture of their ground to the bit: at borders of files, spacings, models and the map', async () => {
  let shown = 0;
  for (const [lon, lat, zooms] of [
    [10, 50, [7, 12]],
    [9.85, 50.05, [11, 13]],
    [9.85, 50.28, [12]],
    [179.999, 9.5, [12]],
    [-179.999, 9.5, [9]],
    [20.5, 80, [9]],
  ] as const) {
    for (const z of zooms) {
      for (const isFiltered of [false, true]) {
        const { x, y } = tileOf(lon, lat, z - 1);
        const whole = await readShades(tileGrid({ z: z - 1, x, y }, 512), isFiltered);
        shown += whole.filter((shade) => shade > 0).length;
        let different = 0;
        for (const [dx, dy] of [
          [0, 0],
          [1, 0],
          [0, 1],
          [1, 1],
        ] as const) {
          const part = await readShades(tileGrid({ z, x: 2 * x + dx, y: 2 * y + dy }), isFiltered);
          for (const [i, shade] of part.entries()) {
            const at = (Math.floor(i / 256) + 256 * dy) * 512 + (i % 256) + 256 * dx;
            if (shade !== whole[at]) different += 1;
          }
        }
        assert.equal(different, 0, `${lon} ${lat} z${z} ${isFiltered ? 'filtered' : ''}`);
      }
    }
  }
  assert.ok(shown > 1_500_000, `only ${shown} pixels are known`);
});

test('heights come from the finest model, in metres, and from the next one where it ends', async () => {
  for (const [lon, lat, z, offset, tolerance, truth = surface] of [
    // Whole feet, interpolated.
    [9.95, 50.15, 13, 12, 2],
    [9.3, 49.5, 13, 0, 1.5],
    [9.5, 50, 12, 0, 8],
    [20.5, 80, 11, 0, 8, gentle],
    [179.9999, 9.5, 12, 0, 1.5],
  ] as const) {
    const grid = tileGrid(tileOf(lon, lat, z));
    const heights = await here.readGrid({ grid, isFiltered: false }, aTicket);
    let worst = 0;
    for (const [i, height] of heights.entries()) {
      const x = toLongitude(grid.transform[0] + ((i % 256) + 0.5) * grid.transform[1]);
      const y = toLatitude(grid.transform[3] + (Math.floor(i / 256) + 0.5) * grid.transform[5]);
      worst = Math.max(worst, Math.abs(height - offset - truth(x > 170 ? x - 360 : x, y)));
    }
    assert.ok(worst < tolerance, `${lon} ${lat}: off by ${worst}`);
  }
});

test('shades do not jump at the antimeridian', async () => {
  const z = 12;
  const { y } = tileOf(179.9, 9.5, z);
  const west = await readShades(tileGrid({ z, x: 2 ** z - 1, y }), false);
  const east = await readShades(tileGrid({ z, x: 0, y }), false);
  for (let row = 0; row < 256; row++) {
    const [a, b] = [west[row * 256 + 254]!, west[row * 256 + 255]!];
    const [c, d] = [east[row * 256]!, east[row * 256 + 1]!];
    assert.ok(a > 0 && b > 0 && c > 0 && d > 0);
    assert.ok(Math.abs(c - b) <= 3 + Math.abs(b - a) + Math.abs(d - c), `row ${row}: ${a} ${b} ${c} ${d}`);
  }
});

test('a tile of unknown ground is transparent, and its plan says so', async () => {
  const grid = tileGrid(tileOf(-60, -30, 8));
  const planned = await here.tiles.plan({ grid, product: hillshade, isFiltered: false });
  assert.equal(planned.isUnknown, true);
  assert.ok((await readShades(grid, false)).every((shade) => shade === 0));
  assert.ok(Math.abs(grid.transform[0]) < MERCATOR_HALF_SIDE_M);
});

test('equal requests have one ETag, and every parameter changes it', async () => {
  const grid = tileGrid(tileOf(9.5, 49.5, 11));
  const etagOf = async (product: TerrainProduct, isFiltered = false): Promise<string> =>
    (await here.tiles.plan({ grid, product, isFiltered })).etag;
  const etags = [
    await etagOf(hillshade),
    await etagOf({ ...hillshade, azimuthDeg: 314 }),
    await etagOf({ ...hillshade, format: 'webp' }),
    await etagOf(hillshade, true),
    await etagOf({ kind: 'geotiff' }),
    await etagOf({ kind: 'terrarium', unknownM: null }),
    await etagOf({ kind: 'terrarium', unknownM: 0 }),
  ];
  assert.equal(new Set(etags).size, etags.length);
  assert.equal(await etagOf({ ...hillshade }), etags[0]);
});

test('a model of the whole world has no edge, neither at the antimeridian nor at the top of the map', async () => {
  const globe = makeTerrainHere();
  try {
    globe.addModel('globe');
    await globe.addImage({
      dem: 'globe',
      epsg: 4326,
      transform: [-180, 0.5, 0, 90, 0, -0.5],
      width: 720,
      height: 360,
      heightAt: (lon, lat) => 3_000 * Math.sin((4 * lon * Math.PI) / 180) * Math.cos((lat * Math.PI) / 180),
    });
    const shadesOf = async (z: number, x: number, y: number): Promise<Uint8Array> => {
      const { bytes } = await globe.draw({
        grid: tileGrid({ z, x, y }),
        product: hillshade,
        isFiltered: false,
      });
      const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
      return new Uint8Array(info.width * info.height).map((_, i) =>
        data[4 * i + 3] === 0 ? 0 : data[4 * i]!,
      );
    };
    for (const [z, x, y] of [
      [1, 0, 0],
      [1, 1, 1],
      [3, 0, 0],
      [3, 7, 7],
      [5, 31, 0],
    ] as const)
      assert.ok(
        (await shadesOf(z, x, y)).every((shade) => shade > 0),
        `${z}/${x}/${y}`,
      );
    const [west, east] = [await shadesOf(3, 7, 3), await shadesOf(3, 0, 3)];
    for (let row = 0; row < 256; row++) {
      const [before, after] = [west[row * 256 + 255]!, east[row * 256]!];
      assert.ok(Math.abs(before - after) <= 4, `row ${row}: ${before} ${after}`);
    }
  } finally {
    globe.remove();
  }
});

test('a damaged file is an error, not a hole, and nothing of it is cached', async () => {
  const other = makeTerrainHere();
  try {
    other.addModel('one');
    const { href } = await other.addImage({
      dem: 'one',
      epsg: 4326,
      transform: [9, STEP, 0, 50, 0, -STEP],
      width: 600,
      height: 600,
      heightAt: surface,
    });
    const path = join(other.dataDir, href);
    const whole = readFileSync(path);
    const request = { grid: tileGrid(tileOf(9.5, 49.5, 10)), product: hillshade, isFiltered: false };
    writeFileSync(path, whole.subarray(0, whole.length / 2));
    await assert.rejects(other.draw(request), { tag: 'source-broken' });
    writeFileSync(path, whole);
    assert.ok((await other.draw(request)).bytes.length > 10_000);
  } finally {
    other.remove();
  }
});
