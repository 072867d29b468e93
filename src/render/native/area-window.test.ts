import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Bounds } from '../../geo/index.ts';
import { LON_LAT_GRID, nearestAffine } from '../../geo/index.ts';
import type { GeoreferencedGrid } from '../../proj/index.ts';
import { makePixelMapping } from '../../proj/index.ts';
import { latticeOfPass } from '../../proj/testing/swath-lattice.ts';
import { cropGrid, planAreaWindow } from './area-window.ts';

const size = { width: 137, height: 91 };
const pass = latticeOfPass({ size, lon: 11, lat: 47, headingDeg: -12, pixelM: 200 });
const overDateLine = latticeOfPass({ size, lon: 179.9, lat: -17, headingDeg: 192, pixelM: 200 });

const grids: Readonly<Record<string, GeoreferencedGrid>> = {
  'a scene in UTM': { ...size, epsg: 32631, transform: [399_960, 800, 0, 4_700_040, 0, -800] },
  'a rotated scene': { ...size, epsg: 32631, transform: [399_960, 700, 120, 4_700_040, 110, -690] },
  'a scene in degrees': { ...size, epsg: 4326, transform: [-3, 0.01, 0, 44, 0, -0.01] },
  'a scene in degrees beyond 180': { ...size, epsg: 4326, transform: [179.5, 0.01, 0, 44, 0, -0.01] },
  'a sinusoidal scene': {
    ...size,
    epsg: 0,
    proj: '+proj=sinu +lon_0=0 +x_0=0 +y_0=0 +R=6371007.181 +units=m +no_defs',
    transform: [1_111_950, 4_633, 0, 5_559_752, 0, -4_633],
  },
  'a radar image': { ...size, epsg: 4326, transform: nearestAffine(pass), lattice: pass },
  'a radar image over the antimeridian': {
    ...size,
    epsg: 4326,
    transform: nearestAffine(overDateLine),
    lattice: overDateLine,
  },
};

/** Longitudes and latitudes of the centres of all pixels. */
function listCentres(grid: GeoreferencedGrid) {
  const { toTarget } = makePixelMapping(LON_LAT_GRID, grid);
  const count = grid.width * grid.height;
  const [lons, lats] = [new Float64Array(count), new Float64Array(count)];
  for (let i = 0; i < count; i++) {
    const [lon, lat] = toTarget((i % grid.width) + 0.5, Math.floor(i / grid.width) + 0.5);
    lons[i] = lon;
    lats[i] = lat;
  }
  return { lons, lats };
}

/** By looking at the centre of every pixel; null where one lies so close to the edge that rounding decides. */
function searchWindow({ lons, lats }: ReturnType<typeof listCentres>, { minX, minY, maxX, maxY }: Bounds) {
  const found = { minX: Infinity, minY: Infinity, maxX: -Infinity, maxY: -Infinity };
  const slack = 2e-4;
  for (let i = 0; i < lons.length; i++) {
    const [lon, lat] = [lons[i]!, lats[i]!];
    const [col, row] = [i % size.width, Math.floor(i / size.width)];
    for (let turn = -360; turn <= 360; turn += 360) {
      const inside = Math.min(lon + turn - minX, maxX - lon - turn, lat - minY, maxY - lat);
      if (Math.abs(inside) < slack) return null;
      if (inside < 0) continue;
      found.minX = Math.min(found.minX, col);
      found.minY = Math.min(found.minY, row);
      found.maxX = Math.max(found.maxX, col);
      found.maxY = Math.max(found.maxY, row);
    }
  }
  if (found.minX === Infinity) return 'none';
  return {
    x: found.minX,
    y: found.minY,
    width: found.maxX - found.minX + 1,
    height: found.maxY - found.minY + 1,
  };
}

for (const [name, grid] of Object.entries(grids)) {
  test(`the window of ${name} holds the pixels whose centre is in the area, and no further row or column`, () => {
    const { toTarget } = makePixelMapping(LON_LAT_GRID, grid);
    const centres = listCentres(grid);
    const share = fc.double({ min: -0.3, max: 1.3, noNaN: true });
    let compared = 0;
    fc.assert(
      fc.property(fc.tuple(share, share, share, share), ([a, b, c, d]) => {
        const [lon, lat] = toTarget(a * grid.width, b * grid.height);
        const [otherLon, otherLat] = toTarget(c * grid.width, d * grid.height);
        fc.pre([lon, lat, otherLon, otherLat].every(Number.isFinite));
        const near = otherLon - 360 * Math.round((otherLon - lon) / 360);
        const bounds = {
          minX: Math.min(lon, near),
          maxX: Math.max(lon, near),
          minY: Math.min(lat, otherLat),
          maxY: Math.max(lat, otherLat),
        };
        const expected = searchWindow(centres, bounds);
        if (expected === null) return;
        compared++;
        assert.deepEqual(planAreaWindow(grid, bounds), expected === 'none' ? null : expected);
      }),
      { numRuns: 60 },
    );
    assert.ok(compared > 10, `${compared}`);
  });

  test(`the whole world contains ${name}, and a box elsewhere contains nothing of it`, () => {
    const world = { minX: -180, maxX: 180, minY: -90, maxY: 90 };
    assert.deepEqual(planAreaWindow(grid, world), { x: 0, y: 0, ...size });
    assert.equal(planAreaWindow(grid, { minX: -80, maxX: -70, minY: -60, maxY: -50 }), null);
  });

  test(`a part of ${name} is where it was in the whole`, () => {
    const part = cropGrid(grid, { x: 20, y: 30, width: 40, height: 50 });
    assert.deepEqual([part.width, part.height], [40, 50]);
    const [lon, lat] = makePixelMapping(LON_LAT_GRID, part).toTarget(3.5, 4.5);
    const [wholeLon, wholeLat] = makePixelMapping(LON_LAT_GRID, grid).toTarget(23.5, 34.5);
    assert.ok(Math.abs(lon - wholeLon) < 1e-9 && Math.abs(lat - wholeLat) < 1e-9);
  });
}

test('an area smaller than a pixel that contains no centre is empty', () => {
  const grid = grids['a scene in degrees']!;
  assert.equal(planAreaWindow(grid, { minX: -2.999, maxX: -2.997, minY: 43.993, maxY: 43.994 }), null);
});
