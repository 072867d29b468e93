import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { AreaGeometry, LonLat, Ring } from '../geo/index.ts';
import { isPointInArea } from '../geo/index.ts';
import { casesOf } from '../testing/test-size.ts';
import type { CubeGrid } from './cube-grid.ts';
import { isSameGrid, weighCells } from './cube-grid.ts';

/** Cells of a degree whose edges lie at whole degrees: 10 to 18 east, 40 to 46 north. */
const grid: CubeGrid = { west: 10.5, north: 45.5, lonStep: 1, latStep: 1, width: 8, height: 6 };
const world: CubeGrid = { west: 0, north: 89.5, lonStep: 1, latStep: 1, width: 360, height: 180 };

const box = (west: number, south: number, east: number, north: number): Ring => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];
const polygon = (...rings: Ring[]): AreaGeometry => ({ type: 'Polygon', coordinates: rings });
const toList = (found: ReturnType<typeof weighCells>) =>
  found.cells.map(({ column, row, weight }) => [column, row, Number(weight.toFixed(9))]);
const cosine = (lat: number): number => Math.cos((lat * Math.PI) / 180);

test('cells are weighted by their share and the cosine of their latitude', () => {
  const found = weighCells(grid, polygon(box(11.25, 42, 13, 44)));
  assert.equal(found.isInterpolated, false);
  const [upper, lower] = [cosine(43.5), cosine(42.5)];
  const sum = 1.75 * (upper + lower);
  const wanted = [
    [1, 2, 0.75 * upper],
    [2, 2, upper],
    [1, 3, 0.75 * lower],
    [2, 3, lower],
  ].map(([column, row, weight]) => [column, row, Number((weight! / sum).toFixed(9))]);
  assert.deepEqual(toList(found), wanted);
});

test('a hole has no weight, whatever its orientation', () => {
  const area = box(11, 41, 15, 45);
  for (const hole of [box(12, 42, 14, 44), [...box(12, 42, 14, 44)].reverse()]) {
    const cells = weighCells(grid, polygon(area, hole)).cells.map(({ column, row }) => `${column}/${row}`);
    assert.equal(cells.length, 12);
    for (const inside of ['2/2', '3/2', '2/3', '3/3']) assert.ok(!cells.includes(inside));
  }
});

test('an area smaller than a cell, and a point, are interpolated between cell centres', () => {
  const wanted = [
    [1, 2, 0.5625],
    [2, 2, 0.1875],
    [1, 3, 0.1875],
    [2, 3, 0.0625],
  ];
  assert.deepEqual(toList(weighCells(grid, polygon(box(11.7, 43.2, 11.8, 43.3)))), wanted);
  assert.deepEqual(toList(weighCells(grid, { type: 'Point', coordinates: [11.75, 43.25] })), wanted);
  assert.deepEqual(toList(weighCells(grid, { type: 'Point', coordinates: [371.75, 43.25] })), wanted);
});

test('at the edge of the grid fewer cells count, and outside it none', () => {
  const at = (lon: number, lat: number) =>
    toList(weighCells(grid, { type: 'Point', coordinates: [lon, lat] }));
  assert.deepEqual(at(10, 45.5), [[0, 0, 1]]);
  assert.deepEqual(at(17.9, 40.1), [[7, 5, 1]]);
  assert.deepEqual(at(10.5, 46), [[0, 0, 1]]);
  assert.deepEqual(at(9.9, 43), []);
  assert.deepEqual(at(18.1, 43), []);
  assert.deepEqual(at(14, 46.1), []);
  assert.deepEqual(toList(weighCells(grid, polygon(box(20, 41, 25, 44)))), []);
  const half = weighCells(grid, polygon(box(8, 44, 11, 45)));
  assert.deepEqual(toList(half), [[0, 1, 1]]);
});

test('a grid around the world has no seam', () => {
  // The first column reaches from 359.5 to 0.5.
  const at = weighCells(world, { type: 'Point', coordinates: [-0.25, 0.5] });
  assert.deepEqual(toList(at), [
    [359, 89, 0.25],
    [0, 89, 0.75],
  ]);
  const across = weighCells(world, polygon(box(-2.5, 0, 1.5, 1)));
  assert.deepEqual(
    toList(across),
    [0, 1, 358, 359].map((column) => [column, 89, 0.25]),
  );
  const parts: AreaGeometry = {
    type: 'MultiPolygon',
    coordinates: [[box(179.8, 0.4, 180, 0.6)], [box(-180, 0.4, -179.8, 0.6)]],
  };
  for (const other of [world, { ...world, west: -179.5 }]) {
    const middle = weighCells(other, parts);
    const lons = middle.cells.map(({ column }) => (other.west + column + 360) % 360);
    assert.ok(
      lons.every((lon) => Math.abs(lon - 180) <= 0.5),
      `${lons}`,
    );
  }
});

test('shares match a fine raster of points', () => {
  const corner = fc.tuple(fc.integer({ min: 100, max: 180 }), fc.integer({ min: 400, max: 460 }));
  fc.assert(
    fc.property(corner, corner, corner, (a, b, c) => {
      const ring = [a, b, c, a].map(([lon, lat]): LonLat => [lon / 10, lat / 10]);
      const area = polygon(ring);
      const found = weighCells(grid, area);
      fc.pre(!found.isInterpolated);
      const FINE = 16;
      const counts = new Map<string, number>();
      let sum = 0;
      for (let y = 0; y < grid.height * FINE; y++) {
        for (let x = 0; x < grid.width * FINE; x++) {
          const [column, row] = [Math.floor(x / FINE), Math.floor(y / FINE)];
          if (!isPointInArea([10 + (x + 0.5) / FINE, 46 - (y + 0.5) / FINE], area)) continue;
          const weight = cosine(45.5 - row);
          counts.set(`${column}/${row}`, (counts.get(`${column}/${row}`) ?? 0) + weight);
          sum += weight;
        }
      }
      for (const { column, row, weight } of found.cells) {
        const wanted = (counts.get(`${column}/${row}`) ?? 0) / sum;
        assert.ok(Math.abs(weight - wanted) < 0.06, `${column}/${row}: ${weight}, not ${wanted}`);
      }
    }),
    { numRuns: casesOf(60) },
  );
});

test('grids are equal apart from rounding and full turns', () => {
  assert.ok(isSameGrid(grid, { ...grid, west: 370.5, north: 45.500004 }));
  assert.ok(!isSameGrid(grid, { ...grid, west: 10.6 }));
  assert.ok(!isSameGrid(grid, { ...grid, lonStep: 1.01 }));
  assert.ok(!isSameGrid(grid, { ...grid, width: 9 }));
});
