import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import type { CubeGrid } from '../../cubes/index.ts';
import { makeCubes, readSeries } from '../../cubes/index.ts';
import { makeHdf5Thread } from '../../formats/hdf5/index.ts';
import { makeOpenSource, toFileHref } from '../../sources/index.ts';
import { makeWeatherNetcdf } from '../testing/make-weather-netcdf.ts';
import type { IngestWeatherOptions } from './ingest-weather.ts';
import { ingestWeather } from './ingest-weather.ts';

const made: string[] = [];
let dataDir: string;
let from: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'swath-ingest-weather-'));
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
const DAY = 20_000;
const FIRST = DAY * 24;
const range = (start: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, i) => start + i);

const openCubes = () => makeCubes({ directory: join(dataDir, 'cubes'), subject: 'weather' });
const ingest = (more: Partial<IngestWeatherOptions> = {}) => {
  const open = (path: string) => makeOpenSource({ dataDir })(toFileHref(path, { dataDir, folders: [] }));
  return ingestWeather({
    from,
    cubes: openCubes(),
    name: 'a',
    kind: null,
    runMs: null,
    accumulated: null,
    runs: 4,
    nowMs: Date.UTC(2026, 10, 16),
    open,
    hdf5,
    ...more,
  });
};
const readCell = async (
  variable: string,
  firstStep: number,
  count: number,
  { cube = 'a', cell = 5 } = {},
) => {
  const coordinates = [10 + 0.5 * (cell % 4), 50 - 0.5 * Math.floor(cell / 4)] as const;
  const where = { type: 'Point', coordinates } as const;
  const lastStep = firstStep + count - 1;
  const { means } = await readSeries(openCubes(), cube, { variable, where, firstStep, lastStep });
  // Without the sign of a zero.
  return [...means].map((value) => Number(value.toFixed(4)) + 0);
};
const write = (name: string, file: Parameters<typeof makeWeatherNetcdf>[0]): void =>
  writeFileSync(join(from, name), makeWeatherNetcdf(file));

/** mm in the hour that begins then. */
const rainAt = (hour: number, cell = 5): number =>
  (hour % 4 === cell % 4 ? 0.25 : 0) + (hour % 7 === 0 ? 1 : 0);
const rainOf = (start: number, end: number, cell = 5): number =>
  range(start, end - start).reduce((sum, hour) => sum + rainAt(hour, cell), 0);

test('ERA5 hours are converted: units, wind from two components, snow from water and density, sums, heights', async () => {
  const hours = range(FIRST, 30);
  write('era5_a.nc', {
    grid,
    hours,
    variables: {
      t2m: { units: 'K', valueAt: (hour) => 273.15 + (hour % 24) },
      d2m: { units: 'K', valueAt: (hour, cell) => (cell === 5 && hour === FIRST + 1 ? 9999 : 270.15) },
      u10: { units: 'm s**-1', valueAt: () => 3 },
      v10: { units: 'm s**-1', valueAt: () => -4 },
      tp: { units: 'm', valueAt: (hour, cell) => rainAt(hour - 1, cell) / 1000 },
      sd: { units: 'm of water equivalent', valueAt: (hour) => (hour === FIRST ? 0 : 0.06) },
      rsn: { units: 'kg m**-3', valueAt: (hour) => (hour === FIRST ? 0 : 120) },
      tcc: { units: '(0 - 1)', valueAt: () => 0.5 },
      ssrd: { units: 'J m**-2', valueAt: () => 1_500_000 },
      z: { units: 'm**2 s**-2', valueAt: (_, cell) => 980.665 * cell, isStatic: true },
    },
  });
  const { totals, files } = await ingest();
  assert.deepEqual(totals, { ingested: 1, unchanged: 0, broken: 0 }, files[0]?.reason);
  assert.deepEqual(await readCell('temperature', FIRST, 3), [0, 1, 2]);
  assert.deepEqual(await readCell('dewPoint', FIRST, 3), [-3, Number.NaN, -3]);
  assert.deepEqual(await readCell('windSpeed', FIRST, 2), [5, 5]);
  assert.deepEqual(await readCell('snowDepth', FIRST, 2), [0, 50]);
  assert.deepEqual(await readCell('cloudCover', FIRST, 1), [50]);
  assert.deepEqual(await readCell('radiation', FIRST - 1, 1), [1.5]);
  assert.deepEqual(
    await readCell('precipitation', FIRST - 1, 30),
    range(FIRST - 1, 30).map((hour) => rainAt(hour)),
  );
  assert.deepEqual(await readCell('elevation', 0, 1), [500]);
  const cube = await openCubes().find('a');
  assert.deepEqual(Object.keys(cube!.variables).toSorted(), [
    ...['cloudCover', 'dewPoint', 'elevation', 'precipitation', 'radiation', 'snowDepth', 'temperature'],
    'windSpeed',
  ]);
  assert.deepEqual([cube!.kind, cube!.runMs, cube!.stepHours], ['history', null, 1]);
  assert.deepEqual((await ingest()).totals, { ingested: 0, unchanged: 1, broken: 0 });
});

/** Totals of ERA5-Land: from midnight of UTC, the value at 00 is that of the day before. */
const landTotal = (hour: number, cell: number): number =>
  rainOf(24 * Math.floor((hour - 1) / 24), hour, cell) / 1000;

test('ERA5-Land sums are recognised by their values, and files cut at midnight are joined in either order', async () => {
  const tp = { units: 'm', valueAt: landTotal };
  const wanted = range(FIRST - 1, 72).map((hour) => Number(rainAt(hour).toFixed(4)));
  // The hour before the first file lacks the total before it.
  wanted[0] = Number.NaN;
  const files = range(0, 3).map((day) => range(FIRST + 24 * day, 24));
  for (const order of [
    [0, 1, 2],
    [2, 0, 1],
  ]) {
    const cube = `order-${order.join('')}`;
    for (const day of order) {
      write(`day${day}.nc`, { grid, hours: files[day]!, variables: { tp } });
      const { totals, files: lines } = await ingest({ name: cube, from: join(from, `day${day}.nc`) });
      assert.equal(totals.ingested, 1, lines[0]?.reason);
    }
    assert.deepEqual(await readCell('precipitation', FIRST - 1, 72, { cube }), wanted, cube);
  }
});

test('all files of a folder together give the same result, and a missing total is a gap', async () => {
  const tp = { units: 'm', valueAt: landTotal };
  const hours = range(FIRST + 1, 48).filter((hour) => hour !== FIRST + 5);
  write('a.nc', { grid, hours: hours.slice(0, 20), variables: { tp } });
  write('b.nc', { grid, hours: hours.slice(20), variables: { tp } });
  assert.equal((await ingest()).totals.ingested, 2);
  const wanted = range(FIRST, 48).map((hour) => Number(rainAt(hour).toFixed(4)));
  // The total at 05 is missing, and with it the sums of the hours before and after it.
  [wanted[4], wanted[5]] = [Number.NaN, Number.NaN];
  assert.deepEqual(await readCell('precipitation', FIRST, 48), wanted);
});

test('AgERA5 days, one file each, become a cube of days', async () => {
  for (const day of [DAY, DAY + 1])
    write(`agera5_${day}.nc`, {
      grid,
      hours: [24 * day],
      variables: {
        Temperature_Air_2m_Min_24h: { units: 'K', valueAt: (hour) => 263.15 + hour / 24 - DAY },
        Temperature_Air_2m_Max_24h: { units: 'K', valueAt: () => 283.15 },
        Precipitation_Flux: { units: 'mm d-1', valueAt: () => 3.5 },
        Solar_Radiation_Flux: { units: 'J m-2 d-1', valueAt: () => 12_000_000 },
        Vapour_Pressure_Mean: { units: 'hPa', valueAt: () => 8 },
      },
    });
  const { totals, files } = await ingest();
  assert.equal(totals.ingested, 2, files[0]?.reason);
  assert.equal((await openCubes().find('a'))?.stepHours, 24);
  assert.deepEqual(await readCell('temperatureMin', DAY, 2), [-10, -9]);
  assert.deepEqual(await readCell('precipitation', DAY, 2), [3.5, 3.5]);
  assert.deepEqual(await readCell('radiation', DAY, 2), [12, 12]);
  assert.deepEqual(await readCell('vapourPressure', DAY, 2), [8, 8]);
});

test('wrong units, wrong values and a wind with one component are refused by name', async () => {
  const hours = range(FIRST, 3);
  write('units.nc', { grid, hours, variables: { t2m: { units: 'parsec', valueAt: () => 1 } } });
  write('values.nc', { grid, hours, variables: { t2m: { units: 'degC', valueAt: () => 280 } } });
  write('wind.nc', { grid, hours, variables: { u10: { units: 'm/s', valueAt: () => 1 } } });
  write('other.nc', { grid, hours, variables: { sst: { units: 'K', valueAt: () => 280 } } });
  write('ground.nc', { grid, hours, variables: { orog: { units: 'm', valueAt: () => 280 } } });
  const { files } = await ingest();
  assert.deepEqual(Object.fromEntries(files.map(({ file, code }) => [file, code])), {
    'units.nc': 'weather-units',
    'values.nc': 'weather-values',
    'wind.nc': 'no-variable',
    'other.nc': 'no-variable',
    'ground.nc': 'no-times',
  });
});

const writeRun = (name: string, run: number, leads: readonly number[], offset = 0): void =>
  write(name, {
    grid,
    hours: leads.map((lead) => run + lead),
    runHour: run,
    variables: {
      t2m: { units: 'degC', valueAt: () => offset },
      tp: { units: 'mm', valueAt: (hour, cell) => rainOf(run, hour, cell), attributes: {} },
    },
  });

test('each model run is its own cube, and old runs are removed when new ones are usable', async () => {
  const leads = [0, ...range(1, 6), ...range(3, 22).map((third) => 3 * third)];
  const run = Math.floor(Date.UTC(2026, 10, 15) / 3_600_000);
  const at = (hours: number) => ({
    from: join(from, `run${hours}.nc`),
    runs: 2,
    accumulated: 'run' as const,
  });
  for (const hours of [0, 6, 12]) writeRun(`run${hours}.nc`, run + hours, leads, hours);
  const first = await ingest(at(0));
  assert.equal(first.totals.ingested, 1, first.files[0]?.reason);
  assert.deepEqual([first.cubes, first.removed], [['a-20261115t00'], []]);
  const cube = await openCubes().find('a-20261115t00');
  assert.deepEqual([cube!.kind, cube!.runMs], ['forecast', run * 3_600_000]);
  assert.deepEqual((await ingest(at(6))).removed, []);
  // A run of which only a part has come replaces none.
  writeRun('part.nc', run + 12, leads.slice(0, 5), 12);
  assert.deepEqual((await ingest({ ...at(12), from: join(from, 'part.nc') })).removed, []);
  assert.deepEqual((await ingest(at(12))).removed, ['a-20261115t00']);
  assert.deepEqual(
    (await openCubes().list()).map(({ name }) => name),
    ['a-20261115t06', 'a-20261115t12'],
  );
  assert.deepEqual(await readCell('temperature', run + 12, 2, { cube: 'a-20261115t06' }), [6, Number.NaN]);
  const again = await ingest(at(0));
  assert.deepEqual(
    [again.totals.unchanged, again.files[0]?.reason, again.cubes],
    [1, 'of a run that is older than the last 2', []],
  );
  assert.equal((await ingest(at(12))).totals.unchanged, 1);
});

test('a forecast has hourly sums, then three-hourly sums with gaps before them', async () => {
  const run = Math.floor(Date.UTC(2026, 10, 15) / 3_600_000);
  for (const lead of [1, 2, 3, 6, 9]) writeRun(`f${lead}.nc`, run, [lead]);
  const { totals, files } = await ingest({ accumulated: 'run' });
  assert.equal(totals.ingested, 5, files[0]?.reason);
  const gap = Number.NaN;
  const wanted = [rainAt(run), rainAt(run + 1), rainAt(run + 2), gap, gap, rainOf(run + 3, run + 6)];
  assert.deepEqual(await readCell('precipitation', run, 9, { cube: 'a-20261115t00' }), [
    ...wanted,
    ...[gap, gap, rainOf(run + 6, run + 9)],
  ]);
});

test('a forecast without a run time is refused, and --run supplies it', async () => {
  write('x.nc', {
    grid,
    hours: range(FIRST, 4),
    variables: { t2m: { units: 'degC', valueAt: () => 1 } },
  });
  const refused = await ingest({ kind: 'forecast' });
  assert.equal(refused.files[0]?.code, 'no-run');
  const runMs = FIRST * 3_600_000;
  assert.deepEqual((await ingest({ kind: 'forecast', runMs })).cubes, ['a-20241004t00']);
});
