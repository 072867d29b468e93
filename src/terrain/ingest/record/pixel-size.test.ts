import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Affine } from '../../../geo/index.ts';
import { makeProjection } from '../../../proj/index.ts';
import { toPixelSizeM } from './pixel-size.ts';

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

test('an image whose middle is nowhere is measured elsewhere; one that is nowhere is refused', () => {
  // The map of equal areas ends 12,740 km from its middle; a quarter of this image is 10,000 km away.
  const transform: Affine = [4_321_000, 4e5, 0, 3_210_000 + 2e7, 0, -4e5];
  near(toPixelSizeM({ crs: 3035, transform, width: 100, height: 100 }), 4e5, 2e4);
  const nowhere = { crs: 3035, transform: [9e9, 10, 0, 9e9, 0, -10] as Affine, width: 9, height: 9 };
  assert.throws(() => toPixelSizeM(nowhere), { code: 'off-globe' });
});
