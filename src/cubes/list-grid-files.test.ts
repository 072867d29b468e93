import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { after, before, test } from 'node:test';
import { listGridFiles } from './open-grid-file.ts';

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'swath-list-grids-'));
});
after(() => rmSync(folder, { recursive: true }));

test('gridded files are recognised by their extensions, and GFS files by their names', async () => {
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

test('folders are listed in name order, Zarr folders as one, and hidden ones not at all', async () => {
  const root = join(folder, 'tree');
  const write = (path: string, text = ''): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const path of ['b.nc', 'a/2.nc', 'a.nc', 'a/1.nc', '.hidden/3.nc']) write(path);
  write('era.zarr/zarr.json', '{}');
  write('era.zarr/t2m/zarr.json', '{}');
  write('era.zarr/t2m/c/0.nc', 'a chunk');
  const found = await listGridFiles(root);
  assert.deepEqual(
    found.map(({ path }) => relative(root, path)),
    ['a/1.nc', 'a/2.nc', 'a.nc', 'b.nc', 'era.zarr'],
  );
  const latest = ['zarr.json', 't2m/zarr.json', 't2m/c/0.nc'].map(
    (path) => statSync(join(root, 'era.zarr', path)).mtimeMs,
  );
  assert.equal(found.at(-1)?.stamp, `3-11-${Math.max(...latest)}`);
  assert.deepEqual(await listGridFiles(join(root, 'b.nc')), [
    { path: join(root, 'b.nc'), stamp: `1-0-${statSync(join(root, 'b.nc')).mtimeMs}` },
  ]);
});

test('a link below the folder is not followed, and listed with the reason', async () => {
  const root = join(folder, 'links');
  mkdirSync(root);
  symlinkSync(join(folder, 'a.nc'), join(root, 'linked.nc'));
  symlinkSync(join(folder, 'a.txt'), join(root, 'linked.txt'));
  const [found, ...others] = await listGridFiles(root);
  assert.deepEqual([found?.path, others], [join(root, 'linked.nc'), []]);
  assert.equal(found?.skipped?.code, 'link-not-followed');
});
