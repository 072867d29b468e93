import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSwathError } from '../../errors.ts';
import type { Bounds } from '../../geo/index.ts';
import { gridBounds } from '../../geo/index.ts';
import { projectBounds } from '../../proj/index.ts';
import { cutIntoFiles, isMosaicSystem, listWindows, planMosaicGrid } from './plan-mosaic-grid.ts';

const bounds: Bounds = { minX: 4.01, minY: 42.01, maxX: 4.02, maxY: 42.02 };
const request = { area: { kind: 'bounds', bounds }, pixelM: 10, epsg: null, isRounded: true } as const;

test('pixels are at multiples of their size in the UTM zone of the centre, and cover the area', () => {
  const grid = planMosaicGrid(request);
  assert.equal(grid.epsg, 32_631);
  assert.deepEqual([grid.transform[0] % 10, grid.transform[3] % 10], [0, 0]);
  const wanted = projectBounds(bounds, 4326, 32_631)!;
  const { minX, minY, maxX, maxY } = gridBounds(grid);
  assert.ok(minX <= wanted.minX && minY <= wanted.minY && maxX >= wanted.maxX && maxY >= wanted.maxY);
  assert.ok(wanted.minX - minX < 10 && maxX - wanted.maxX < 10);
});

test('other CRSs have pixels of the same size on the ground', () => {
  const mercator = planMosaicGrid({ ...request, epsg: 3857 });
  assert.ok(Math.abs(mercator.transform[1] * Math.cos((42.015 / 180) * Math.PI) - 10) < 1e-9);
  const degrees = planMosaicGrid({ ...request, epsg: 4326 });
  assert.equal(degrees.transform[1], 10 / 111_320);
  assert.equal(planMosaicGrid({ ...request, epsg: 32_632 }).epsg, 32_632);
  assert.deepEqual([3857, 4326, 32_660, 32_701, 32_600, 2154, 32_761].map(isMosaicSystem), [
    true,
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});

test('sides longer than a block are multiples of 64 where they are rounded', () => {
  const wide = { ...bounds, maxX: 4.2 };
  const { width, height } = planMosaicGrid({ ...request, area: { kind: 'bounds', bounds: wide } });
  assert.deepEqual([width % 64, height % 64], [0, 0]);
  const exact = planMosaicGrid({
    ...request,
    area: { kind: 'bounds', bounds: wide },
    isRounded: false,
  });
  assert.ok(width - exact.width < 64 && exact.width % 64 !== 0);
});

test('a large mosaic is cut into files of whole blocks, and one that is too large is refused', () => {
  const grid = planMosaicGrid(request);
  assert.equal(cutIntoFiles({ ...grid, width: 10_240, height: 10_240 }).length, 1);
  const tiles = cutIntoFiles({ ...grid, width: 10_304, height: 20_544 });
  assert.deepEqual(
    tiles.map(({ column, row, window: { width, height } }) => [column, row, width, height]),
    [
      [0, 0, 10_240, 10_240],
      [1, 0, 64, 10_240],
      [0, 1, 10_240, 10_240],
      [1, 1, 64, 10_240],
      [0, 2, 10_240, 64],
      [1, 2, 64, 64],
    ],
  );
  assert.throws(
    () => cutIntoFiles({ ...grid, width: 200_000, height: 200_000 }),
    (error) => isSwathError(error) && error.code === 'file-too-large',
  );
});

test('windows are squares from the corner, smaller at the edges', () => {
  const windows = listWindows({ x: 512, y: 0, width: 600, height: 100 });
  assert.deepEqual(windows, [
    { x: 512, y: 0, width: 512, height: 100 },
    { x: 1_024, y: 0, width: 88, height: 100 },
  ]);
});
