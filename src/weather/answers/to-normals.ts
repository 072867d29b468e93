import { DAY_MS } from '../../units.ts';
import type { NormalDay, WeatherDay } from '../weather-types.ts';

/** A normal is the mean of so many days before and after the day too: thirty days of a month would be too coarse. */
const HALF_WINDOW_DAYS = 3;
/** Days of a leap year. */
const DAYS = 366;

/** Day of a leap year from 0, of a date as 2026-05-02: the same date has the same number in every year. */
function toSlot(date: string): number {
  const ms = Date.parse(`2000-${date.slice(5)}T00:00:00Z`) - Date.UTC(2000, 0, 1);
  return Math.round(ms / DAY_MS);
}

/** Means by day of the year, over the years of some days. Days of the year that no year has are left out. */
export function toNormals(days: readonly WeatherDay[]): readonly NormalDay[] {
  const bySlot = Map.groupBy(days, ({ date }) => toSlot(date));
  const normals: NormalDay[] = [];
  for (let slot = 0; slot < DAYS; slot++) {
    const near: WeatherDay[] = [];
    for (let i = -HALF_WINDOW_DAYS; i <= HALF_WINDOW_DAYS; i++)
      near.push(...(bySlot.get((slot + i + DAYS) % DAYS) ?? []));
    if (near.length === 0) continue;
    const day = new Date(Date.UTC(2000, 0, 1 + slot)).toISOString().slice(5, 10);
    const rain = near.flatMap(({ rainfall }) => (rainfall === null ? [] : [rainfall]));
    normals.push({
      day,
      years: new Set(near.map(({ date }) => date.slice(0, 4))).size,
      temperatureMin: toMean(near.map(({ temperatureMin }) => temperatureMin)),
      temperatureMax: toMean(near.map(({ temperatureMax }) => temperatureMax)),
      rainfall: rain.length === 0 ? null : toMean(rain),
    });
  }
  return normals;
}

const toMean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
