import { conflict } from '../../errors.ts';
import type { WeatherVariable } from '../series/weather-series.ts';
import type { StationSeries } from './station.ts';

/** Joins two series of a station: a number of the second replaces one of the first, a gap does not. */
export function mergeSeries(before: StationSeries, added: StationSeries): StationSeries {
  const [one, other] = [before.station, added.station];
  if (one.stepHours !== other.stepHours)
    throw conflict(
      'station-step',
      `The station ${one.id} is stored by ${one.stepHours === 1 ? 'hour' : 'day'}. Ingest the table under another --name.`,
    );
  const firstStep = Math.min(one.firstStep, other.firstStep);
  const end = Math.max(one.firstStep + one.stepCount, other.firstStep + other.stepCount);
  const stepCount = end - firstStep;
  const variables = [...new Set([...one.variables, ...other.variables])];
  const values: Partial<Record<WeatherVariable, Float32Array>> = {};
  for (const variable of variables) {
    const merged = new Float32Array(stepCount).fill(Number.NaN);
    merged.set(before.values[variable] ?? [], one.firstStep - firstStep);
    for (const [i, value] of (added.values[variable] ?? new Float32Array()).entries())
      if (!Number.isNaN(value)) merged[other.firstStep - firstStep + i] = value;
    values[variable] = merged;
  }
  return {
    station: { ...other, elevationM: other.elevationM ?? one.elevationM, firstStep, stepCount, variables },
    values,
  };
}
