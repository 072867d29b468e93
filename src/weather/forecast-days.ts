import { DAY_MS, HOUR_MS } from '../units.ts';
import { toDay } from './daily-weather.ts';
import { toRelativeHumidity } from './physics.ts';
import type { WeatherSeries, WeatherVariable } from './weather-series.ts';
import type { ForecastDay, ForecastDetails } from './weather-types.ts';
import { FORECAST_HOURS } from './weather-types.ts';

/** Days of a forecast are those of a clock two hours ahead of UTC: there the steps of models fall on 2, 5, …, 23 h. */
const CLOCK_HOURS = 2;
/** Within this time of the run's start days have details; what a model says of later hours is too coarse for them. */
const DETAILED_HOURS = 72;

/** Fewer hours of a last day do not tell how warm or cold it gets. */
const LEAST_HOURS = 12;

/**
 * Days of a forecast that begins with its run. Days that the model covers whole within the first 72 hours have details,
 * the others have temperatures only. Days that end before `nowMs` are left out.
 */
export function toForecastDays(series: WeatherSeries, hours: number, nowMs: number): readonly ForecastDay[] {
  const { startMs, stepCount } = series;
  const read = (variable: WeatherVariable, ms: number): number => {
    const step = Math.round((ms - startMs) / HOUR_MS);
    return series.values[variable]?.[step] ?? Number.NaN;
  };
  const endMs = startMs + Math.min(stepCount, hours) * HOUR_MS;
  const toClockDay = (ms: number): number => Math.floor((ms + CLOCK_HOURS * HOUR_MS) / DAY_MS);
  const rain = sumRain(series);
  const days: ForecastDay[] = [];
  for (let day = Math.max(toClockDay(startMs), toClockDay(nowMs)); day <= toClockDay(endMs - 1); day++) {
    const midnightMs = day * DAY_MS - CLOCK_HOURS * HOUR_MS;
    const inside: number[] = [];
    for (let ms = Math.max(startMs, midnightMs); ms < Math.min(endMs, midnightMs + DAY_MS); ms += HOUR_MS)
      inside.push(ms);
    if (inside.length < LEAST_HOURS && days.length > 0) continue;
    const valuesOf = (variable: WeatherVariable): readonly number[] =>
      inside.map((ms) => read(variable, ms)).filter((value) => !Number.isNaN(value));
    const air = ['temperature', 'temperatureMin', 'temperatureMax'].flatMap((name) =>
      valuesOf(name as WeatherVariable),
    );
    if (air.length === 0) continue;
    const land = valuesOf('soilTemperature');
    const marks = FORECAST_HOURS.map((hour) => midnightMs + hour * HOUR_MS);
    const isWhole = marks.every(
      (ms) =>
        ms >= startMs && ms <= startMs + DETAILED_HOURS * HOUR_MS && !Number.isNaN(read('temperature', ms)),
    );
    days.push({
      date: toDay(day),
      airMin: Math.min(...air),
      airMax: Math.max(...air),
      landMin: land.length === 0 ? null : Math.min(...land),
      landMax: land.length === 0 ? null : Math.max(...land),
      details: isWhole ? toDetails({ marks, startMs, inside, read, rain }) : null,
    });
  }
  return days;
}

/** Models have steps of up to six hours; a longer silence is a gap, and all sums after it are unknown. */
const LONGEST_STEP_HOURS = 6;

/** Rain from the start of the run to the beginning of each step; NaN where no sum ends, or one before it is missing. */
function sumRain({ values, stepCount }: WeatherSeries): Float64Array {
  const sums = new Float64Array(stepCount + 1).fill(Number.NaN);
  const fallen = values.precipitation;
  if (fallen === undefined) return sums;
  sums[0] = 0;
  let [sum, since] = [0, 0];
  for (let step = 0; step < stepCount; step++) {
    const value = fallen[step]!;
    since = Number.isNaN(value) ? since + 1 : 0;
    if (since >= LONGEST_STEP_HOURS) break;
    if (since > 0) continue;
    sum += value;
    sums[step + 1] = sum;
  }
  return sums;
}

interface DetailsOf {
  readonly marks: readonly number[];
  readonly startMs: number;
  readonly inside: readonly number[];
  readonly read: (variable: WeatherVariable, ms: number) => number;
  readonly rain: Float64Array;
}

function toDetails({ marks, startMs, inside, read, rain }: DetailsOf): ForecastDetails {
  const humidity = inside.map((ms) => {
    const stated = read('relativeHumidity', ms);
    return Number.isNaN(stated) ? toRelativeHumidity(read('temperature', ms), read('dewPoint', ms)) : stated;
  });
  return {
    humidity: toMean(humidity),
    snowDepth: toMean(inside.map((ms) => read('snowDepth', ms))),
    rain: marks.map((ms) => toKnown(rain[Math.round((ms - startMs) / HOUR_MS)])),
    wind: marks.map((ms) => toKnown(read('windSpeed', ms))),
  };
}

const toKnown = (value: number | undefined): number | null =>
  value === undefined || Number.isNaN(value) ? null : value;

function toMean(values: readonly number[]): number | null {
  const known = values.filter((value) => !Number.isNaN(value));
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}
