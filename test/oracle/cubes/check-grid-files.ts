/**
 * Compares fields of NetCDF 3 and 4 files with what the NetCDF library reads: `npm run oracle cubes`. Needs a Python with
 * netCDF4 (`pip install netCDF4`), whose path may be given in ORACLE_PYTHON. Times, gaps and edges must be equal, values to
 * the last bit of a float.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openGridFile } from '../../../src/cubes/open-grid-file.ts';
import { makeHdf5Thread } from '../../../src/formats/hdf5/index.ts';
import { makeOpenSource, toFileHref } from '../../../src/sources/index.ts';

/** What the NetCDF library says of a file. */
interface Wanted {
  readonly name: string;
  readonly times: readonly string[];
  readonly north: number;
  readonly west: number;
  readonly values: readonly (number | null)[];
}

const python = [process.env.ORACLE_PYTHON ?? 'python3', '/usr/bin/python3'].find(
  (one) => spawnSync(one, ['-c', 'import netCDF4']).status === 0,
);
if (python === undefined) {
  console.error('No Python with netCDF4 was found: pip install netCDF4, or apt install python3-netcdf4.');
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), 'swath-grid-oracle-'));
const hdf5 = makeHdf5Thread();
const faults: string[] = [];
try {
  const script = fileURLToPath(new URL('write_grid_files.py', import.meta.url));
  const output = execFileSync(python, [script, folder], { maxBuffer: 2 ** 28, encoding: 'utf8' });
  const openSource = makeOpenSource({ dataDir: folder });
  const open = (path: string) => openSource(toFileHref(path, { dataDir: folder, folders: [] }));
  for (const { name, times, north, west, values } of JSON.parse(output) as readonly Wanted[]) {
    const file = await openGridFile(join(folder, `${name}.nc`), { open, hdf5 });
    const water = file.variables.find((one) => one.name.split('/').at(-1) === 'sm')!;
    const found = water.timesMs.map((ms) => new Date(ms).toISOString().slice(0, 19));
    if (found.join() !== times.join()) faults.push(`${name}: times ${found.join()}, not ${times.join()}`);
    if (Math.abs(water.grid.north - north) > 1e-6 || Math.abs(water.grid.west - west) > 1e-6)
      faults.push(`${name}: corner ${water.grid.west}, ${water.grid.north}, not ${west}, ${north}`);
    const fields: number[] = [];
    for (const index of water.timesMs.keys()) fields.push(...(await water.readField(index)));
    const wrong = values.findIndex((value, i) => {
      const own = fields[i]!;
      return value === null ? !Number.isNaN(own) : Math.fround(value) !== own;
    });
    if (fields.length !== values.length || wrong >= 0)
      faults.push(`${name}: value ${wrong} is ${fields[wrong]}, not ${values[wrong]}`);
    await file.close();
    console.log(`${name}: ${values.length} values, ${values.filter((value) => value === null).length} gaps`);
  }
} finally {
  await hdf5.close();
  rmSync(folder, { recursive: true });
}
for (const fault of faults) console.error(fault);
process.exit(faults.length === 0 ? 0 : 1);
