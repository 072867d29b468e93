import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Grid } from '../geo/index.ts';
import { tileAt, tileGrid } from '../geo/index.ts';
import type { CrsId, GeoreferencedGrid } from '../proj/index.ts';
import { makeProjection } from '../proj/index.ts';
import { loadKernels } from './kernels.ts';
import type { ResampleMethod } from './plan-warp.ts';
import { makeSceneFixture, requestFor } from './testing/scene-fixture.ts';
import { warpReference } from './testing/warp-reference.ts';
import { warp } from './warp.ts';

const kernels = loadKernels();
const SINUSOIDAL = '+proj=sinu +lon_0=0 +R=6371007.181 +units=m';

/** Warps and compares with exact projection; returns the share of pixels with data. */
function check(scene: GeoreferencedGrid, target: Grid): number {
  const fixture = makeSceneFixture(scene, 0.02);
  let share = 0;
  for (const method of ['near', 'bilinear', 'average'] as const satisfies readonly ResampleMethod[]) {
    const request = requestFor(fixture, target, method);
    assert.ok(request !== null, 'the target overlaps the scene');
    const got = warp(kernels, request);
    const wanted = warpReference(request);
    assert.deepEqual(got.mask, wanted.mask, method);
    for (const [b, band] of got.bands.entries()) {
      for (const [i, value] of band.entries()) {
        if (got.mask[i] === 0) continue;
        // The noise jumps by 10,000 from pixel to pixel, so this is 1e-4 pixels.
        assert.ok(Math.abs(value - wanted.bands[b]![i]!) <= 1, `${method}, pixel ${i}`);
      }
    }
    share = got.mask.reduce((sum, one) => sum + one, 0) / got.mask.length;
  }
  return share;
}

/** A grid of `size` pixels around a location in degrees. */
function around(crs: number, [lon, lat]: readonly [number, number], pixel: number, size = 40): Grid {
  const [x, y] = makeProjection(4326, crs).forward(lon, lat);
  const half = (size / 2) * pixel;
  return { epsg: crs, transform: [x - half, pixel, 0, y + half, 0, -pixel], width: size, height: size };
}

const toLonLat = (crs: CrsId, x: number, y: number) => makeProjection(crs, 4326).forward(x, y);

for (const [epsg, originX] of [
  [32660, 707000],
  [32601, 285000],
] as const) {
  test(`a scene of EPSG:${epsg} across the antimeridian is drawn on both sides, and in grids across it`, () => {
    // At 65 degrees north the antimeridian is 141 km from the middle of either zone.
    const scene = {
      epsg,
      transform: [originX - 100000, 800, 0, 7300000, 0, -800],
      width: 260,
      height: 200,
    } as const;
    const [, lat] = toLonLat(epsg, originX, 7220000);
    const [, y] = makeProjection(4326, 3857).forward(0, lat);
    const edge = 20037508.342789244;
    const west = tileGrid(tileAt(7, -edge + 1, y), 64);
    const east = tileGrid(tileAt(7, edge - 1, y), 64);
    for (const target of [west, east]) assert.ok(check(scene, target) > 0.05);
    assert.ok(
      check(scene, { epsg: 4326, transform: [179.4, 0.03, 0, lat + 0.6, 0, -0.03], width: 40, height: 40 }) >
        0.9,
    );
    assert.ok(
      check(scene, { epsg: 4326, transform: [-180.6, 0.03, 0, lat + 0.6, 0, -0.03], width: 40, height: 40 }) >
        0.9,
    );
  });
}

test('scenes near a pole are drawn in Web Mercator and in degrees', () => {
  const arctic: Grid = {
    epsg: 3413,
    transform: [-800000, 1000, 0, -900000, 0, -1000],
    width: 90,
    height: 80,
  };
  const location = toLonLat(3413, -755040, -940030);
  assert.ok(check(arctic, around(3857, location, 5300)) > 0.5);
  assert.ok(check(arctic, around(4326, location, 0.011)) > 0.1);
  const antarctic: Grid = {
    epsg: 3031,
    transform: [1200000, 1000, 0, 900000, 0, -1000],
    width: 90,
    height: 80,
  };
  assert.ok(check(antarctic, around(3857, toLonLat(3031, 1245040, 860030), 3900)) > 0.5);
});

test('a scene over the pole fills the middle of a grid in a polar CRS', () => {
  const scene: Grid = { epsg: 3413, transform: [-45000, 1000, 0, 40000, 0, -1000], width: 90, height: 80 };
  assert.equal(check(scene, around(32661, [13, 89.97], 700, 31)) > 0.9, true);
});

test('scenes in a CRS without a code, in southern zones and with negative northings are drawn', () => {
  const modis: GeoreferencedGrid = {
    epsg: 0,
    proj: SINUSOIDAL,
    transform: [1111950, 926.6254, 0, 5559752, 0, -926.6254],
    width: 90,
    height: 80,
  };
  assert.ok(check(modis, around(3857, toLonLat(SINUSOIDAL, 1153333, 5522222), 1500)) > 0.8);
  const negative: Grid = { epsg: 32636, transform: [500000, 60, 0, -300000, 0, -60], width: 90, height: 80 };
  assert.ok(check(negative, around(3857, toLonLat(32636, 502713, -302411), 83)) > 0.8);
  const albers: Grid = { epsg: 5070, transform: [-800000, 30, 0, 2000000, 0, -30], width: 90, height: 80 };
  assert.ok(check(albers, around(26913, toLonLat(5070, -798713, 1998811), 41)) > 0.5);
});
