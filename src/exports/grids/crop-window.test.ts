import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rasterizeArea } from '../../areas/index.ts';
import { isSwathError } from '../../errors.ts';
import type { AreaGeometry, Grid } from '../../geo/index.ts';
import { LON_LAT_GRID, toOutline } from '../../geo/index.ts';
import { makePixelMapping } from '../../proj/index.ts';
import { findCropWindow, toWindowGrid } from './crop-window.ts';

const grid: Grid = {
  epsg: 32_631,
  transform: [500_000, 10, 0, 4_700_000, 0, -10],
  width: 1_000,
  height: 800,
};
const { toTarget } = makePixelMapping(LON_LAT_GRID, grid);
const isCode = (code: string) => (error: unknown) => isSwathError(error) && error.code === code;

const polygon = (spots: readonly (readonly [number, number])[]): AreaGeometry => {
  const ring = spots.map(([col, row]) => toTarget(col, row));
  return { type: 'Polygon', coordinates: [[...ring, ring[0]!]] };
};
const outlineOf = (area: AreaGeometry) => ({ kind: 'outline', outline: toOutline(area) }) as const;
const boundsOf = (minX: number, minY: number, maxX: number, maxY: number) =>
  ({ kind: 'bounds', bounds: { minX, minY, maxX, maxY } }) as const;

test('the window holds every pixel whose centre lies in an outline, and begins and ends with some', () => {
  const area = outlineOf(
    polygon([
      [120.3, 90.2],
      [400.9, 133.7],
      [377.2, 500.4],
      [90.6, 450.1],
    ]),
  );
  const window = findCropWindow(grid, area);
  const whole = rasterizeArea(area.outline, grid);
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  whole.forEach((value, i) => {
    if (value === 0) return;
    const [x, y] = [i % grid.width, Math.floor(i / grid.width)];
    [minX, minY] = [Math.min(minX, x), Math.min(minY, y)];
    [maxX, maxY] = [Math.max(maxX, x), Math.max(maxY, y)];
  });
  assert.deepEqual(
    [window.x, window.x + window.width - 1, window.y, window.y + window.height - 1],
    [minX, maxX, minY, maxY],
  );
  const cropped = rasterizeArea(area.outline, toWindowGrid(grid, window));
  assert.equal(
    cropped.reduce((sum, value) => sum + value, 0),
    whole.reduce((sum, value) => sum + value, 0),
  );
});

test('bounds in degrees are the rectangle around them', () => {
  const [west, north] = toTarget(100, 100);
  const [east, south] = toTarget(300, 200);
  const { x, y, width, height } = findCropWindow(grid, boundsOf(west, south, east, north));
  // degrees and zone are turned against each other by less than a degree
  assert.ok(x >= 97 && x <= 100 && y >= 97 && y <= 100, `${x} ${y}`);
  assert.ok(width >= 200 && width <= 206 && height >= 100 && height <= 106, `${width} ${height}`);
});

test('what reaches over the edge ends there, and the whole world is the whole image', () => {
  const [west, north] = toTarget(-500, 300);
  const [east, south] = toTarget(50, 5_000);
  const { x, width, y, height } = findCropWindow(grid, boundsOf(west, south, east, north));
  assert.deepEqual([x, y + height], [0, 800]);
  assert.ok(width < 200 && y > 250);
  const all = { x: 0, y: 0, width: 1_000, height: 800 };
  assert.deepEqual(findCropWindow(grid, boundsOf(-180, -90, 180, 90)), all);
  const world: AreaGeometry = {
    type: 'Polygon',
    coordinates: [
      [
        [-179, -80],
        [179, -80],
        [179, 80],
        [-179, 80],
        [-179, -80],
      ],
    ],
  };
  assert.deepEqual(findCropWindow(grid, outlineOf(world)), all);
});

test('areas outside, near and far, and areas within a pixel are refused', () => {
  const [west, north] = toTarget(1_001, 100);
  const [east, south] = toTarget(1_200, 200);
  assert.throws(() => findCropWindow(grid, boundsOf(west, south, east, north)), isCode('area-outside-scene'));
  assert.throws(() => findCropWindow(grid, boundsOf(100, 10, 101, 11)), isCode('area-outside-scene'));
  const far = outlineOf(
    polygon([
      [1_100, 900],
      [1_200, 900],
      [1_200, 1_000],
    ]),
  );
  assert.throws(() => findCropWindow(grid, far), isCode('area-outside-scene'));
  const tiny = outlineOf(
    polygon([
      [10.1, 10.1],
      [10.3, 10.1],
      [10.3, 10.3],
    ]),
  );
  assert.throws(() => findCropWindow(grid, tiny), isCode('area-too-small'));
});

test('scenes across the antimeridian are cropped on either side of it', () => {
  const across: Grid = { ...grid, epsg: 32_660, transform: [700_000, 1_000, 0, 1_000_000, 0, -1_000] };
  const east = findCropWindow(across, boundsOf(-179.5, 3, -179, 4));
  const west = findCropWindow(across, boundsOf(179, 3, 179.5, 4));
  assert.ok(east.x > west.x + west.width && east.width > 40 && west.width > 40);
});
