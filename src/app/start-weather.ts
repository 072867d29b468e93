import type { Heights, Weather, WeatherProvider } from '../weather/index.ts';
import {
  makeGridProvider,
  makeOpenMeteo,
  makeOpenMeteoFetch,
  makeStationProvider,
  makeWeather,
} from '../weather/index.ts';
import { makeDemoWeather } from './demo-weather.ts';
import type { WeatherThreadConfig } from './weather-calls.ts';
import { openStations, openWeatherCubes } from './weather-cubes.ts';
import type { WeatherProviderName } from './weather-settings.ts';
import { toOpenMeteoServers } from './weather-settings.ts';

interface WeatherDeps {
  readonly config: WeatherThreadConfig;
  readonly heights: Heights;
  /** A provider could not answer, and the next one is asked. */
  readonly onFailure: (provider: string, error: unknown) => void;
}

/** Builds all that answers about the weather, from the providers of the settings in their order. */
export function startWeather({ config, heights, onFailure }: WeatherDeps): Weather {
  const make: Record<WeatherProviderName, () => readonly WeatherProvider[]> = {
    // The demo's fields get their own weather before others are asked.
    grid: () => [
      makeGridProvider({ ...openWeatherCubes(config), heights }),
      makeStationProvider({ stations: openStations(config), heights }),
      makeDemoWeather({ config, nowMs: Date.now }),
    ],
    'open-meteo': () => [openOpenMeteo(config)],
  };
  return makeWeather({
    providers: config.weatherProviders.flatMap((name) => make[name]()),
    heights,
    wallClockMs: Date.now,
    onFailure,
  });
}

function openOpenMeteo(config: WeatherThreadConfig): WeatherProvider {
  const servers = toOpenMeteoServers(config);
  return makeOpenMeteo({
    ...servers,
    fetch: makeOpenMeteoFetch({ ...servers, privateNetworks: config.openMeteoNetworks }),
    key: config.openMeteoKey,
    models: config.openMeteoModels,
    limits: config.openMeteoCalls,
  });
}
