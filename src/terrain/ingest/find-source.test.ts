import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sortNames } from './find-source.ts';

test('images are recognised as GeoTIFFs by name; masks of the Copernicus DEM are omitted, hidden files ignored', () => {
  const tile = 'Copernicus_DSM_COG_10_N00_00_E006_00';
  const names = [
    `${tile}_DEM/${tile}_DEM.tif`,
    `${tile}_DEM/AUXFILES/${tile}_WBM.tif`,
    `${tile}_DEM/._${tile}_DEM.tif`,
    'a/n00.TIFF',
    'a/n00.tif.ovr',
    'a/readme.txt',
    '.tif',
  ];
  const { images, skipped } = sortNames(names.map((name) => ({ name })));
  assert.deepEqual(
    images.map(({ name }) => name),
    [names[0], names[3]],
  );
  assert.deepEqual(
    skipped.map(({ name, code }) => [name, code]),
    [[names[1], 'not-heights']],
  );
});
