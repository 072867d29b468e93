import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Affine } from '../../geo/index.ts';
import type { CrsId } from '../../proj/index.ts';
import { makeProjection } from '../../proj/index.ts';
import { toImageBounds, toPixelSizeM } from './placed-image.ts';

/** A square image by its upper left corner and the size of a pixel. */
const image = (crs: CrsId, [x, y]: readonly [number, number], pixel: number, size = 100) => ({
  crs,
  transform: [x, pixel, 0, y, 0, -pixel] as Affine,
  width: size,
  height: size,
});

const round = (bounds: ReturnType<typeof toImageBounds>, digits = 9) =>
  Object.values(bounds).map((degrees) => Number(degrees.toFixed(digits)));

test('in degrees the corners are the bounds', () => {
  assert.deepEqual(round(toImageBounds(image(4326, [6, 1], 0.01))), [6, 0, 7, 1]);
  const rotated = {
    crs: 4326,
    transform: [10, 0.01, 0.01, 50, 0.01, -0.01] as Affine,
    width: 100,
    height: 100,
  };
  assert.deepEqual(round(toImageBounds(rotated)), [10, 49, 12, 51]);
});

test('across the antimeridian the east exceeds 180, whichever way the file counts', () => {
  const wanted = [179.5, 10, 180.5, 11];
  assert.deepEqual(round(toImageBounds(image(4326, [179.5, 11], 0.01))), wanted);
  assert.deepEqual(round(toImageBounds(image(4326, [-180.5, 11], 0.01))), wanted);
  assert.deepEqual(round(toImageBounds(image(4269, [179.5, 11], 0.01)), 4), wanted);
  const halfSideM = 20_037_508.342789244;
  const mercator = toImageBounds(image(3857, [(179.5 / 180) * halfSideM, 1_000_000], halfSideM / 18_000));
  assert.deepEqual(
    round(mercator).filter((_, i) => i % 2 === 0),
    [179.5, 180.5],
  );
  // UTM zone 60 ends at the antimeridian; a file of it may reach beyond.
  const { forward } = makeProjection(4326, 32660);
  const [x, y] = forward(180, -16 + 40);
  const { west, east } = toImageBounds(image(32660, [x - 50_000, y], 1000));
  assert.ok(west > 179 && west < 180 && east > 180 && east < 181, `${west} to ${east}`);
});

test('a map of the world has all longitudes, also when centred on the antimeridian or half a pixel off', () => {
  for (const west of [-180, 0, -180.05]) {
    const world = { crs: 4326, transform: [west, 0.1, 0, 90, 0, -0.1] as Affine, width: 3600, height: 1800 };
    assert.deepEqual(round(toImageBounds(world)), [-180, -90, 180, 90], String(west));
  }
});

test('latitudes half a pixel beyond the pole end at the pole', () => {
  assert.deepEqual(round(toImageBounds(image(4326, [6, 90.005], 0.01))), [6, 89.005, 7, 90]);
});

test('an image over a pole has all longitudes up to it, and one next to it does not', () => {
  const south = toImageBounds(image(3031, [-500_000, 500_000], 10_000));
  assert.deepEqual([south.west, south.south, south.east], [-180, -90, 180]);
  // The corner is farthest from the pole: 707 km.
  assert.ok(Math.abs(south.north + 83.5) < 0.2, String(south.north));
  const north = toImageBounds(image(3413, [-500_000, 500_000], 10_000));
  assert.deepEqual([north.west, north.north, north.east], [-180, 90, 180]);
  // Above the pole on the map of EPSG:3413 is 135° east.
  const near = toImageBounds(image(3413, [-50_000, 1_500_000], 1000));
  assert.ok(near.west > 130 && near.east < 140 && near.north < 80 && near.south > 75, JSON.stringify(near));
});

test('curved sides are followed: every pixel of a projected image is inside its bounds', () => {
  for (const given of [
    image(32633, [400_000, 8_900_000], 1000),
    image(3035, [2_500_000, 5_400_000], 30_000),
    image(5070, [-2_300_000, 3_100_000], 45_000),
    image(3413, [-3_000_000, -600_000], 20_000),
  ]) {
    const { west, south, east, north } = toImageBounds(given);
    const { forward } = makeProjection(given.crs, 4326);
    const [x, pixel, , y] = given.transform;
    for (let row = 0; row <= 100; row += 5) {
      for (let column = 0; column <= 100; column += 5) {
        const [lon, lat] = forward(x + column * pixel, y - row * pixel);
        const at = `EPSG:${given.crs} ${column} ${row}: ${lon} ${lat}`;
        assert.ok(lat >= south - 1e-3 && lat <= north + 1e-3, at);
        assert.ok(
          [lon, lon + 360].some((one) => one >= west - 1e-3 && one <= east + 1e-3),
          at,
        );
      }
    }
  }
});

test('an image that extends beyond the globe covers at least its part on it; one fully outside is refused', () => {
  const sinusoidal = '+proj=sinu +lon_0=0 +R=6371007.181 +units=m +no_defs';
  const tile = image(sinusoidal, [8_895_604, 7_783_653], 11_119.5);
  const { west, south, east, north } = toImageBounds(tile);
  assert.deepEqual([west, east], [-180, 180]);
  assert.ok(south <= 60 && south > 55 && north >= 63 && north < 68, `${south} to ${north}`);
  assert.throws(() => toImageBounds(image(3035, [9e9, 9e9], 1000)), { code: 'off-globe' });
});

const near = (value: number, wanted: number, tolerance: number) =>
  assert.ok(Math.abs(value - wanted) <= tolerance, `${value}, not ${wanted}`);

/** A tile of the Copernicus DEM: seconds of longitude by latitude (product handbook, table of spacings). */
const tile = (latitude: number, lonSeconds: number) => ({
  crs: 4326,
  transform: [10, lonSeconds / 3600, 0, latitude + 1, 0, -1 / 3600] as Affine,
  width: 3600 / lonSeconds,
  height: 3600,
});

test('a second of arc is 30.9 m at the equator, and narrower by the cosine elsewhere', () => {
  // A second of latitude is 30.72 m at the equator and 31.02 m at the poles, one of longitude 30.92 m at the equator.
  near(toPixelSizeM(tile(0, 1)), Math.sqrt(30.92 * 30.72), 0.02);
  near(toPixelSizeM(tile(55, 1.5)), Math.sqrt(1.5 * 17.55 * 30.93), 0.1);
  near(toPixelSizeM(tile(80, 5)), Math.sqrt(5 * 5.12 * 31.01), 0.2);
});

test('projected pixels have their size on the ground, not on the map', () => {
  const [x, y] = makeProjection(4326, 32631).forward(3, 45);
  const utm = { crs: 32631, transform: [x - 500, 10, 0, y + 500, 0, -10] as Affine, width: 100, height: 100 };
  // On its central meridian UTM shrinks the ground by 0.9996.
  near(toPixelSizeM(utm), 10 / 0.9996, 1e-4);
  const [mx, my] = makeProjection(4326, 3857).forward(10, 60);
  const mercator = { crs: 3857, transform: [mx, 100, 0, my, 0, -100] as Affine, width: 1, height: 1 };
  near(toPixelSizeM(mercator), 50, 0.3);
});

test('the pole and the antimeridian have pixels like any other ground', () => {
  const polar = { crs: 3031, transform: [-5000, 100, 0, 5000, 0, -100] as Affine, width: 100, height: 100 };
  // At the pole the map shrinks the ground, which is true to scale at 71° south.
  near(toPixelSizeM(polar), 100 / 0.9728, 0.1);
  const seam = { crs: 4326, transform: [179.99, 0.01, 0, 0.01, 0, -0.01] as Affine, width: 2, height: 2 };
  near(toPixelSizeM(seam), Math.sqrt(1113.19 * 1105.74), 0.5);
});

test('an image whose middle is off the globe is measured elsewhere; one fully outside is refused', () => {
  // The map of equal areas ends 12,740 km from its middle; a quarter of this image is 10,000 km away.
  const transform: Affine = [4_321_000, 4e5, 0, 3_210_000 + 2e7, 0, -4e5];
  near(toPixelSizeM({ crs: 3035, transform, width: 100, height: 100 }), 4e5, 2e4);
  const nowhere = { crs: 3035, transform: [9e9, 10, 0, 9e9, 0, -10] as Affine, width: 9, height: 9 };
  assert.throws(() => toPixelSizeM(nowhere), { code: 'off-globe' });
});
