import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, test } from 'node:test';
import { listGridFiles } from './list-grid-files.ts';

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'swath-list-grids-'));
});
after(() => rmSync(folder, { recursive: true }));

test('files of fields are known by their extensions, and those of GFS by their names', async () => {
  const fields = [
    ...['a.grb', 'a.grb2', 'a.grib', 'a.grib1', 'a.grib2', 'a.h5', 'a.nc', 'a.tif', 'era5.GRIB'],
    ...['gefs.t00z.pgrb2a.0p50.f120', 'gfs.t06z.pgrb2.0p25.f010', 'gfs.t12z.sfluxgrbf006.grib2'],
  ];
  const others = [
    'a.txt',
    'gfs.t06z.pgrb2.0p25.f010.idx',
    'gfs.t06z.pgrb2.0p25.f010.json',
    '.a.grib',
    'grib',
    'f010',
  ];
  for (const name of [...fields, ...others]) writeFileSync(join(folder, name), '');
  const found = await listGridFiles(folder);
  assert.deepEqual(
    found.map(({ path }) => basename(path)),
    fields.toSorted(),
  );
});
