import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { AreaGeometry, Grid, LonLat, Ring } from '../geo/index.ts';
import { areaBounds, isPointInArea, LON_LAT_GRID, tileAt, tileGrid, toOutline } from '../geo/index.ts';
import { makePixelMapping, makeProjection } from '../proj/index.ts';
import { casesOf } from '../testing/test-size.ts';
import { rasterizeArea } from './cover-pixels.ts';
import { parseArea } from './parse-area.ts';

const closed = (corners: readonly LonLat[]): Ring => [...corners, corners[0]!];
const areaOf = (coordinates: unknown): AreaGeometry => parseArea({ type: 'Polygon', coordinates }).geometry;

/** A star around a location, optionally with a similar hole. */
function star([lon, lat]: LonLat, radii: readonly number[], hole = 0): AreaGeometry {
  const ring = (factor: number) =>
    closed(
      radii.map((radius, i): LonLat => {
        const angle = (2 * Math.PI * i) / radii.length;
        return [lon + factor * radius * Math.cos(angle), lat + factor * radius * Math.sin(angle)];
      }),
    );
  return areaOf(hole > 0 ? [ring(1), ring(hole)] : [ring(1)]);
}

const anyRadii = (max: number) =>
  fc.array(fc.double({ min: max / 8, max: max, noNaN: true }), { minLength: 3, maxLength: 40 });

/** A grid of a reference system around a location. */
function gridAround(epsg: number, [lon, lat]: LonLat, pixel: number, size: number): Grid {
  const [x, y] = makeProjection(4326, epsg).forward(lon, lat);
  const column = Math.round(x / pixel) - Math.floor(size / 2);
  const row = Math.round(-y / pixel) - Math.floor(size / 2);
  return { epsg, transform: [column * pixel, pixel, 0, -row * pixel, 0, -pixel], width: size, height: size };
}

/** Checks a mask against a naive one; pixels closer than `slackPx` to an edge may be either. */
function assertIsMask(area: AreaGeometry, grid: Grid, slackPx: number, isExact = false): void {
  const mask = rasterizeArea(toOutline(area), grid, { isExact });
  const { toSource } = makePixelMapping(grid, LON_LAT_GRID);
  for (let i = 0; i < mask.length; i++) {
    const [col, row] = [(i % grid.width) + 0.5, Math.floor(i / grid.width) + 0.5];
    const is = (dx: number, dy: number) => Number(isPointInArea(toSource(col + dx, row + dy), area));
    if (mask[i] === is(0, 0)) continue;
    const around = [is(slackPx, 0), is(-slackPx, 0), is(0, slackPx), is(0, -slackPx)];
    assert.ok(around.includes(mask[i]!), `pixel ${col}, ${row} of ${JSON.stringify(grid)}`);
  }
}

test('an exact mask puts a pixel centre close to an edge on the correct side', () => {
  // Edges that pass the centres of pixels by a ten-thousandth of a pixel, on either side, far from corners of blocks.
  const grid = gridAround(32610, [-121.9, 48.2], 30, 96);
  const { toSource } = makePixelMapping(grid, LON_LAT_GRID);
  for (const off of [-1e-4, 1e-4, -1e-6, 1e-6]) {
    for (const [col, row] of [
      [16.5, 13.5],
      [47.5, 50.5],
      [80.5, 70.5],
    ] as const) {
      const [lon, lat] = toSource(col, row + off);
      const area = areaOf([
        closed([
          [lon - 0.001, lat],
          [lon + 0.001, lat],
          [lon + 0.001, lat + 0.001],
          [lon - 0.001, lat + 0.001],
        ]),
      ]);
      const mask = rasterizeArea(toOutline(area), grid, { isExact: true });
      const at = Math.floor(row) * grid.width + Math.floor(col);
      assert.equal(mask[at], off > 0 ? 1 : 0, `${col}, ${row} by ${off}`);
    }
  }
});

test('a pixel is inside if its centre is: two neighbouring areas share no pixel and omit none', () => {
  const grid: Grid = { epsg: 4326, transform: [0, 1, 0, 4, 0, -1], width: 4, height: 4 };
  const box = (west: number, east: number) =>
    toOutline(
      areaOf([
        closed([
          [west, 1],
          [east, 1],
          [east, 3],
          [west, 3],
        ]),
      ]),
    );
  assert.deepEqual([...rasterizeArea(box(1, 3), grid)], [0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0]);
  // The common edge runs right through centres.
  const [left, right] = [rasterizeArea(box(0.5, 1.5), grid), rasterizeArea(box(1.5, 3.5), grid)];
  const whole = rasterizeArea(box(0.5, 3.5), grid);
  assert.deepEqual(
    [...left].map((value, i) => value + right[i]!),
    [...whole],
  );
});

test('the raster equals a point-in-area test, in Web Mercator, degrees and UTM', () => {
  const anyLocation = fc.tuple(
    fc.double({ min: -170, max: 170, noNaN: true }),
    fc.double({ min: -70, max: 70, noNaN: true }),
  );
  fc.assert(
    fc.property(anyLocation, anyRadii(0.02), fc.constantFrom(0, 0.5), (location, radii, hole) => {
      const area = star(location, radii, hole);
      assertIsMask(area, gridAround(3857, location, 80, 64), 1e-6);
      assertIsMask(area, gridAround(4326, location, 0.0007, 64), 1e-6);
      const zone = Math.floor((location[0] + 180) / 6) + 1;
      const utm = gridAround((location[1] < 0 ? 32700 : 32600) + zone, location, 50, 64);
      assertIsMask(area, utm, 0.02);
      // The point in area takes what lies within 1e-9 degrees of an edge for a part of it: 2e-6 pixels here.
      assertIsMask(area, utm, 1e-5, true);
    }),
    { numRuns: casesOf(40) },
  );
});

test('the raster equals a point-in-area test where projections bend strongly: coarse, polar, far from the zone, sinusoidal', () => {
  const sinusoidal = '+proj=sinu +lon_0=0 +x_0=0 +y_0=0 +R=6371007.181 +units=m +no_defs';
  const cases: [Grid, LonLat, number][] = [
    [gridAround(32633, [15, 60], 20_000, 64), [15, 60], 8],
    [gridAround(32633, [30, 75], 5000, 64), [30, 75], 3],
    [gridAround(3413, [-45, 88], 5000, 64), [-45, 88], 1.5],
    [gridAround(3031, [0, -89.5], 5000, 64), [0, -80], 9],
    [gridAround(3035, [10, 52], 30_000, 64), [10, 52], 9],
    [{ ...gridAround(6933, [30, 20], 5000, 64), proj: sinusoidal, epsg: 0 }, [30, 18], 2],
    [
      { epsg: 32631, transform: [500_000, 40, 13, 4_700_000, 9, -41], width: 64, height: 64 },
      [3.02, 42.44],
      0.02,
    ],
  ];
  for (const [grid, location, radius] of cases) {
    assertIsMask(
      star(
        location,
        [1, 0.5, 0.9, 0.6, 1, 0.4].map((part) => part * radius),
        0.4,
      ),
      grid,
      0.02,
    );
  }
});

test('a block of tiles equals one large image pixel by pixel, whatever crosses the seams', () => {
  const location: LonLat = [3.01, 42.5];
  fc.assert(
    fc.property(
      anyRadii(0.06),
      fc.constantFrom(3857, 32631, 4326),
      fc.integer({ min: -9, max: 9 }),
      (radii, epsg, shift) => {
        const outline = toOutline(star(location, radii, 0.3));
        const pixel = epsg === 4326 ? 0.0008 : 90;
        const whole = gridAround(epsg, location, pixel, 128);
        const mask = rasterizeArea(outline, whole);
        const [x, , , y] = whole.transform;
        // Windows at any position in the lattice, not only multiples of a block.
        for (const [col, row] of [
          [0, 0],
          [64 + shift, 0],
          [0, 64 + shift],
          [40 + shift, 50 - shift],
        ] as const) {
          const part: Grid = {
            ...whole,
            transform: [x + col * pixel, pixel, 0, y - row * pixel, 0, -pixel],
            width: 50,
            height: 50,
          };
          const tile = rasterizeArea(outline, part);
          for (let i = 0; i < 50; i++) {
            const first = (row + i) * 128 + col;
            const wanted = mask.subarray(first, first + Math.min(50, 128 - col));
            if (row + i < 128) assert.deepEqual(tile.subarray(i * 50, i * 50 + wanted.length), wanted);
          }
        }
      },
    ),
    { numRuns: casesOf(40) },
  );
});

test('tiles of a zoom level together contain as many pixels as the area, and parts of an area add up', () => {
  const area = star([3.01, 42.5], [0.05, 0.02, 0.06, 0.03, 0.05], 0.4);
  const { west, south, east, north } = areaBounds(area);
  const { forward } = makeProjection(4326, 3857);
  const [first, last] = [tileAt(13, ...forward(west, north)), tileAt(13, ...forward(east, south))];
  const outline = toOutline(area);
  const sum = (mask: Uint8Array) => mask.reduce((total, value) => total + value, 0);
  let total = 0;
  for (let x = first.x; x <= last.x; x++) {
    for (let y = first.y; y <= last.y; y++) total += sum(rasterizeArea(outline, tileGrid({ z: 13, x, y })));
  }
  const corner = tileGrid({ z: 13, x: first.x, y: first.y }).transform;
  const whole: Grid = {
    epsg: 3857,
    transform: corner,
    width: 256 * (last.x - first.x + 1),
    height: 256 * (last.y - first.y + 1),
  };
  assert.equal(total, sum(rasterizeArea(outline, whole)));
  assert.ok(total > 10_000, `${total}`);
});

test('an area across the antimeridian is drawn on both sides, and on a grid that extends beyond 180°', () => {
  const area = areaOf([
    closed([
      [179.9, -0.1],
      [-179.9, -0.1],
      [-179.9, 0.1],
      [179.9, 0.1],
    ]),
  ]);
  const sum = (grid: Grid) => rasterizeArea(toOutline(area), grid).reduce((total, value) => total + value, 0);
  const degrees = (west: number): Grid => ({
    epsg: 4326,
    transform: [west, 0.01, 0, 0.2, 0, -0.01],
    width: 40,
    height: 40,
  });
  assert.deepEqual(
    [179.6, -180, 179.8, -180.2, 0].map((west) => sum(degrees(west))),
    [200, 200, 400, 400, 0],
  );
  const mercator: Grid = {
    epsg: 3857,
    transform: [20037508.342789244 - 20_000, 1000, 0, 20_000, 0, -1000],
    width: 40,
    height: 40,
  };
  assert.equal(sum(mercator), 22 * 22);
  for (const epsg of [32601, 32660]) assertIsMask(area, gridAround(epsg, [179.99, 0.02], 700, 64), 0.02);
  const { west, south, east, north } = areaBounds(area);
  assert.deepEqual(
    [west, south, east, north].map((degrees) => degrees.toFixed(9)),
    ['179.900000000', '-0.100000000', '180.100000000', '0.100000000'],
  );
});

test('an area far larger than the grid fills it, one elsewhere leaves it empty', () => {
  const world = toOutline(
    areaOf([
      closed([
        [-180, -90],
        [180, -90],
        [180, 90],
        [-180, 90],
      ]),
    ]),
  );
  const far = toOutline(star([-100, -40], [1, 2, 1]));
  for (const grid of [
    tileGrid({ z: 12, x: 2081, y: 1510 }),
    gridAround(32631, [3, 42], 10, 100),
    gridAround(4326, [3, 42], 0.001, 100),
  ]) {
    assert.ok(
      rasterizeArea(world, grid).every((value) => value === 1),
      `${grid.epsg}`,
    );
    assert.ok(
      rasterizeArea(far, grid).every((value) => value === 0),
      `${grid.epsg}`,
    );
  }
});

test('a mask over the limit is refused before it is allocated', () => {
  const grid: Grid = { epsg: 4326, transform: [0, 1, 0, 0, 0, -1], width: 4097, height: 4096 };
  assert.throws(() => rasterizeArea(toOutline(star([0, 0], [1, 1, 1])), grid), { code: 'mask-too-large' });
});
