import { throwIfCancelled } from '../../async/index.ts';
import type { Cube } from '../../cubes/index.ts';
import { toStep } from '../../cubes/index.ts';
import { HOUR_MS } from '../../units.ts';
import type { DaySpan } from '../daily/gather-days.ts';
import { toCentre } from '../series/centre.ts';
import { correctHeight } from '../series/correct-height.ts';
import { parseDay, toDay, toUtcOffset } from '../series/days.ts';
import type { Heights } from '../series/heights.ts';
import { joinHours } from '../series/join-hours.ts';
import type {
  ProvidedWeather,
  WeatherExtent,
  WeatherLocation,
  WeatherProvider,
} from '../series/weather-provider.ts';
import type { WeatherSeries, WeatherVariable } from '../series/weather-series.ts';
import { WEATHER_VARIABLE_NAMES } from '../series/weather-series.ts';
import { areDaysCurrent } from './derive-days.ts';
import type { GridCubes } from './grid-cubes.ts';
import { listHistories, listRuns } from './grid-cubes.ts';
import { findModelHeight } from './model-height.ts';
import { readDaysOfHours } from './read-days-of-hours.ts';
import type { ReadWeather } from './read-weather.ts';
import { readWeather } from './read-weather.ts';

interface GridProviderDeps extends GridCubes {
  /** Without it temperatures are not corrected for height. */
  readonly heights: Heights | null;
}

/** Weather of the data cubes that were ingested: the finest one that has temperatures of those days answers. */
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
    // The mean of an area is that of its cells, whose ground is about as high on the average.
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
    // Days of a file are those of the file, which are days of UTC as a rule.
    if (cube.stepHours === 24) return readWeather(cubes, cube, where, { ...steps, utcOffsetHours: 0 });
    const days = await dayCubes.find(cube.name);
    // Stored days are those of the meridians of their cells.
    const isOfMeridian = span.utcOffsetHours === toUtcOffset(toCentre(where).lon);
    return days !== null && isOfMeridian && (await areDaysCurrent({ cubes, dayCubes }, cube.name))
      ? readWeather(dayCubes, days, where, { ...steps, utcOffsetHours: span.utcOffsetHours })
      : readDaysOfHours(cubes, cube, where, span);
  }

  /** Hours before a run are those of the runs before it, each up to the start of the next. */
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

const TEMPERATURES: readonly WeatherVariable[] = ['temperature', 'temperatureMin', 'temperatureMax'];
/** A cube that has had no temperatures of a location for so long has none of it. */
const LOOK_BACK_DAYS = 30;

const hasTemperatures = ({ values }: WeatherSeries): boolean =>
  TEMPERATURES.some((variable) => values[variable]?.some((value) => !Number.isNaN(value)));

const toExtent = ({ firstStep, lastStep, stepHours }: Cube): WeatherExtent => ({
  from: toDay(Math.floor((firstStep * stepHours) / 24)),
  to: toDay(Math.floor((lastStep * stepHours) / 24)),
});
