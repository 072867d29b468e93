import { HOUR_MS } from '../../units.ts';
import { toCentre } from '../series/centre.ts';
import { toUtcOffset } from '../series/days.ts';
import type { HistoryRequest, ProvidedWeather } from '../series/weather-provider.ts';
import type { WeatherVariable } from '../series/weather-series.ts';
import { WEATHER_VARIABLE_NAMES } from '../series/weather-series.ts';
import type { HourlyWeather, HoursRequest } from '../weather-types.ts';
import type { AskProviders } from './ask-providers.ts';

/** Builds the reading of hours of local days. */
export const makeReadHours =
  (ask: AskProviders) =>
  async ({ where, from, to, signal }: HoursRequest): Promise<HourlyWeather | null> => {
    const request: HistoryRequest = {
      where,
      from,
      to,
      utcOffsetHours: toUtcOffset(toCentre(where).lon),
      variables: WEATHER_VARIABLE_NAMES,
      isHourly: true,
      signal,
    };
    const provided = await ask(async (provider) => {
      const found = await provider.readHistory(request);
      return found?.series.stepHours === 1 ? found : null;
    });
    return provided === null ? null : toHourly(provided);
  };

/** Hours that have any value, with null for those they lack. */
function toHourly({ series, lineage }: ProvidedWeather): HourlyWeather {
  const known = Object.entries(series.values) as [WeatherVariable, Float64Array][];
  const hours: HourlyWeather['hours'][number][] = [];
  for (let i = 0; i < series.stepCount; i++) {
    const hour: Partial<Record<WeatherVariable, number | null>> = {};
    let hasValue = false;
    for (const [variable, values] of known) {
      const value = values[i]!;
      hour[variable] = Number.isNaN(value) ? null : value;
      hasValue ||= !Number.isNaN(value);
    }
    const time = new Date(series.startMs + i * HOUR_MS).toISOString().slice(0, 16);
    if (hasValue) hours.push({ time: `${time}Z`, ...hour });
  }
  return { hours, lineage };
}
