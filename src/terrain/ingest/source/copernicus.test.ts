import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastPart, parseCopernicusName } from './copernicus.ts';

test('tiles are known by the names of Copernicus and of its mirrors', () => {
  const wanted = { product: 30, cell: 'N00E006', layer: 'DEM' };
  assert.deepEqual(parseCopernicusName('Copernicus_DSM_COG_10_N00_00_E006_00_DEM'), wanted);
  assert.deepEqual(parseCopernicusName('Copernicus_DSM_10_N00_00_E006_00_DEM.tif'), wanted);
  assert.deepEqual(parseCopernicusName('Copernicus_DSM_10_N00_00_E006_00.TIFF'), wanted);
  const other = parseCopernicusName('Copernicus_DSM_COG_30_S55_00_W180_00_WBM.tif');
  assert.deepEqual(other, { product: 90, cell: 'S55W180', layer: 'WBM' });
});

test('other names are not', () => {
  for (const name of [
    'Copernicus_DSM_COG_20_N00_00_E006_00_DEM',
    'Copernicus_DSM_COG_10_N00_50_E006_00_DEM',
    'xCopernicus_DSM_COG_10_N00_00_E006_00_DEM',
    'Copernicus_DSM_COG_10_N00_00_E006_00_DEM_2',
    'n00_e006_1arc_v3.tif',
    '',
  ]) {
    assert.equal(parseCopernicusName(name), null, name);
  }
});

test('the last part of an address is a name', () => {
  assert.equal(lastPart('https://host/a/b.tif?sig=x/y#z'), 'b.tif');
  assert.equal(lastPart('a/b.tif'), 'b.tif');
});
