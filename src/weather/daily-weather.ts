/** The days at a location: their names, where local midnight is, and their values from those of hours. */

import type { Ring } from '../geo/index.ts';
import { DAY_MS, HOUR_MS } from '../units.ts';
import { badInput } from './errors.ts';
import {
  harden,
  toGrowingDegrees,
  toReferenceEvapotranspiration,
  toRelativeHumidity,
  toVapourPressure,
  WIND_2M_OF_10M,
} from './physics.ts';
import type { WeatherLocation } from './weather-provider.ts';
import type { WeatherSeries, WeatherVariable } from './weather-series.ts';
import type { DerivedField, WeatherDay } from './weather-types.ts';

interface DescribeOptions {
  /** Days from here on are described; those before count only for hardening. */
  readonly fromDay: number;
  /** Hardening before the first day of the series, 0 at the start of a season; null if it is not known. */
  readonly hardeningBefore: number | null;
  /** The day of each year on which hardening starts again, as 08-01. */
  readonly seasonStart: string;
  readonly latitude: number;
  /** Metres; sea level if it is not known. */
  readonly elevation: number | null;
  readonly derived: readonly DerivedField[];
  readonly baseTemperature: number;
}

/** Describes the days of a series that have both temperatures. */
export function describeDays(series: WeatherSeries, options: DescribeOptions): readonly WeatherDay[] {
  const { fromDay, derived } = options;
  const firstDay = Math.round((series.startMs + series.utcOffsetHours * HOUR_MS) / DAY_MS);
  const at = (variable: WeatherVariable, i: number): number | null => {
    const value = series.values[variable]?.[i];
    return value === undefined || Number.isNaN(value) ? null : value;
  };
  const days: WeatherDay[] = [];
  const sums = { growingDegreeSum: 0, waterBalanceSum: 0 };
  let hardening = options.hardeningBefore;
  for (let i = 0; i < series.stepCount; i++) {
    const date = toDay(firstDay + i);
    if (date.slice(5) === options.seasonStart) hardening = 0;
    const [min, max] = [at('temperatureMin', i), at('temperatureMax', i)];
    // Hardening of a day that is not known stays as it was: a day changes it by a tenth at most.
    if (min === null || max === null) continue;
    const snowDepth = at('snowDepth', i);
    const hardened = hardening === null ? null : harden(hardening, { min, max, snowDepth });
    hardening = hardened?.index ?? null;
    if (firstDay + i < fromDay) continue;
    const wind = at('windSpeed', i);
    const day: Omit<WeatherDay, 'derived'> = {
      date,
      temperatureMin: min,
      temperatureMax: max,
      vapourPressure: at('vapourPressure', i) ?? toVapour(at('relativeHumidity', i), min, max),
      windSpeed: wind === null ? null : wind * WIND_2M_OF_10M,
      rainfall: at('precipitation', i),
      snowDepth,
      hardeningIndex: hardened?.index ?? null,
      criticalTemperature: hardened?.criticalTemperature ?? null,
      humidity: at('relativeHumidity', i),
      cloudCover: at('cloudCover', i),
    };
    const radiation = at('radiation', i);
    days.push({
      ...day,
      derived: derived.length === 0 ? {} : derive(day, { ...options, radiation, day: firstDay + i, sums }),
    });
  }
  return days;
}

/** Vapour pressure of a day of which only the humidity is known (FAO-56, equation 19). */
const toVapour = (humidity: number | null, min: number, max: number): number | null =>
  humidity === null ? null : ((humidity / 100) * (toVapourPressure(min) + toVapourPressure(max))) / 2;

interface DeriveOptions extends DescribeOptions {
  readonly radiation: number | null;
  readonly day: number;
  /** Since the first day that is described. */
  readonly sums: { growingDegreeSum: number; waterBalanceSum: number };
}

function derive(
  {
    temperatureMin: min,
    temperatureMax: max,
    vapourPressure,
    windSpeed: wind,
    rainfall,
  }: Omit<WeatherDay, 'derived'>,
  { derived, baseTemperature, latitude, elevation, radiation, day, sums }: DeriveOptions,
): Partial<Record<DerivedField, number | null>> {
  const growingDegreeDays = toGrowingDegrees(min, max, baseTemperature);
  const referenceEvapotranspiration =
    vapourPressure === null || wind === null
      ? null
      : toReferenceEvapotranspiration({
          min,
          max,
          vapourPressure,
          wind,
          radiation,
          dayOfYear: toDayOfYear(day),
          latitude,
          elevation: elevation ?? 0,
        });
  const waterBalance =
    referenceEvapotranspiration === null || rainfall === null ? null : rainfall - referenceEvapotranspiration;
  sums.growingDegreeSum += growingDegreeDays;
  // A sum with a day missing would be wrong from there on, so it is NaN and answered as null.
  sums.waterBalanceSum += waterBalance ?? Number.NaN;
  const all: Record<DerivedField, number | null> = {
    growingDegreeDays,
    growingDegreeSum: sums.growingDegreeSum,
    referenceEvapotranspiration,
    waterBalance,
    waterBalanceSum: Number.isNaN(sums.waterBalanceSum) ? null : sums.waterBalanceSum,
  };
  return Object.fromEntries(derived.map((name) => [name, all[name]]));
}

/** Local days, counted from 1970, both included. */
export interface DaySpan {
  readonly firstDay: number;
  readonly lastDay: number;
  readonly utcOffsetHours: number;
}

/** A value of the 24 hours from `start` on; NaN if they are not covered. */
type Fold = (values: Float64Array, start: number) => number;
/** The value of the day that starts at an hour; NaN if its hours are not covered. */
type DayValue = (start: number) => number;

/** Values further apart do not tell what happened between them. Models have steps of up to six hours. */
const LONGEST_GAP_HOURS = 6;

/**
 * Days of hours: extremes, sums and means of each local day. A day that is not covered from its beginning to its end is a
 * gap.
 */
export function gatherDays(
  hours: WeatherSeries,
  { firstDay, lastDay, utcOffsetHours }: DaySpan,
): WeatherSeries {
  const stepCount = Math.max(0, lastDay - firstDay + 1);
  const startMs = firstDay * DAY_MS - utcOffsetHours * HOUR_MS;
  const skipped = Math.round((startMs - hours.startMs) / HOUR_MS);
  const at = (variable: WeatherVariable, fold: Fold): DayValue | null => {
    const values = hours.values[variable];
    return values === undefined ? null : (start) => fold(values, start);
  };
  /** Each day of the first that has it. */
  const gather = (...some: readonly (DayValue | null)[]): Float64Array | null => {
    const present = some.filter((one) => one !== null);
    if (present.length === 0) return null;
    return new Float64Array(stepCount).map((_, day) => firstKnown(present, skipped + 24 * day));
  };
  const { temperature: air, dewPoint: dew, relativeHumidity: humidity } = hours.values;
  const columns = {
    // Extremes of periods are truer than those of single hours.
    temperatureMin: gather(at('temperatureMin', foldMin), at('temperature', foldMin)),
    temperatureMax: gather(at('temperatureMax', foldMax), at('temperature', foldMax)),
    vapourPressure: gather(
      at('vapourPressure', foldMean),
      dew === undefined ? null : meanOf((hour) => toVapourPressure(dew[hour] ?? Number.NaN)),
      air === undefined || humidity === undefined
        ? null
        : meanOf(
            (hour) => ((humidity[hour] ?? Number.NaN) / 100) * toVapourPressure(air[hour] ?? Number.NaN),
          ),
    ),
    relativeHumidity: gather(
      at('relativeHumidity', foldMean),
      air === undefined || dew === undefined
        ? null
        : meanOf((hour) => toRelativeHumidity(air[hour] ?? Number.NaN, dew[hour] ?? Number.NaN)),
    ),
    windSpeed: gather(at('windSpeed', foldMean)),
    precipitation: gather(at('precipitation', foldSum)),
    snowDepth: gather(at('snowDepth', foldMean)),
    soilTemperature: gather(at('soilTemperature', foldMean)),
    cloudCover: gather(at('cloudCover', foldMean)),
    radiation: gather(at('radiation', foldSum)),
  };
  const known = Object.entries(columns).filter(([, column]) => column !== null);
  return { stepHours: 24, startMs, stepCount, utcOffsetHours, values: Object.fromEntries(known) };
}

function firstKnown(some: readonly DayValue[], start: number): number {
  for (const one of some) {
    const value = one(start);
    if (!Number.isNaN(value)) return value;
  }
  return Number.NaN;
}

/** The mean of what follows from the values of each hour. */
const meanOf =
  (toValue: (hour: number) => number): DayValue =>
  (start) =>
    foldMean(
      new Float64Array(24).map((_, i) => toValue(start + i)),
      0,
    );

/** Whether the 24 hours from `start` on have values, up to short gaps. */
function isCovered(values: Float64Array, start: number): boolean {
  let since = 0;
  for (let hour = start; hour < start + 24; hour++) {
    since = Number.isNaN(values[hour] ?? Number.NaN) ? since + 1 : 0;
    if (since >= LONGEST_GAP_HOURS) return false;
  }
  return true;
}

/** A fold of the hours that have values. A callback for each hour would take most of the time of years. */
const foldMin: Fold = (values, start) => {
  if (!isCovered(values, start)) return Number.NaN;
  let min = Number.POSITIVE_INFINITY;
  for (let hour = start; hour < start + 24; hour++) {
    const value = values[hour] ?? Number.NaN;
    if (value < min) min = value;
  }
  return min;
};

const foldMax: Fold = (values, start) => {
  if (!isCovered(values, start)) return Number.NaN;
  let max = Number.NEGATIVE_INFINITY;
  for (let hour = start; hour < start + 24; hour++) {
    const value = values[hour] ?? Number.NaN;
    if (value > max) max = value;
  }
  return max;
};

const foldSum: Fold = (values, start) => {
  if (!isCovered(values, start)) return Number.NaN;
  let sum = 0;
  for (let hour = start; hour < start + 24; hour++) {
    const value = values[hour] ?? Number.NaN;
    if (!Number.isNaN(value)) sum += value;
  }
  return sum;
};

const foldMean: Fold = (values, start) => {
  if (!isCovered(values, start)) return Number.NaN;
  let [sum, count] = [0, 0];
  for (let hour = start; hour < start + 24; hour++) {
    const value = values[hour] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    sum += value;
    count += 1;
  }
  return sum / count;
};

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** A day as 2026-05-02 in days since 1970. */
export function parseDay(text: string): number {
  const ms = DAY.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // A date such as 2026-02-30 is read as a day of March by some engines.
  if (Number.isNaN(ms) || toDay(ms / DAY_MS) !== text)
    throw badInput('bad-days', `"${text.slice(0, 40)}" is not a day such as 2026-05-02.`);
  return ms / DAY_MS;
}

/** Days as strings, cached: ten years of a field are 4,000 of them, the same ones in every request. */
const written = new Map<number, string>();
/** The max number of cached days: about 270 years. */
const MAX_WRITTEN = 100_000;

/** A number of days since 1970 as 2026-05-02. */
export function toDay(day: number): string {
  const known = written.get(day);
  if (known !== undefined) return known;
  const text = new Date(day * DAY_MS).toISOString().slice(0, 10);
  if (written.size < MAX_WRITTEN) written.set(day, text);
  return text;
}

/** The day of the year from 1 to 366. */
const toDayOfYear = (day: number): number => {
  const year = new Date(day * DAY_MS).getUTCFullYear();
  return day - Date.UTC(year, 0, 1) / DAY_MS + 1;
};

/** Hours that local midnight is ahead of UTC at a longitude: the zone of its meridian, without summer time. */
export const toUtcOffset = (longitude: number): number => {
  const turned = ((((longitude + 180) % 360) + 360) % 360) - 180;
  return Math.round(turned / 15) + 0;
};

/** The middle of a location, in degrees. */
interface Centre {
  readonly lon: number;
  readonly lat: number;
}

/** The centroid of an area, or a point itself. Longitudes are those of the area, which may go beyond 180°. */
export function toCentre(where: WeatherLocation): Centre {
  if (where.type === 'Point') return { lon: where.coordinates[0], lat: where.coordinates[1] };
  const polygons = where.type === 'Polygon' ? [where.coordinates] : where.coordinates;
  const [originLon, originLat] = polygons[0]?.[0]?.[0] ?? [0, 0];
  let [size, x, y] = [0, 0, 0];
  for (const rings of polygons) {
    for (const [i, ring] of rings.entries()) {
      const sums = measure(ring, originLon, originLat);
      // Holes are taken away, whichever way they turn.
      const sign = (i === 0 ? 1 : -1) * Math.sign(sums.size);
      size += sign * sums.size;
      x += sign * sums.x;
      y += sign * sums.y;
    }
  }
  return size > 0
    ? { lon: originLon + x / size, lat: originLat + y / size }
    : { lon: originLon, lat: originLat };
}

/** Size of a ring and its moments, relative to an origin. */
function measure(ring: Ring, originLon: number, originLat: number) {
  let [size, x, y] = [0, 0, 0];
  for (let i = 1; i < ring.length; i++) {
    const [ax, ay] = [ring[i - 1]![0] - originLon, ring[i - 1]![1] - originLat];
    const [bx, by] = [ring[i]![0] - originLon, ring[i]![1] - originLat];
    const cross = ax * by - bx * ay;
    size += cross / 2;
    x += (cross * (ax + bx)) / 6;
    y += (cross * (ay + by)) / 6;
  }
  return { size, x, y };
}
