import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findCellFault, listCells, toCellName } from './copernicus-cell.ts';

const namesIn = (west: number, south: number, east: number, north: number, limit = 100): readonly string[] =>
  listCells({ west, south, east, north }, limit).map(({ lon, lat }) => `${lon} ${lat}`);

test('a cell is named by its south-western corner', () => {
  assert.equal(toCellName({ lon: 6, lat: 46 }), 'Copernicus_DSM_COG_10_N46_00_E006_00_DEM');
  assert.equal(toCellName({ lon: -115, lat: -3 }), 'Copernicus_DSM_COG_10_S03_00_W115_00_DEM');
  assert.equal(toCellName({ lon: 0, lat: 0 }), 'Copernicus_DSM_COG_10_N00_00_E000_00_DEM');
});

test('bounds return the cells they touch', () => {
  assert.deepEqual(namesIn(6.2, 46.2, 6.3, 46.3), ['6 46']);
  assert.deepEqual(namesIn(6.9, 46.9, 7.1, 47.1), ['6 46', '7 46', '6 47', '7 47']);
  assert.deepEqual(namesIn(-0.1, -0.1, 0.1, 0.1), ['-1 -1', '0 -1', '-1 0', '0 0']);
});

test('a tile starts half a pixel before its western degree, and ends half a pixel before its southern one', () => {
  assert.deepEqual(namesIn(5.999_9, 46.5, 5.999_95, 46.6), ['6 46']);
  assert.deepEqual(namesIn(5.999_8, 46.5, 5.999_85, 46.6), ['5 46']);
  assert.deepEqual(namesIn(6.5, 46.000_05, 6.6, 46.000_1), ['6 45']);
  // Columns are ten times wider near a pole.
  assert.deepEqual(namesIn(5.999, 86.5, 5.999_1, 86.6), ['6 86']);
});

test('bounds may exceed ±180 and the last rows', () => {
  assert.deepEqual(namesIn(179.9, 10.1, 180.1, 10.2), ['179 10', '-180 10']);
  assert.deepEqual(namesIn(-180.1, 10.1, -179.9, 10.2), ['179 10', '-180 10']);
  assert.deepEqual(namesIn(0.1, -91, 0.2, -89.9), ['0 -90']);
  assert.deepEqual(namesIn(0.1, 89.9, 0.2, 92), ['0 89']);
});

test('no more cells are listed than the limit, and none twice', () => {
  assert.equal(namesIn(-180, -85, 180, 85, 65).length, 65);
  const turns = namesIn(-400, 10.1, 400, 10.2, 1_000);
  assert.deepEqual([turns.length, new Set(turns).size], [360, 360]);
});

test('a file is recognised as the tile of its cell by size and place', () => {
  const step = 1 / 3600;
  const tile = {
    epsg: 4326,
    transform: [6 - step / 2, step, 0, 47 + step / 2, 0, -step],
    width: 3600,
    height: 3600,
  } as const;
  const cell = { lon: 6, lat: 46 };
  assert.equal(findCellFault(tile, cell), null);
  assert.equal(findCellFault({ ...tile, transform: [6, step, 0, 47, 0, -step] }, cell), null);
  assert.match(findCellFault(tile, { lon: 7, lat: 46 }) ?? '', /elsewhere/);
  assert.match(findCellFault(tile, { lon: 6, lat: 47 }) ?? '', /elsewhere/);
  assert.match(findCellFault({ ...tile, width: 1200 }, cell) ?? '', /1200 × 3600 .* 3600 × 3600/);
  assert.match(findCellFault({ ...tile, epsg: 3857 }, cell) ?? '', /EPSG:4326/);
  assert.match(findCellFault({ ...tile, epsg: 0, proj: '+proj=longlat' }, cell) ?? '', /EPSG:4326/);
  assert.match(
    findCellFault({ ...tile, transform: [6, step, 0.001, 47, 0, -step] }, cell) ?? '',
    /elsewhere/,
  );
  const [across, north] = [1 / 2400, 54 + step / 2];
  const canada = {
    ...tile,
    transform: [-115 - across / 2, across, 0, north, 0, -step],
    width: 2400,
  } as const;
  assert.equal(findCellFault(canada, { lon: -115, lat: 53 }), null);
});
