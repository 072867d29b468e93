/**
 * Compares every value of GRIB files with what ecCodes reads: `npm run oracle grib`. Needs a Python with eccodes (`pip install
 * eccodes rasterio`; with rasterio, files that GDAL writes are compared too), whose path may be given in ORACLE_PYTHON. Files
 * are written in every packing and scanning mode, and those below `weather_gdal_grib` and `weather_xarray` of SWATH_SAMPLES
 * are read if they are there. Values may differ by the last bit of a float; gaps, grids and times must be equal.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeField, openGrib } from '../../../src/formats/grib/index.ts';
import { makeMemorySource } from '../../../src/formats/testing/memory-source.ts';

/** What ecCodes says of a field. */
interface Wanted {
  readonly values: string;
  readonly width: number;
  readonly height: number;
  readonly grid: readonly number[];
  readonly name: string;
  readonly units: string;
  readonly method: string;
  readonly packing: string;
  readonly run: number;
  readonly start: number;
  readonly end: number;
}

const METHODS: Readonly<Record<string, string>> = { accum: 'sum', avg: 'mean' };

const python = [process.env.ORACLE_PYTHON ?? 'python3', '/usr/bin/python3'].find(
  (one) => spawnSync(one, ['-c', 'import eccodes']).status === 0,
);
if (python === undefined) {
  console.error('No Python with ecCodes was found: pip install eccodes rasterio.');
  process.exit(2);
}
const script = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Floats differ by rounding once more or once less: the last bit. */
const isSame = (own: number, wanted: number): boolean =>
  Number.isNaN(wanted) ? Number.isNaN(own) : Math.abs(own - wanted) <= Math.abs(wanted) * 2 ** -23;

const folder = mkdtempSync(join(tmpdir(), 'swath-grib-oracle-'));
const faults: string[] = [];
const names = new Set<string>();
let [files, fields, values, gaps] = [0, 0, 0, 0];
try {
  const written = join(folder, 'written');
  mkdirSync(written);
  execFileSync(python, [script('write_gribs.py'), written], { stdio: ['ignore', 'inherit', 'ignore'] });
  const samples = process.env.SWATH_SAMPLES ?? '';
  const paths = [
    ...globSync(join(written, '*.grib')).sort(),
    ...(samples === '' ? [] : globSync(join(samples, '{weather_gdal_grib,weather_xarray}/*.gr*b*')).sort()),
  ];
  if (samples === '')
    console.log('SWATH_SAMPLES is not set: only files that were written for this are compared.');
  const output = execFileSync(python, [script('read_gribs.py'), folder, ...paths], {
    maxBuffer: 2 ** 28,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  for (const { path, fields: wanted } of JSON.parse(output) as { path: string; fields: Wanted[] }[]) {
    const name = basename(path);
    const grib = await openGrib(makeMemorySource(readFileSync(path))).catch((error: unknown) => {
      faults.push(`${name}: ${error}`);
      return null;
    });
    if (grib === null) continue;
    files += 1;
    if (grib.fields.length !== wanted.length)
      faults.push(`${name}: ${grib.fields.length} fields, not ${wanted.length}: ${grib.refusal?.message}`);
    for (const [i, field] of grib.fields.entries()) {
      const one = wanted[i]!;
      const at = `${name}, field ${i + 1} (${one.packing})`;
      const own = await grib.readValues(field).catch((error: unknown) => {
        faults.push(`${at}: ${error}`);
        return new Float32Array();
      });
      const bytes = readFileSync(one.values);
      const theirs = new Float64Array(bytes.buffer, bytes.byteOffset, bytes.length / 8);
      let wrong = own.length === theirs.length ? -1 : own.length;
      for (let k = 0; k < own.length && wrong < 0; k++) if (!isSame(own[k]!, theirs[k]!)) wrong = k;
      if (wrong >= 0) faults.push(`${at}: value ${wrong} is ${own[wrong]}, not ${theirs[wrong]}`);
      const { west, north, lonStep, latStep } = field.grid;
      const corner = [
        west - one.grid[0]!,
        north - one.grid[1]!,
        lonStep - one.grid[2]!,
        latStep - one.grid[3]!,
      ];
      if (corner.some((difference) => Math.abs(difference) > 1e-6))
        faults.push(`${at}: grid ${[west, north, lonStep, latStep]}, not ${one.grid}`);
      if (field.runMs !== one.run || field.endMs !== one.end || (field.startMs ?? field.endMs) !== one.start)
        faults.push(
          `${at}: times ${[field.runMs, field.startMs, field.endMs]}, not ${[one.run, one.start, one.end]}`,
        );
      if (field.method !== (METHODS[one.method] ?? one.method))
        faults.push(`${at}: ${field.method}, not ${one.method}`);
      const { name: short, units } = describeField(field);
      names.add(`${short} (${units}): ${one.name} (${one.units})`);
      fields += 1;
      values += own.length;
      for (const value of own) gaps += Number.isNaN(value) ? 1 : 0;
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}
console.log(`${files} files, ${fields} fields, ${values} values, ${gaps} gaps. Names here and in ecCodes:`);
for (const name of [...names].sort()) console.log(`  ${name}`);
for (const fault of faults) console.error(fault);
process.exit(faults.length === 0 ? 0 : 1);
