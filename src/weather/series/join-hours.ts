import { HOUR_MS } from '../../units.ts';
import type { WeatherVariable } from './weather-series.ts';

/** Values of hours, from one on. */
export interface HourValues {
  readonly startMs: number;
  readonly values: Readonly<Partial<Record<WeatherVariable, Float64Array>>>;
}

/** The values of a span of hours, of whatever parts know them; later parts win. What no hour knows is absent. */
export function joinHours(
  parts: readonly HourValues[],
  startMs: number,
  stepCount: number,
): HourValues['values'] {
  const joined: Partial<Record<WeatherVariable, Float64Array>> = {};
  for (const { startMs: partMs, values } of parts) {
    const offset = Math.round((partMs - startMs) / HOUR_MS);
    for (const [name, found] of Object.entries(values) as [WeatherVariable, Float64Array][]) {
      const [from, to] = [Math.max(0, offset), Math.min(stepCount, offset + found.length)];
      for (let i = from; i < to; i++) {
        const value = found[i - offset]!;
        if (Number.isNaN(value)) continue;
        joined[name] ??= new Float64Array(stepCount).fill(Number.NaN);
        joined[name][i] = value;
      }
    }
  }
  return joined;
}
