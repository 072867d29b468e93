import { DAY_MS, HOUR_MS } from '../../units.ts';
import { gatherDays } from '../daily/gather-days.ts';
import { parseDay } from '../series/days.ts';
import type { HistoryRequest } from '../series/weather-provider.ts';
import type { WeatherSeries } from '../series/weather-series.ts';

/** A series of days, gathered if it has hours. */
export function toDaySeries(
  series: WeatherSeries,
  { from, to, utcOffsetHours }: Pick<HistoryRequest, 'from' | 'to' | 'utcOffsetHours'>,
): WeatherSeries {
  if (series.stepHours === 24) return series;
  return gatherDays(series, { firstDay: parseDay(from), lastDay: parseDay(to), utcOffsetHours });
}

const toFirstDay = ({ startMs, utcOffsetHours }: WeatherSeries): number =>
  Math.round((startMs + utcOffsetHours * HOUR_MS) / DAY_MS);

/** Whether a day lacks one of its temperatures. */
export function hasGapAt(series: WeatherSeries, day: number): boolean {
  const i = day - toFirstDay(series);
  const { temperatureMin, temperatureMax } = series.values;
  return Number.isNaN(temperatureMin?.[i] ?? Number.NaN) || Number.isNaN(temperatureMax?.[i] ?? Number.NaN);
}

/** Whether any day from one on has both temperatures. */
export function hasDays(series: WeatherSeries, fromDay: number): boolean {
  const first = toFirstDay(series);
  for (let day = Math.max(first, fromDay); day < first + series.stepCount; day++)
    if (!hasGapAt(series, day)) return true;
  return false;
}
