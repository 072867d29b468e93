import type { Cube, Cubes } from '../../cubes/index.ts';
import { readSeries } from '../../cubes/index.ts';
import { DAY_MS, HOUR_MS } from '../../units.ts';
import type { DaySpan } from '../daily/gather-days.ts';
import { gatherDays } from '../daily/gather-days.ts';
import type { WeatherLocation } from '../series/weather-provider.ts';
import { WEATHER_VARIABLE_NAMES } from '../series/weather-series.ts';
import type { ReadWeather } from './read-weather.ts';

/** Hours before and after the days of any clock. */
const OTHER_CLOCKS_HOURS = 14;

/** Longitude of the middle of a column. */
export const toLongitude = ({ grid }: Pick<Cube, 'grid'>, column: number): number =>
  grid.west + column * grid.lonStep;

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
        Float64Array.from(values.subarray(i * stepCount, (i + 1) * stepCount)),
      ]),
    );
    const gathered = gatherDays(
      { stepHours: 1, startMs: firstStep * HOUR_MS, stepCount, utcOffsetHours: 0, values: hours },
      span,
    );
    for (const [name, values] of Object.entries(gathered.values)) {
      const total = totals.get(name) ?? { sums: new Float64Array(days), weights: new Float64Array(days) };
      totals.set(name, total);
      for (const [day, value] of values.entries()) {
        if (Number.isNaN(value)) continue;
        total.sums[day]! += weight * value;
        total.weights[day]! += weight;
      }
    }
  }
  // 0 / 0 is NaN, which is the gap that is wanted.
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
