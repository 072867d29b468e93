export { makeGridProvider } from './grid-provider.ts';
export { ingestWeatherFiles } from './ingest/ingest-files.ts';
export { DEFAULT_RUNS, listRuns } from './ingest/ingest-weather.ts';
export { type CallLimits, makeOpenMeteoFetch, type OpenMeteoServers } from './open-meteo/ask-server.ts';
export { makeOpenMeteo } from './open-meteo/make-open-meteo.ts';
export { makeStationProvider } from './stations/station-provider.ts';
export type { StationSet, StationStore } from './stations/station-store.ts';
export { openStations } from './stations/station-store.ts';
export { makeWeather } from './weather.ts';
export { openRemovableWeather, openWeatherCubes } from './weather-cubes.ts';
export type {
  ForecastRequest,
  Heights,
  HistoryRequest,
  ProvidedWeather,
  WeatherLocation,
  WeatherProvider,
} from './weather-provider.ts';
export { joinHours, WEATHER_VARIABLES, type WeatherLineage, type WeatherVariable } from './weather-series.ts';
export {
  type DailyWeather,
  type DerivedField,
  FORECAST_HOURS,
  type Forecast,
  type ForecastDay,
  type ForecastDetails,
  type HourlyWeather,
  type NormalDay,
  type Weather,
  type WeatherDay,
  type WeatherNormals,
} from './weather-types.ts';
