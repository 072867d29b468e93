import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { AreaOutline, Grid, LonLat } from '../geo/index.ts';
import { LON_LAT_GRID, sideOf, toOutline } from '../geo/index.ts';
import { makePixelMapping, makeProjection } from '../proj/index.ts';
import { casesOf } from '../testing/test-size.ts';
import { rasterizeArea, toSpans } from './cover-pixels.ts';
import { coverRows } from './cover-rows.ts';

/** Grids on which neither rows nor columns are level in degrees, each around a position. */
const GRIDS: readonly { readonly epsg: number; readonly at: LonLat; readonly pixel: number }[] = [
  { epsg: 32636, at: [32.1, 50.1], pixel: 10 },
  { epsg: 32610, at: [-121.9, 48.2], pixel: 30 },
  // Far from the middle of the zone, south of the equator, coarse, polar, and equal in area.
  { epsg: 32636, at: [41.3, 58], pixel: 20 },
  { epsg: 32733, at: [13.2, -8.7], pixel: 60 },
  { epsg: 32636, at: [33, 45], pixel: 1_000 },
  { epsg: 3413, at: [-47, 71.3], pixel: 40 },
  { epsg: 3035, at: [9.5, 47.2], pixel: 100 },
];

/** A grid that lies so many whole pixels from a position. */
function toGrid({ epsg, at, pixel }: (typeof GRIDS)[number], width: number, height: number): Grid {
  const [x, y] = makeProjection(4326, epsg).forward(...at);
  const [left, top] = [Math.floor(x / pixel) * pixel, Math.ceil(y / pixel) * pixel];
  return { epsg, transform: [left, pixel, 0, top, 0, -pixel], width, height };
}

/** An area whose corners lie at positions of a grid, in pixels. */
function toArea(grid: Grid, rings: readonly (readonly (readonly [number, number])[])[]): AreaOutline {
  const { toSource } = makePixelMapping(grid, LON_LAT_GRID);
  const coordinates = rings.map((ring) => [...ring, ring[0]!].map(([col, row]) => toSource(col, row)));
  return toOutline({ type: 'Polygon', coordinates });
}

/** Each pixel by the exact position of its centre. */
function testAll(outline: AreaOutline, grid: Grid): readonly number[] {
  const { toSource } = makePixelMapping(grid, LON_LAT_GRID);
  const mask = new Uint8Array(grid.width * grid.height);
  for (let i = 0; i < mask.length; i += 1)
    mask[i] = sideOf(outline, null, toSource((i % grid.width) + 0.5, Math.floor(i / grid.width) + 0.5));
  return [...toSpans(mask)];
}

const anyGrid = fc
  .tuple(fc.constantFrom(...GRIDS), fc.integer({ min: 1, max: 90 }), fc.integer({ min: 1, max: 70 }))
  .map(([place, width, height]) => toGrid(place, width, height));

/** Corners on centres and sides of pixels are as likely as others, and many lie beyond the grid. */
const anyCorner = fc.tuple(
  fc.oneof(
    fc.integer({ min: -60, max: 200 }).map((n) => n / 2),
    fc.double({ min: -400, max: 400, noNaN: true }),
  ),
  fc.oneof(
    fc.integer({ min: -60, max: 200 }).map((n) => n / 2),
    fc.double({ min: -400, max: 400, noNaN: true }),
  ),
);
const anyRing = fc.array(anyCorner, { minLength: 3, maxLength: 12 });

test('the runs are those of a test of each pixel at its exact position, whatever the rings', () => {
  fc.assert(
    fc.property(anyGrid, fc.array(anyRing, { minLength: 1, maxLength: 3 }), (grid, rings) => {
      const outline = toArea(grid, rings);
      const runs = coverRows(outline, grid);
      // On the coarse grid some are wider than what it takes.
      fc.pre(runs !== null);
      assert.deepEqual([...runs], testAll(outline, grid));
    }),
    { numRuns: casesOf(300) },
  );
});

test('edges that pass centres of pixels by less than their bend put them on the right side', () => {
  for (const place of GRIDS) {
    const grid = toGrid(place, 300, 40);
    for (const off of [-1e-3, -1e-5, 0, 1e-5, 1e-3]) {
      const outline = toArea(grid, [
        [
          [2.5 + off, 3.5 + off],
          [297.5 + off, 3.5 - off],
          [297.5 - off, 36.5 + off],
          [2.5 - off, 36.5 - off],
        ],
      ]);
      assert.deepEqual([...coverRows(outline, grid)!], testAll(outline, grid), `${place.epsg} by ${off}`);
    }
  }
});

test('a large area has the runs of its mask', () => {
  const grid = toGrid(GRIDS[0]!, 700, 600);
  const corners = Array.from({ length: 240 }, (_, i): [number, number] => {
    const radius = 150 + 120 * Math.sin(i * 1.7);
    return [350 + radius * Math.cos(i / 38.2), 290 + radius * Math.sin(i / 38.2)];
  });
  const outline = toArea(grid, [corners]);
  const mask = rasterizeArea(outline, grid, { isExact: true });
  assert.deepEqual([...coverRows(outline, grid)!], [...toSpans(mask)]);
});

test('an area that covers the whole grid is one run, one elsewhere none', () => {
  const grid = toGrid(GRIDS[1]!, 50, 40);
  const around = (by: number) =>
    toArea(grid, [
      [
        [by - 90, -80],
        [by + 160, -80],
        [by + 160, 120],
        [by - 90, 120],
      ],
    ]);
  assert.deepEqual([...coverRows(around(0), grid)!], [0, 2_000]);
  assert.deepEqual([...coverRows(around(-400), grid)!], []);
  assert.deepEqual([...coverRows(around(400), grid)!], []);
});

test('areas that are wide, or lie where projections are not smooth, are left to the mask', () => {
  const grid = toGrid(GRIDS[0]!, 50, 40);
  const box = (west: number, south: number, east: number, north: number) =>
    toOutline({
      type: 'Polygon',
      coordinates: [
        [
          [west, south],
          [east, south],
          [east, north],
          [west, north],
          [west, south],
        ],
      ],
    });
  for (const outline of [
    box(30, 48, 36, 52),
    box(178, 50, 179.5, 51),
    box(33, 83, 34, 84),
    box(-150, -30, -148, -29),
  ])
    assert.equal(coverRows(outline, grid), null);
});

test('an area with too many crossings is left to the mask, whose memory is bounded', () => {
  const grid = toGrid(GRIDS[0]!, 4_000, 4_000);
  const teeth = Array.from({ length: 400 }, (_, i): [number, number] => [
    i * 9,
    Math.floor(i / 2) % 2 === 0 ? 10 : 3_990,
  ]);
  assert.notEqual(coverRows(toArea(grid, [[...teeth, [3_600, 3_995], [0, 3_995]]]), grid), null);
  const many = Array.from({ length: 700 }, (_, i): [number, number] => [i * 5, i % 2 === 0 ? 10 : 3_990]);
  assert.equal(coverRows(toArea(grid, [[...many, [3_600, 3_995], [0, 3_995]]]), grid), null);
});
