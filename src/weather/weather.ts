import { makeAskProviders } from './answers/ask-providers.ts';
import { makeReadComingDays } from './answers/read-coming-days.ts';
import { makeReadDays } from './answers/read-days.ts';
import { makeReadHours } from './answers/read-hours.ts';
import { makeReadNormals } from './answers/read-normals.ts';
import { toForecastDays } from './forecast/forecast-days.ts';
import type { Heights } from './series/heights.ts';
import type { WeatherProvider } from './series/weather-provider.ts';
import type { Forecast, Weather } from './weather-types.ts';

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
