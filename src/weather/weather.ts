import { HOUR_MS } from '../units.ts';
import { toCentre, toUtcOffset } from './daily-weather.ts';
import { toForecastDays } from './forecast-days.ts';
import type { AskProviders } from './read-days.ts';
import { makeAskProviders, makeReadComingDays, makeReadDays, makeReadNormals } from './read-days.ts';
import type { Heights, HistoryRequest, ProvidedWeather, WeatherProvider } from './weather-provider.ts';
import type { WeatherVariable } from './weather-series.ts';
import { WEATHER_VARIABLE_NAMES } from './weather-series.ts';
import type { Forecast, HourlyWeather, HoursRequest, Weather } from './weather-types.ts';

interface WeatherDeps {
  /** In the order in which they are asked. */
  readonly providers: readonly WeatherProvider[];
  /** For evapotranspiration; null without elevation models. */
  readonly heights: Heights | null;
  readonly wallClockMs: () => number;
  /** A provider could not answer, and the next one is asked. */
  readonly onFailure: (provider: string, error: unknown) => void;
}

/** Builds the service. */
export function makeWeather({ providers, heights, wallClockMs, onFailure }: WeatherDeps): Weather {
  const ask = makeAskProviders({ providers, onFailure });
  const readDays = makeReadDays(ask, heights);
  return {
    readDays,
    readHours: makeReadHours(ask),
    readNormals: makeReadNormals(ask),
    readComingDays: makeReadComingDays(ask, readDays, wallClockMs),
    readForecast({ where, hours, signal }) {
      const nowMs = wallClockMs();
      return ask(async (provider): Promise<Forecast | null> => {
        const provided = await provider.readForecast({ where, hours, nowMs, signal });
        if (provided === null) return null;
        const days = toForecastDays(provided.series, hours, nowMs);
        return days.length === 0 ? null : { days, lineage: provided.lineage };
      });
    },
  };
}

/** Builds the reading of hours of local days. */
const makeReadHours =
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
