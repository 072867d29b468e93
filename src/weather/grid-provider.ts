import { throwIfCancelled } from '../async/index.ts';
import type { Cube, Cubes } from '../cubes/index.ts';
import { readSeries, toStep } from '../cubes/index.ts';
import { HOUR_MS } from '../units.ts';
import type { DaySpan } from './daily-weather.ts';
import { parseDay, toCentre, toDay, toUtcOffset } from './daily-weather.ts';
import type { GridCubes, ReadWeather } from './weather-cubes.ts';
import { areDaysCurrent, readDaysOfHours, toLongitude } from './weather-cubes.ts';
import type {
  Heights,
  ProvidedWeather,
  WeatherExtent,
  WeatherLocation,
  WeatherProvider,
} from './weather-provider.ts';
import type { WeatherSeries, WeatherVariable } from './weather-series.ts';
import { correctHeight, ELEVATION_VARIABLE, joinHours, WEATHER_VARIABLE_NAMES } from './weather-series.ts';

interface GridProviderDeps extends GridCubes {
  /** Without it temperatures are not corrected for height. */
  readonly heights: Heights | null;
}

const TEMPERATURES: readonly WeatherVariable[] = ['temperature', 'temperatureMin', 'temperatureMax'];
/** A cube without temperatures of a location for this long is taken to have none of it. */
const LOOK_BACK_DAYS = 30;

/** Weather from the ingested data cubes: the finest cube that has temperatures of the requested days answers. */
export function makeGridProvider({ cubes, dayCubes, heights }: GridProviderDeps): WeatherProvider {
  async function correct(
    cube: Cube,
    where: WeatherLocation,
    { series, isInterpolated }: ReadWeather,
  ): Promise<ProvidedWeather> {
    const lineage = {
      source: `grid:${cube.name}`,
      runMs: cube.runMs ?? null,
      method: isInterpolated ? ('interpolated' as const) : ('mean of cells' as const),
      correctedToM: null,
    };
    // An area gets the mean of its cells, whose ground is on average about as high as the area's.
    if (!isInterpolated || heights === null) return { series, lineage };
    const { lon, lat } = toCentre(where);
    const [ground, model] = await Promise.all([
      heights.at(lon, lat),
      findModelHeight(cubes, cube, where, heights),
    ]);
    if (ground === null || model === null) return { series, lineage };
    return { series: correctHeight(series, model, ground), lineage: { ...lineage, correctedToM: ground } };
  }

  async function readDays(
    cube: Cube,
    where: WeatherLocation,
    span: DaySpan,
    variables: readonly WeatherVariable[],
  ): Promise<ReadWeather | null> {
    const steps = { firstStep: span.firstDay, lastStep: span.lastDay, variables };
    // Days come as the file has them, as a rule days of UTC.
    if (cube.stepHours === 24) return readWeather(cubes, cube, where, { ...steps, utcOffsetHours: 0 });
    const days = await dayCubes.find(cube.name);
    // Stored days follow the meridians of their cells.
    const isOfMeridian = span.utcOffsetHours === toUtcOffset(toCentre(where).lon);
    return days !== null && isOfMeridian && (await areDaysCurrent({ cubes, dayCubes }, cube.name))
      ? readWeather(dayCubes, days, where, { ...steps, utcOffsetHours: span.utcOffsetHours })
      : readDaysOfHours(cubes, cube, where, span);
  }

  /** Fills the hours before a run from earlier runs, each up to the start of the next. */
  async function beginAt(
    fromMs: number,
    { series, lineage }: ProvidedWeather,
    where: WeatherLocation,
  ): Promise<ProvidedWeather> {
    const firstStep = Math.floor(fromMs / HOUR_MS);
    const parts: WeatherSeries[] = [series];
    let beforeStep = toStep(series.startMs, 1);
    for (const cube of await listRuns(cubes)) {
      if (beforeStep <= firstStep) break;
      if (cube.stepHours !== 1 || toStep(cube.runMs, 1) >= beforeStep) continue;
      const begin = Math.max(firstStep, toStep(cube.runMs, 1));
      const steps = { firstStep: begin, lastStep: Math.min(beforeStep - 1, cube.lastStep) };
      if (steps.lastStep < begin) continue;
      const more = { utcOffsetHours: 0, variables: WEATHER_VARIABLE_NAMES };
      const read = await readWeather(cubes, cube, where, { ...steps, ...more });
      if (read === null || !hasTemperatures(read.series)) continue;
      parts.unshift((await correct(cube, where, read)).series);
      beforeStep = begin;
    }
    const startMs = parts[0]!.startMs;
    const stepCount = series.stepCount + Math.round((series.startMs - startMs) / HOUR_MS);
    const values = joinHours(parts, startMs, stepCount);
    return { series: { ...series, startMs, stepCount, values }, lineage };
  }

  return {
    name: 'grid',
    async readHistory({ where, from, to, utcOffsetHours, variables, isHourly, signal }) {
      throwIfCancelled(signal);
      const [firstDay, lastDay] = [parseDay(from), parseDay(to)];
      const firstStep = firstDay * 24 - utcOffsetHours;
      const hours = { firstStep, lastStep: firstStep + (lastDay - firstDay + 1) * 24 - 1, utcOffsetHours: 0 };
      for (const cube of await listHistories(cubes)) {
        if (isHourly && cube.stepHours !== 1) continue;
        const read = isHourly
          ? await readWeather(cubes, cube, where, { ...hours, variables })
          : await readDays(cube, where, { firstDay, lastDay, utcOffsetHours }, variables);
        if (read !== null && hasTemperatures(read.series)) return correct(cube, where, read);
      }
      return null;
    },
    async readForecast({ where, hours, fromMs, nowMs, signal }) {
      throwIfCancelled(signal);
      let furthest: { readonly cube: Cube; readonly read: ReadWeather } | null = null;
      for (const cube of await listRuns(cubes)) {
        if (cube.stepHours !== 1 || (cube.lastStep + 1) * HOUR_MS <= nowMs) continue;
        const firstStep = toStep(cube.runMs, 1);
        const isWhole = cube.lastStep >= firstStep + hours - 1;
        if (!isWhole && furthest !== null && furthest.cube.lastStep >= cube.lastStep) continue;
        const lastStep = Math.min(cube.lastStep, firstStep + hours - 1);
        const steps = { firstStep, lastStep, utcOffsetHours: 0, variables: WEATHER_VARIABLE_NAMES };
        const read = await readWeather(cubes, cube, where, steps);
        if (read === null || !hasTemperatures(read.series)) continue;
        // A run that is still being ingested waits behind the last whole one.
        furthest = { cube, read };
        if (isWhole) break;
      }
      if (furthest === null) return null;
      const forecast = await correct(furthest.cube, where, furthest.read);
      return fromMs === undefined ? forecast : beginAt(fromMs, forecast, where);
    },
    async readExtent(where) {
      for (const cube of await listHistories(cubes)) {
        const extent = toExtent(cube);
        const lastDay = parseDay(extent.to);
        const span = { firstDay: lastDay - LOOK_BACK_DAYS, lastDay, utcOffsetHours: 0 };
        const read = await readDays(cube, where, span, TEMPERATURES);
        if (read !== null && hasTemperatures(read.series)) return extent;
      }
      return null;
    },
  };
}

const hasTemperatures = ({ values }: WeatherSeries): boolean =>
  TEMPERATURES.some((variable) => values[variable]?.some((value) => !Number.isNaN(value)));

const toExtent = ({ firstStep, lastStep, stepHours }: Cube): WeatherExtent => ({
  from: toDay(Math.floor((firstStep * stepHours) / 24)),
  to: toDay(Math.floor((lastStep * stepHours) / 24)),
});

/** Cubes of the past, those with the finest cells first. */
async function listHistories(cubes: Cubes): Promise<readonly Cube[]> {
  return (await cubes.list()).filter(({ kind }) => kind !== 'forecast').toSorted(byCell);
}

/** Runs of forecasts, newest first; runs of the same time by the size of their cells, finest first. */
async function listRuns(cubes: Cubes): Promise<readonly (Cube & { readonly runMs: number })[]> {
  const runs = (await cubes.list()).flatMap((cube) =>
    typeof cube.runMs !== 'number' ? [] : [{ ...cube, runMs: cube.runMs }],
  );
  return runs.toSorted((one, other) => other.runMs - one.runMs || byCell(one, other));
}

const byCell = ({ grid: one, name }: Cube, { grid: other, name: otherName }: Cube): number =>
  one.lonStep * one.latStep - other.lonStep * other.latStep || (name < otherName ? -1 : 1);

/** Steps of a cube, counted from 1970, both included. */
interface StepSpan {
  readonly firstStep: number;
  readonly lastStep: number;
  /** Hours that the midnights of a cube of days are ahead of UTC. */
  readonly utcOffsetHours: number;
  readonly variables: readonly WeatherVariable[];
}

/** Reads variables of a cube, means over the location; null outside of its grid. */
async function readWeather(
  cubes: Cubes,
  { name, stepHours, variables: stored }: Cube,
  where: WeatherLocation,
  { firstStep, lastStep, utcOffsetHours, variables }: StepSpan,
): Promise<ReadWeather | null> {
  const wanted = variables.filter((variable) => stored[variable] !== undefined);
  const all = await Promise.all(
    wanted.map((variable) => readSeries(cubes, name, { variable, where, firstStep, lastStep })),
  );
  const [first] = all;
  if (first === undefined || first.cells.length === 0) return null;
  const values = Object.fromEntries(all.map(({ means }, i) => [wanted[i]!, means]));
  const startMs = (firstStep * stepHours - utcOffsetHours) * HOUR_MS;
  return {
    series: { stepHours, startMs, stepCount: first.stepCount, utcOffsetHours, values },
    isInterpolated: first.isInterpolated,
  };
}

/**
 * Height of the ground at a location as the model sees it: from the cube itself, or else from the elevation model, as
 * the mean over its cells. Null if neither is known.
 */
async function findModelHeight(
  cubes: Cubes,
  cube: Cube,
  where: WeatherLocation,
  heights: Heights,
): Promise<number | null> {
  const { name, grid, variables } = cube;
  const steps = { firstStep: 0, lastStep: 0 };
  if (variables[ELEVATION_VARIABLE] !== undefined) {
    const { means } = await readSeries(cubes, name, { variable: ELEVATION_VARIABLE, where, ...steps });
    const [height] = means;
    if (height !== undefined && !Number.isNaN(height)) return height;
  }
  const [variable] = Object.keys(variables);
  if (variable === undefined) return null;
  const { cells } = await readSeries(cubes, name, { variable, where, firstStep: 0, lastStep: -1 });
  let sum = 0;
  for (const { column, row, weight } of cells) {
    const [lon, lat] = [toLongitude(cube, column), grid.north - row * grid.latStep];
    const mean = await heights.meanOf({
      minX: lon - grid.lonStep / 2,
      minY: lat - grid.latStep / 2,
      maxX: lon + grid.lonStep / 2,
      maxY: lat + grid.latStep / 2,
    });
    if (mean === null) return null;
    sum += weight * mean;
  }
  return cells.length === 0 ? null : sum;
}
