import { joinHours } from '../series/join-hours.ts';
import type { WeatherVariable } from '../series/weather-series.ts';
import type { HoursRequest } from './hours-request.ts';
import type { LocationHours } from './parse-answer.ts';

/** Hours of weather in our units: each value is of the hour that begins. */
export interface HourSteps {
  readonly startMs: number;
  readonly stepCount: number;
  readonly values: Readonly<Partial<Record<WeatherVariable, Float64Array>>>;
  /** Height of the ground to which temperatures are corrected; null if they are not. */
  readonly elevationM: number | null;
}

/**
 * The mean of all locations, as steps. Sums and means of an hour stand at its end in Open-Meteo: each is moved to the
 * step before, and the last step of them is a gap if `stepCount` leaves no hour after it.
 */
export function toSteps(
  answers: readonly LocationHours[],
  { locations, variables, startMs }: HoursRequest,
  stepCount: number,
): HourSteps {
  // Cells of equal degrees have areas like the cosine of their latitude.
  const weights = locations.map(([, lat]) => Math.max(1e-6, Math.cos((lat * Math.PI) / 180)));
  const values: Partial<Record<WeatherVariable, Float64Array>> = {};
  for (const [v, { variable, factor, isOfPrecedingHour }] of variables.entries()) {
    const columns = answers.map((answer) => answer.values[v]!);
    values[variable] = toMeans(columns, weights, { stepCount, factor, shift: isOfPrecedingHour ? 1 : 0 });
  }
  return { startMs, stepCount, values, elevationM: meanElevation(answers, weights) };
}

/** Means of the locations that have a value; a gap where none has. */
function toMeans(
  columns: readonly Float64Array[],
  weights: readonly number[],
  {
    stepCount,
    factor,
    shift,
  }: { readonly stepCount: number; readonly factor: number; readonly shift: number },
): Float64Array {
  const means = new Float64Array(stepCount);
  for (let i = 0; i < stepCount; i++) {
    let [sum, weight] = [0, 0];
    for (let c = 0; c < columns.length; c++) {
      // Past the end there is nothing, which is a gap too.
      const value = columns[c]![i + shift];
      if (value === undefined || Number.isNaN(value)) continue;
      sum += value * weights[c]!;
      weight += weights[c]!;
    }
    means[i] = weight === 0 ? Number.NaN : (sum / weight) * factor;
  }
  return means;
}

function meanElevation(answers: readonly LocationHours[], weights: readonly number[]): number | null {
  let [sum, weight] = [0, 0];
  for (const [i, { elevationM }] of answers.entries()) {
    if (elevationM === null) return null;
    sum += elevationM * weights[i]!;
    weight += weights[i]!;
  }
  return sum / weight;
}

/** The steps of a time, of whatever parts know them; later parts win. */
export function joinSteps(parts: readonly HourSteps[], startMs: number, stepCount: number): HourSteps {
  const elevationM = parts.find((part) => part.elevationM !== null)?.elevationM ?? null;
  return { startMs, stepCount, values: joinHours(parts, startMs, stepCount), elevationM };
}
