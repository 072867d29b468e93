import { DAY_MS, HOUR_MS } from '../../units.ts';
import { toRelativeHumidity, toVapourPressure } from '../physics/vapour-pressure.ts';
import type { WeatherSeries, WeatherVariable } from '../series/weather-series.ts';

/** Local days, counted from 1970, both included. */
export interface DaySpan {
  readonly firstDay: number;
  readonly lastDay: number;
  readonly utcOffsetHours: number;
}

type ReadHour = (hour: number) => number;
/** A value of the 24 hours from `start` on; NaN if they are not covered. */
type Fold = (read: ReadHour, start: number) => number;

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
  const at = (variable: WeatherVariable): ReadHour | null => {
    const values = hours.values[variable];
    return values === undefined ? null : (hour) => values[skipped + hour] ?? Number.NaN;
  };
  const gather = (read: ReadHour | null, fold: Fold): Float64Array | null =>
    read === null ? null : Float64Array.from({ length: stepCount }, (_, day) => fold(read, 24 * day));
  const [air, dew, humidity] = [at('temperature'), at('dewPoint'), at('relativeHumidity')];
  const columns = {
    // Extremes of periods are truer than those of single hours.
    temperatureMin: firstKnown(gather(at('temperatureMin'), foldMin), gather(air, foldMin)),
    temperatureMax: firstKnown(gather(at('temperatureMax'), foldMax), gather(air, foldMax)),
    vapourPressure: firstKnown(
      gather(at('vapourPressure'), foldMean),
      gather(dew === null ? null : (hour) => toVapourPressure(dew(hour)), foldMean),
      gather(
        air === null || humidity === null
          ? null
          : (hour) => (humidity(hour) / 100) * toVapourPressure(air(hour)),
        foldMean,
      ),
    ),
    relativeHumidity: firstKnown(
      gather(humidity, foldMean),
      gather(
        air === null || dew === null ? null : (hour) => toRelativeHumidity(air(hour), dew(hour)),
        foldMean,
      ),
    ),
    windSpeed: gather(at('windSpeed'), foldMean),
    precipitation: gather(at('precipitation'), foldSum),
    snowDepth: gather(at('snowDepth'), foldMean),
    soilTemperature: gather(at('soilTemperature'), foldMean),
    cloudCover: gather(at('cloudCover'), foldMean),
    radiation: gather(at('radiation'), foldSum),
  };
  const known = Object.entries(columns).filter(([, column]) => column !== null);
  return { stepHours: 24, startMs, stepCount, utcOffsetHours, values: Object.fromEntries(known) };
}

/** Each day of the first column that has it. */
function firstKnown(...columns: readonly (Float64Array | null)[]): Float64Array | null {
  const present = columns.filter((column) => column !== null);
  const [first, ...rest] = present;
  if (first === undefined || rest.length === 0) return first ?? null;
  return first.map((value, day) => {
    const other = rest.find((column) => !Number.isNaN(column[day]));
    return Number.isNaN(value) ? (other?.[day] ?? value) : value;
  });
}

/** Goes through the values of a day; the number of them, 0 if too much of the day has none. */
function visit(read: ReadHour, start: number, take: (value: number) => void): number {
  let [count, since] = [0, 0];
  for (let hour = start; hour < start + 24; hour++) {
    const value = read(hour);
    if (Number.isNaN(value)) {
      since += 1;
      if (since >= LONGEST_GAP_HOURS) return 0;
    } else {
      since = 0;
      count += 1;
      take(value);
    }
  }
  return count;
}

const foldMin: Fold = (read, start) => {
  let min = Number.POSITIVE_INFINITY;
  return visit(read, start, (value) => {
    min = Math.min(min, value);
  }) === 0
    ? Number.NaN
    : min;
};

const foldMax: Fold = (read, start) => -foldMin((hour) => -read(hour), start);

const foldSum: Fold = (read, start) => {
  let sum = 0;
  return visit(read, start, (value) => {
    sum += value;
  }) === 0
    ? Number.NaN
    : sum;
};

const foldMean: Fold = (read, start) => {
  let sum = 0;
  const count = visit(read, start, (value) => {
    sum += value;
  });
  return count === 0 ? Number.NaN : sum / count;
};
