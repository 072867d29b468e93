import type { ProvidedWeather } from '../series/weather-provider.ts';
import type { HourSteps } from './to-steps.ts';

/** Steps with their origin; null if nothing is known of any. */
export function toProvided(
  { startMs, stepCount, values, elevationM }: HourSteps,
  models: readonly (string | null)[],
  runMs: number | null,
): ProvidedWeather | null {
  if (Object.keys(values).length === 0) return null;
  const names = new Set(models.map((model) => model ?? 'best_match'));
  return {
    series: { stepHours: 1, startMs, stepCount, utcOffsetHours: 0, values },
    lineage: {
      source: `open-meteo:${[...names].join('+')}`,
      runMs,
      // Each location is a cell.
      method: 'mean of cells',
      correctedToM: elevationM,
    },
  };
}
