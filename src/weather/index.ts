export { makeGridProvider } from './grid/grid-provider.ts';
export { listRuns } from './ingest/forecast-runs.ts';
export { ingestWeatherFiles } from './ingest/ingest-files.ts';
export { DEFAULT_RUNS } from './ingest/ingest-weather.ts';
export type { Accumulation } from './ingest/sum-periods.ts';
export type { CallLimits } from './open-meteo/call-budget.ts';
export { makeOpenMeteo, type OpenMeteoDeps } from './open-meteo/make-open-meteo.ts';
export { makeOpenMeteoFetch, type OpenMeteoServers } from './open-meteo/open-meteo-fetch.ts';
export type { Heights } from './series/heights.ts';
export { joinHours } from './series/join-hours.ts';
export type {
  ForecastRequest,
  HistoryRequest,
  ProvidedWeather,
  WeatherExtent,
  WeatherLocation,
  WeatherProvider,
} from './series/weather-provider.ts';
export {
  WEATHER_VARIABLES,
  type WeatherLineage,
  type WeatherSeries,
  type WeatherVariable,
} from './series/weather-series.ts';
export { makeStationProvider } from './stations/station-provider.ts';
export type { StationSet, StationStore } from './stations/station-store.ts';
export { makeWeather } from './weather.ts';
export { openRemovableWeather, openStations, openWeatherCubes } from './weather-data.ts';
export {
  type DailyWeather,
  type DaysRequest,
  type DerivedField,
  FORECAST_HOURS,
  type Forecast,
  type ForecastDay,
  type ForecastDetails,
  type HourlyWeather,
  type HoursRequest,
  type NormalDay,
  type Weather,
  type WeatherDay,
  type WeatherNormals,
} from './weather-types.ts';
