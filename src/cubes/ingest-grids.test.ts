import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { unsupported } from '../errors.ts';
import { makeHdf5Thread } from '../formats/hdf5/index.ts';
import { makeOpenSource, toFileHref } from '../sources/index.ts';
import type { CubeGrid } from './cube-grid.ts';
import { makeCubes } from './cubes.ts';
import type { IngestGridsOptions } from './ingest-grids.ts';
import { ingestGrids } from './ingest-grids.ts';
import type { VariableRule } from './plan-rules.ts';
import { makeRulesPlan } from './plan-rules.ts';
import { readSeries } from './read-series.ts';
import { makeGridNetcdf } from './testing/make-grid-netcdf.ts';

const made: string[] = [];
let dataDir: string;
let from: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'swath-ingest-grids-'));
  made.push(dataDir);
  from = join(dataDir, 'files');
  mkdirSync(from);
});
after(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

const hdf5 = makeHdf5Thread();
after(() => hdf5.close());

const grid: CubeGrid = { west: 10, north: 50, lonStep: 0.5, latStep: 0.5, width: 4, height: 3 };
const FIRST = 20_000;
const valueAt = (step: number, cell: number): number => Math.fround((step - FIRST) / 100 + cell / 1000);
const rule: VariableRule = {
  as: 'surface',
  longName: 'Water',
  units: 'm3 m-3',
  names: ['sm'],
  makeConvert(units) {
    if (units === 'K') throw unsupported('bad-units', 'This is not water.');
    return () => {};
  },
};

const ingest = ({
  variable = null,
  ...more
}: Partial<IngestGridsOptions> & { variable?: string | null } = {}) => {
  const cubes = makeCubes({ directory: join(dataDir, 'cubes'), subject: 'soil' });
  const open = (path: string) => makeOpenSource({ dataDir })(toFileHref(path, { dataDir, folders: [] }));
  const plan = makeRulesPlan({ cube: 'a', rules: [rule], variable });
  return ingestGrids({ from, cubes, cube: 'a', plan, open, hdf5, ...more });
};

const readCell = async (cell: number, firstStep: number, lastStep: number) => {
  const cubes = makeCubes({ directory: join(dataDir, 'cubes'), subject: 'soil' });
  const coordinates = [10 + 0.5 * (cell % 4), 50 - 0.5 * Math.floor(cell / 4)] as const;
  const where = { type: 'Point', coordinates } as const;
  return [...(await readSeries(cubes, 'a', { variable: 'surface', where, firstStep, lastStep })).means];
};

const writeDays = (days: readonly number[]): void => {
  for (const day of days)
    writeFileSync(join(from, `d${day}.nc`), makeGridNetcdf({ grid, steps: [day], valueAt }));
};

test('a folder of days becomes a cube; the second run reads nothing and changes nothing', async () => {
  writeDays([FIRST, FIRST + 1, FIRST + 3]);
  writeFileSync(join(from, 'readme.txt'), 'x');
  const fractions: number[] = [];
  const first = await ingest({ onProgress: (fraction) => fractions.push(fraction) });
  assert.deepEqual(first.totals, { ingested: 3, unchanged: 0, broken: 0 });
  assert.deepEqual(
    first.files.map(({ file, fields }) => [file, fields]),
    [FIRST, FIRST + 1, FIRST + 3].map((day) => [`d${day}.nc`, 1]),
  );
  assert.equal(fractions.at(-1), 1);
  const gap = Number.NaN;
  for (const cell of [0, 5, 11]) {
    const wanted = [valueAt(FIRST, cell), valueAt(FIRST + 1, cell), gap, valueAt(FIRST + 3, cell), gap];
    assert.deepEqual(await readCell(cell, FIRST, FIRST + 4), wanted);
  }
  const manifest = () => readFileSync(join(dataDir, 'cubes/soil/a/cube.json'), 'utf8');
  const before = manifest();
  assert.deepEqual((await ingest()).totals, { ingested: 0, unchanged: 3, broken: 0 });
  assert.equal(manifest(), before);
  // A file with another time and the same numbers is read, and only its stamp changes.
  utimesSync(join(from, `d${FIRST}.nc`), 1, 1);
  assert.deepEqual((await ingest()).totals, { ingested: 1, unchanged: 2, broken: 0 });
  assert.deepEqual(await readCell(5, FIRST, FIRST), [valueAt(FIRST, 5)]);
});

test('a broken file is reported, leaves nothing, and does not stop the others', async () => {
  writeDays([FIRST, FIRST + 2]);
  const whole = makeGridNetcdf({ grid, steps: [FIRST + 1, FIRST + 5], valueAt });
  writeFileSync(join(from, 'cut.nc'), whole.subarray(0, whole.length - 20));
  writeFileSync(join(from, 'kelvin.nc'), makeGridNetcdf({ grid, steps: [FIRST + 1], valueAt, units: 'K' }));
  writeFileSync(join(from, 'other.nc'), makeGridNetcdf({ grid, steps: [FIRST + 1], valueAt, name: 'rain' }));
  const shifted = { ...grid, west: 30 };
  writeFileSync(join(from, 'shifted.nc'), makeGridNetcdf({ grid: shifted, steps: [FIRST + 1], valueAt }));
  const { totals, files } = await ingest();
  assert.deepEqual(totals, { ingested: 2, unchanged: 0, broken: 4 });
  const codes = files.flatMap(({ file, code }) => (code === undefined ? [] : [[file, code]]));
  assert.deepEqual(Object.fromEntries(codes), {
    'cut.nc': 'netcdf-truncated',
    'kelvin.nc': 'bad-units',
    'other.nc': 'no-variable',
    'shifted.nc': 'cube-grid',
  });
  const [before, gap, after] = await readCell(3, FIRST, FIRST + 2);
  assert.deepEqual([before, gap, after], [valueAt(FIRST, 3), Number.NaN, valueAt(FIRST + 2, 3)]);
});

test('a stopped run continues when it is repeated', async () => {
  writeDays([FIRST, FIRST + 1, FIRST + 2]);
  const stopping = new AbortController();
  const stopped = await ingest({ signal: stopping.signal, onProgress: (f) => f > 0.3 && stopping.abort() });
  assert.deepEqual([stopped.stopped, stopped.totals.ingested], [true, 1]);
  const again = await ingest();
  assert.deepEqual([again.stopped, again.totals], [false, { ingested: 2, unchanged: 1, broken: 0 }]);
  assert.deepEqual(
    await readCell(1, FIRST, FIRST + 2),
    [0, 1, 2].map((day) => valueAt(FIRST + day, 1)),
  );
});

test('hours become a cube of hours, and days do not fit into it', async () => {
  const hours = [0, 1, 2].map((hour) => FIRST * 24 + hour);
  const hourly = {
    grid,
    steps: hours,
    valueAt: (step: number) => step - FIRST * 24,
    timeUnits: 'hours',
  } as const;
  writeFileSync(join(from, 'hours.nc'), makeGridNetcdf(hourly));
  assert.equal((await ingest()).totals.ingested, 1);
  assert.deepEqual(await readCell(0, hours[0]!, hours[2]!), [0, 1, 2]);
  writeFileSync(join(from, 'two-days.nc'), makeGridNetcdf({ grid, steps: [FIRST, FIRST + 1], valueAt }));
  const { files } = await ingest();
  assert.equal(files.find(({ file }) => file === 'two-days.nc')?.code, 'cube-step');
});

test('a variable can be named, and an unknown one is refused with the available ones', async () => {
  writeFileSync(join(from, 'x.nc'), makeGridNetcdf({ grid, steps: [FIRST], valueAt, name: 'odd' }));
  const wrong = await ingest({ variable: 'even' });
  assert.match(wrong.files[0]!.reason!, /no variable "even".*there are: odd/);
  assert.equal((await ingest({ variable: 'odd' })).totals.ingested, 1);
  const none = join(from, 'none');
  await assert.rejects(ingest({ from: none }), {
    code: 'no-files',
    message: `There is no file or folder ${none}.`,
  });
});

test('changed settings read the same file again', async () => {
  writeDays([FIRST]);
  await ingest({ settings: 'porosity 0.4' });
  assert.equal((await ingest({ settings: 'porosity 0.4' })).totals.unchanged, 1);
  assert.equal((await ingest({ settings: 'porosity 0.5' })).totals.ingested, 1);
});
