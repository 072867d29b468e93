import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import type { CubeGrid } from '../cubes/index.ts';
import { makeCubes } from '../cubes/index.ts';
import type { AreaGeometry } from '../geo/index.ts';
import { HOUR_MS } from '../units.ts';
import { parseDay, toUtcOffset } from './daily-weather.ts';
import { makeGridProvider } from './grid-provider.ts';
import type { GridCubes } from './weather-cubes.ts';
import { areDaysCurrent, deriveDays } from './weather-cubes.ts';
import type { Heights } from './weather-provider.ts';
import type { WeatherVariable } from './weather-series.ts';
import { ELEVATION, ELEVATION_VARIABLE, WEATHER_VARIABLES } from './weather-series.ts';

const GRID: CubeGrid = { west: 30, north: 50.25, lonStep: 0.25, latStep: 0.25, width: 4, height: 4 };
const FIRST = parseDay('2026-03-01');

function makeGrids(t: TestContext): GridCubes {
  const directory = mkdtempSync(join(tmpdir(), 'swath-weather-'));
  t.after(() => rmSync(directory, { recursive: true }));
  return {
    cubes: makeCubes({ directory, subject: 'weather' }),
    dayCubes: makeCubes({ directory, subject: 'weather-days' }),
  };
}

type Value = (step: number, column: number, row: number) => number;

interface Written {
  readonly name: string;
  readonly stepHours: 1 | 24;
  readonly firstStep: number;
  readonly count: number;
  readonly runMs?: number;
  readonly grid?: CubeGrid;
  readonly values: Partial<Record<WeatherVariable, Value>>;
}

async function write({ cubes }: GridCubes, cube: Written): Promise<void> {
  const { name, stepHours, firstStep, count, runMs = null, grid = GRID, values } = cube;
  const kind = runMs === null ? 'history' : 'forecast';
  const writer = await cubes.openWriter(name, { grid, stepHours, kind, runMs });
  const fields = Object.entries(values).map(([variable, value]) => ({
    variable,
    about: WEATHER_VARIABLES[variable as WeatherVariable],
    fields: Array.from({ length: count }, (_, i) => ({
      step: firstStep + i,
      values: new Float32Array(grid.width * grid.height).map((_, cell) =>
        value(firstStep + i, cell % grid.width, Math.floor(cell / grid.width)),
      ),
    })),
  }));
  await writer.write(fields, new Map([[`${name}-${firstStep}-${count}.nc`, '1']]));
}

const POINT = { type: 'Point', coordinates: [30.25, 50] } as const;
/** Three tenths of the cell in row 1, seven of the one above it. */
const TWO_CELLS: AreaGeometry = {
  type: 'Polygon',
  coordinates: [
    [
      [30.125, 50.05],
      [30.375, 50.05],
      [30.375, 50.3],
      [30.125, 50.3],
      [30.125, 50.05],
    ],
  ],
};
const ask = (where: AreaGeometry | typeof POINT, from: string, to: string) => ({
  where,
  from,
  to,
  utcOffsetHours: 2,
  variables: ['temperatureMin', 'temperatureMax', 'precipitation'] as const,
  isHourly: false,
});

test('the value of an area is the mean of its cells, weighted by share and latitude; a point is interpolated', async (t) => {
  const grids = makeGrids(t);
  await write(grids, {
    name: 'daily',
    stepHours: 24,
    firstStep: FIRST,
    count: 3,
    values: {
      temperatureMin: (_, __, row) => (row === 0 ? 14 : 12),
      temperatureMax: (step, column) => 20 + (step - FIRST) + column,
    },
  });
  const provider = makeGridProvider({ ...grids, heights: null });
  const area = await provider.readHistory(ask(TWO_CELLS, '2026-03-01', '2026-03-02'));
  const [cos0, cos1] = [50.25, 50].map((lat) => Math.cos((lat * Math.PI) / 180));
  const expected = (0.7 * cos0! * 14 + 0.3 * cos1! * 12) / (0.7 * cos0! + 0.3 * cos1!);
  assert.ok(Math.abs(area!.series.values.temperatureMin![0]! - expected) < 1e-6);
  assert.equal(area!.lineage.method, 'mean of cells');
  assert.equal(area!.lineage.source, 'grid:daily');
  const point = await provider.readHistory(ask(POINT, '2026-03-03', '2026-03-04'));
  assert.equal(point!.series.values.temperatureMax![0], 23);
  assert.ok(Number.isNaN(point!.series.values.temperatureMax![1]));
  assert.equal(point!.series.utcOffsetHours, 0);
  assert.equal(point!.lineage.method, 'interpolated');
  assert.equal(
    await provider.readHistory(ask({ ...POINT, coordinates: [10, 10] } as never, '2026-03-01', '2026-03-02')),
    null,
  );
  assert.equal(await provider.readHistory(ask(POINT, '2027-03-01', '2027-03-02')), null);
  assert.deepEqual(await provider.readExtent!(POINT), { from: '2026-03-01', to: '2026-03-03' });
});

/** Hours whose extremes are at different times in each cell. */
const HOURS: Written = {
  name: 'hourly',
  stepHours: 1,
  firstStep: FIRST * 24,
  count: 24 * 40,
  values: {
    temperature: (step, column, row) =>
      10 * Math.sin(((step + 3 * column + 5 * row) * Math.PI) / 12) + (step % 31),
    precipitation: (step, column) => (step % 7 === 0 ? column / 2 : 0),
  },
};

test('days are computed from hours cell by cell, and equal stored days', async (t) => {
  const grids = makeGrids(t);
  await write(grids, HOURS);
  const provider = makeGridProvider({ ...grids, heights: null });
  const request = ask(TWO_CELLS, '2026-03-02', '2026-04-08');
  const before = await provider.readHistory(request);
  const column = 1;
  const offset = toUtcOffset(30.25);
  const minOf = (row: number): number => {
    let min = Number.POSITIVE_INFINITY;
    for (let hour = 0; hour < 24; hour++)
      min = Math.min(
        min,
        Math.fround(HOURS.values.temperature!((FIRST + 1) * 24 + hour - offset, column, row)),
      );
    return min;
  };
  const [cos0, cos1] = [50.25, 50].map((lat) => Math.cos((lat * Math.PI) / 180));
  const expected = (0.7 * cos0! * minOf(0) + 0.3 * cos1! * minOf(1)) / (0.7 * cos0! + 0.3 * cos1!);
  assert.ok(Math.abs(before!.series.values.temperatureMin![0]! - expected) < 1e-9);

  assert.equal(await areDaysCurrent(grids, 'hourly'), false);
  await deriveDays(grids, 'hourly');
  assert.equal(await areDaysCurrent(grids, 'hourly'), true);
  const after = await provider.readHistory(request);
  for (const variable of ['temperatureMin', 'temperatureMax', 'precipitation'] as const) {
    const [one, other] = [before!.series.values[variable]!, after!.series.values[variable]!];
    for (let day = 0; day < 38; day++)
      assert.ok(Math.abs(one[day]! - other[day]!) < 1e-5, `${variable} ${day}`);
  }
  assert.deepEqual(after!.lineage, before!.lineage);
  assert.equal(after!.series.startMs, before!.series.startMs);

  // More hours than days: answers are right before the days are made again.
  await write(grids, { ...HOURS, firstStep: HOURS.firstStep + HOURS.count, count: 48 });
  assert.equal(await areDaysCurrent(grids, 'hourly'), false);
  const grown = await provider.readHistory(ask(POINT, '2026-04-10', '2026-04-10'));
  assert.ok(!Number.isNaN(grown!.series.values.temperatureMin![0]));
  await deriveDays(grids, 'hourly', {
    firstStep: HOURS.firstStep + HOURS.count,
    lastStep: HOURS.firstStep + HOURS.count + 47,
  });
  const again = await provider.readHistory(ask(POINT, '2026-04-10', '2026-04-10'));
  assert.ok(
    Math.abs(again!.series.values.temperatureMin![0]! - grown!.series.values.temperatureMin![0]!) < 1e-5,
  );
});

test('hours are returned unchanged', async (t) => {
  const grids = makeGrids(t);
  await write(grids, HOURS);
  const provider = makeGridProvider({ ...grids, heights: null });
  const request = {
    ...ask(POINT, '2026-03-02', '2026-03-02'),
    variables: ['temperature'] as const,
    isHourly: true,
  };
  const hours = await provider.readHistory(request);
  assert.equal(hours!.series.stepCount, 24);
  assert.equal(hours!.series.startMs, ((FIRST + 1) * 24 - 2) * HOUR_MS);
  assert.ok(
    Math.abs(hours!.series.values.temperature![0]! - HOURS.values.temperature!((FIRST + 1) * 24 - 2, 1, 1)) <
      1e-5,
  );
});

test('the finest cube that covers the days is used', async (t) => {
  const grids = makeGrids(t);
  const coarse = { west: 0, north: 60, lonStep: 5, latStep: 5, width: 12, height: 6 };
  const days = { stepHours: 24, firstStep: FIRST, count: 2 } as const;
  const constant = (value: number) => ({ temperatureMin: () => value, temperatureMax: () => value });
  await write(grids, { ...days, name: 'coarse', grid: coarse, count: 9, values: constant(1) });
  await write(grids, { ...days, name: 'fine', values: constant(2) });
  const provider = makeGridProvider({ ...grids, heights: null });
  const sourceOf = async (from: string) =>
    (await provider.readHistory(ask(POINT, from, from)))!.lineage.source;
  assert.equal(await sourceOf('2026-03-02'), 'grid:fine');
  assert.equal(await sourceOf('2026-03-05'), 'grid:coarse');
});

const RUN = FIRST * 24;
const run = (name: string, start: number, hours: number, value: number): Written => ({
  name,
  stepHours: 1,
  firstStep: start,
  count: hours + 1,
  runMs: start * HOUR_MS,
  values: { temperature: () => value },
});

test('the newest run that reaches far enough is the forecast', async (t) => {
  const grids = makeGrids(t);
  await write(grids, run('gfs-a', RUN, 180, 1));
  await write(grids, run('gfs-b', RUN + 6, 180, 2));
  await write(grids, run('gfs-c', RUN + 12, 30, 3));
  const provider = makeGridProvider({ ...grids, heights: null });
  const read = (hours: number, nowMs = (RUN + 13) * HOUR_MS) =>
    provider.readForecast({ where: POINT, hours, nowMs });
  const forecast = await read(72);
  assert.equal(forecast!.series.values.temperature![0], 2);
  assert.equal(forecast!.series.startMs, (RUN + 6) * HOUR_MS);
  assert.equal(forecast!.series.stepCount, 72);
  assert.deepEqual(forecast!.lineage, {
    source: 'grid:gfs-b',
    runMs: (RUN + 6) * HOUR_MS,
    method: 'interpolated',
    correctedToM: null,
  });
  assert.equal((await read(24))!.series.values.temperature![0], 3);
  // None reaches so far: the one that reaches furthest.
  assert.equal((await read(300))!.lineage.source, 'grid:gfs-b');
  assert.equal(await read(72, (RUN + 200) * HOUR_MS), null);
  // Runs are not the past.
  assert.equal(await provider.readHistory(ask(POINT, '2026-03-01', '2026-03-02')), null);
});

test('hours before a run come from earlier runs', async (t) => {
  const grids = makeGrids(t);
  await write(grids, run('gfs-a', RUN, 4, 1));
  await write(grids, run('gfs-b', RUN + 6, 180, 2));
  await write(grids, run('gfs-c', RUN + 12, 180, 3));
  const provider = makeGridProvider({ ...grids, heights: null });
  const read = async (from: number) =>
    (await provider.readForecast({
      where: POINT,
      hours: 3,
      fromMs: (RUN + from) * HOUR_MS,
      nowMs: (RUN + 13) * HOUR_MS,
    }))!.series;
  const temperatures = async (from: number) => Array.from((await read(from)).values.temperature!);
  // The first run ends before the second begins.
  const gap = Number.NaN;
  assert.deepEqual(await temperatures(3), [1, 1, gap, 2, 2, 2, 2, 2, 2, 3, 3, 3]);
  assert.deepEqual(await temperatures(10), [2, 2, 3, 3, 3]);
  assert.deepEqual(await temperatures(12), [3, 3, 3]);
  assert.equal((await read(-5)).startMs, RUN * HOUR_MS, 'no run knows more');
});

test('temperatures of a point are corrected to its height', async (t) => {
  const grids = makeGrids(t);
  const heights: Heights = { at: async () => 900, meanOf: async ({ minY }) => (minY > 50 ? 700 : 100) };
  await write(grids, {
    name: 'daily',
    stepHours: 24,
    firstStep: FIRST,
    count: 1,
    values: { temperatureMin: () => 5, temperatureMax: () => 15, precipitation: () => 3 },
  });
  const provider = makeGridProvider({ ...grids, heights });
  const request = ask(POINT, '2026-03-01', '2026-03-01');
  // The point is the middle of a cell, whose ground is 100 m high on the average.
  const { series, lineage } = (await provider.readHistory(request))!;
  assert.ok(Math.abs(series.values.temperatureMin![0]! - (5 - 800 * 0.0065)) < 1e-6);
  assert.equal(series.values.precipitation![0], 3);
  assert.equal(lineage.correctedToM, 900);
  const area = (await provider.readHistory(ask(TWO_CELLS, '2026-03-01', '2026-03-01')))!;
  assert.equal(area.series.values.temperatureMin![0], 5);
  assert.equal(area.lineage.correctedToM, null);
  // What the cube says of its ground is truer.
  const writer = await grids.cubes.openWriter('daily', { grid: GRID, stepHours: 24 });
  const field = { step: 0, values: new Float32Array(16).fill(900) };
  await writer.write([{ variable: ELEVATION_VARIABLE, about: ELEVATION, fields: [field] }], new Map());
  assert.equal((await provider.readHistory(request))!.series.values.temperatureMin![0], 5);
  const unknown = makeGridProvider({ ...grids, heights: { ...heights, at: async () => null } });
  assert.equal((await unknown.readHistory(request))!.lineage.correctedToM, null);
});
