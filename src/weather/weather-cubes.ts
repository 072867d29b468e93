import type { Cube, Cubes, CubesConfig, CubesLock } from '../cubes/index.ts';
import { openCubes, readCells, readSeries } from '../cubes/index.ts';
import { DAY_MS, HOUR_MS } from '../units.ts';
import type { DaySpan } from './daily-weather.ts';
import { gatherDays, toUtcOffset } from './daily-weather.ts';
import type { WeatherLocation } from './weather-provider.ts';
import type { WeatherSeries, WeatherVariable } from './weather-series.ts';
import { WEATHER_VARIABLE_NAMES, WEATHER_VARIABLES } from './weather-series.ts';

/** The data cubes of weather. */
export interface GridCubes {
  /** As they were ingested: cubes of hours and of days, and one of each run of a forecast. */
  readonly cubes: Cubes;
  /** Days of the cubes of hours, under the same names: ten years of hours are too much to be read for each request. */
  readonly dayCubes: Cubes;
}

/** Opens the data cubes of weather; a process that writes them holds the lock. */
export const openWeatherCubes = (config: CubesConfig, lock: CubesLock | null = null): GridCubes => ({
  cubes: openCubes(config, 'weather', lock),
  dayCubes: openCubes(config, 'weather-days', lock),
});

/** Opens the data cubes of weather to list and remove them; derived days are removed with their hours. */
export function openRemovableWeather(
  config: CubesConfig,
  lock: CubesLock | null = null,
): Pick<Cubes, 'list' | 'remove'> {
  const { cubes, dayCubes } = openWeatherCubes(config, lock);
  return {
    list: cubes.list,
    async remove(name) {
      const isThere = await cubes.remove(name);
      await dayCubes.remove(name);
      return isThere;
    },
  };
}

/** Variables that days may have. */
const DAY_VARIABLES = WEATHER_VARIABLE_NAMES.filter(
  (variable) => variable !== 'temperature' && variable !== 'dewPoint',
);

/** Memory for days that wait to be written. */
const BATCH_BYTES = 2 ** 27;
/** The side of a block of cells that is read at once: that of the largest chunks, so that none is read twice. */
const BLOCK_SIDE = 32;
/** Hours of local clocks before and after those of UTC. */
const OTHER_CLOCKS_HOURS = 14;

/** Whether the days of a cube of hours are derived from all that is in it. */
export async function areDaysCurrent({ cubes, dayCubes }: GridCubes, name: string): Promise<boolean> {
  const [hours, days] = await Promise.all([cubes.readSources(name), dayCubes.readSources(name)]);
  return hours.size === days.size && [...hours].every(([file, stamp]) => days.get(file) === stamp);
}

interface DeriveOptions {
  /** The hours that changed, in steps from 1970; all hours of the cube by default. */
  readonly firstStep?: number;
  readonly lastStep?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (fraction: number) => void;
}

/**
 * Derives the days of a cube of hours, each cell by the clock of its own meridian, and stores them under the same name,
 * replacing what is there. If it is interrupted the next run repeats it, because the days are current only when the last
 * of them is stored.
 */
export async function deriveDays(
  grids: GridCubes,
  name: string,
  { firstStep, lastStep, signal, onProgress }: DeriveOptions = {},
): Promise<void> {
  const { cubes, dayCubes } = grids;
  const cube = await cubes.find(name);
  if (cube === null || cube.stepHours !== 1 || (await areDaysCurrent(grids, name))) return;
  const sources = await cubes.readSources(name);
  const firstDay = Math.floor(((firstStep ?? cube.firstStep) - OTHER_CLOCKS_HOURS) / 24);
  const lastDay = Math.floor(((lastStep ?? cube.lastStep) + OTHER_CLOCKS_HOURS) / 24);
  const { width, height } = cube.grid;
  const bytesPerDay = 4 * width * height * DAY_VARIABLES.length;
  const daysAtOnce = Math.max(1, Math.floor(BATCH_BYTES / bytesPerDay));
  const writer = await dayCubes.openWriter(name, { grid: cube.grid, stepHours: 24 });
  for (let day = firstDay; day <= lastDay; day += daysAtOnce) {
    signal?.throwIfAborted();
    const end = Math.min(lastDay, day + daysAtOnce - 1);
    const fields = await gatherFields(grids, cube, day, end);
    const isLast = end === lastDay;
    await writer.write(
      [...fields].map(([variable, days]) => ({
        variable,
        about: WEATHER_VARIABLES[variable],
        fields: days.map((values, i) => ({ step: day + i, values })),
      })),
      isLast ? sources : new Map(),
    );
    onProgress?.((end - firstDay + 1) / (lastDay - firstDay + 1));
  }
}

/** Fields of days, by variable; those that no cell has are left out. */
async function gatherFields(
  { cubes }: GridCubes,
  cube: Cube,
  firstDay: number,
  lastDay: number,
): Promise<ReadonlyMap<WeatherVariable, readonly Float32Array[]>> {
  const { name, grid } = cube;
  const days = lastDay - firstDay + 1;
  const [firstStep, lastStep] = [firstDay * 24 - OTHER_CLOCKS_HOURS, lastDay * 24 + 23 + OTHER_CLOCKS_HOURS];
  const stepCount = lastStep - firstStep + 1;
  const wanted = WEATHER_VARIABLE_NAMES.filter((variable) => cube.variables[variable] !== undefined);
  const fields = new Map<WeatherVariable, Float32Array[]>();
  for (const cells of listBlocks(grid)) {
    const all = await Promise.all(
      wanted.map((variable) => readCells(cubes, name, { variable, cells, firstStep, lastStep })),
    );
    for (const [i, { column, row }] of cells.entries()) {
      const hours = all.map(
        (values) => new Float64Array(values.subarray(i * stepCount, (i + 1) * stepCount)),
      );
      const gathered = gatherDays(
        {
          stepHours: 1,
          startMs: firstStep * HOUR_MS,
          stepCount,
          utcOffsetHours: 0,
          values: Object.fromEntries(wanted.map((variable, k) => [variable, hours[k]!])),
        },
        { firstDay, lastDay, utcOffsetHours: toUtcOffset(toLongitude(cube, column)) },
      );
      for (const [variable, values] of Object.entries(gathered.values)) {
        let ofDays = fields.get(variable as WeatherVariable);
        if (ofDays === undefined) {
          ofDays = Array.from({ length: days }, () =>
            new Float32Array(grid.width * grid.height).fill(Number.NaN),
          );
          fields.set(variable as WeatherVariable, ofDays);
        }
        for (const [day, value] of values.entries()) ofDays[day]![row * grid.width + column] = value;
      }
    }
  }
  return fields;
}

function* listBlocks({ width, height }: Cube['grid']) {
  for (let top = 0; top < height; top += BLOCK_SIDE) {
    for (let left = 0; left < width; left += BLOCK_SIDE) {
      const cells: { readonly column: number; readonly row: number }[] = [];
      for (let row = top; row < Math.min(height, top + BLOCK_SIDE); row++)
        for (let column = left; column < Math.min(width, left + BLOCK_SIDE); column++)
          cells.push({ column, row });
      yield cells;
    }
  }
}

/** A series of a data cube. */
export interface ReadWeather {
  readonly series: WeatherSeries;
  /** True for a point, and an area smaller than a cell. */
  readonly isInterpolated: boolean;
}

/**
 * Days of a cube of hours, gathered cell by cell and then averaged: the minimum of an area is the mean of the minima of
 * its cells.
 */
export async function readDaysOfHours(
  cubes: Cubes,
  cube: Cube,
  where: WeatherLocation,
  span: DaySpan,
): Promise<ReadWeather | null> {
  const firstStep = span.firstDay * 24 - OTHER_CLOCKS_HOURS;
  const lastStep = span.lastDay * 24 + 23 + OTHER_CLOCKS_HOURS;
  const wanted = WEATHER_VARIABLE_NAMES.filter((variable) => cube.variables[variable] !== undefined);
  const all = await Promise.all(
    wanted.map((variable) => readSeries(cubes, cube.name, { variable, where, firstStep, lastStep })),
  );
  const [first] = all;
  if (first === undefined || first.cells.length === 0) return null;
  const { cells, stepCount, isInterpolated } = first;
  const days = Math.max(0, span.lastDay - span.firstDay + 1);
  const totals = new Map<string, { readonly sums: Float64Array; readonly weights: Float64Array }>();
  for (const [i, { weight }] of cells.entries()) {
    const hours = Object.fromEntries(
      all.map(({ values }, k) => [
        wanted[k]!,
        new Float64Array(values.subarray(i * stepCount, (i + 1) * stepCount)),
      ]),
    );
    const gathered = gatherDays(
      { stepHours: 1, startMs: firstStep * HOUR_MS, stepCount, utcOffsetHours: 0, values: hours },
      span,
    );
    for (const [name, values] of Object.entries(gathered.values)) {
      const total = totals.get(name) ?? { sums: new Float64Array(days), weights: new Float64Array(days) };
      totals.set(name, total);
      for (let day = 0; day < days; day++) {
        const value = values[day]!;
        if (Number.isNaN(value)) continue;
        total.sums[day]! += weight * value;
        total.weights[day]! += weight;
      }
    }
  }
  // 0 / 0 is NaN, which marks a gap.
  const means = [...totals].map(([name, { sums, weights }]) => [
    name,
    sums.map((sum, day) => sum / weights[day]!),
  ]);
  const startMs = span.firstDay * DAY_MS - span.utcOffsetHours * HOUR_MS;
  return {
    series: {
      stepHours: 24,
      startMs,
      stepCount: days,
      utcOffsetHours: span.utcOffsetHours,
      values: Object.fromEntries(means),
    },
    isInterpolated,
  };
}

/** Longitude of the middle of a column. */
export const toLongitude = ({ grid }: Pick<Cube, 'grid'>, column: number): number =>
  grid.west + column * grid.lonStep;
