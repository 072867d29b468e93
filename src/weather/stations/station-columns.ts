import type { WeatherDimension } from '../ingest/weather-units.ts';
import { findUnits } from '../ingest/weather-units.ts';
import type { WeatherVariable } from '../weather-series.ts';

/** Columns that say where and when. */
export type KeyColumn = 'date' | 'time' | 'station' | 'latitude' | 'longitude' | 'elevation';

/** A column of weather: `value * scale + offset` is in the units of cubes. */
export interface WeatherColumn {
  readonly variable: WeatherVariable;
  readonly scale: number;
  readonly offset: number;
}

const KEYS: Readonly<Record<KeyColumn, readonly string[]>> = {
  date: ['date', 'day', 'datum'],
  time: ['time', 'datetime', 'date_time', 'timestamp', 'valid_time', 'time_utc', 'hour'],
  station: ['station', 'station_id', 'stationid', 'id', 'station_name', 'name', 'code'],
  latitude: ['latitude', 'lat'],
  longitude: ['longitude', 'lon', 'lng', 'long'],
  elevation: ['elevation', 'elev', 'altitude', 'alt', 'height'],
};

interface ColumnRule {
  readonly names: readonly string[];
  readonly dimension: WeatherDimension;
  /** Units of a head without any. */
  readonly units: string;
}

/** Heads of tables as services, loggers and spreadsheets write them. */
const COLUMNS: Readonly<Partial<Record<WeatherVariable, ColumnRule>>> = {
  temperatureMin: {
    names: ['tmin', 't_min', 'temp_min', 'min_temp', 'temperature_min', 'temperature_2m_min', 'tn', 'tmn'],
    dimension: 'temperature',
    units: 'degC',
  },
  temperatureMax: {
    names: ['tmax', 't_max', 'temp_max', 'max_temp', 'temperature_max', 'temperature_2m_max', 'tx', 'tmx'],
    dimension: 'temperature',
    units: 'degC',
  },
  temperature: {
    names: ['temperature', 'temp', 'temperature_2m', 'air_temperature', 't2m'],
    dimension: 'temperature',
    units: 'degC',
  },
  dewPoint: {
    names: ['dew_point', 'dewpoint', 'dew_point_2m', 'td'],
    dimension: 'temperature',
    units: 'degC',
  },
  vapourPressure: { names: ['vapour_pressure', 'vapor_pressure', 'vp'], dimension: 'pressure', units: 'hPa' },
  relativeHumidity: {
    names: ['humidity', 'rh', 'relative_humidity', 'relative_humidity_2m', 'relative_humidity_2m_mean'],
    dimension: 'share',
    units: '%',
  },
  windSpeed: {
    names: ['wind', 'wind_speed', 'windspeed', 'wind_speed_10m', 'wind_speed_10m_mean', 'wind_10m', 'awnd'],
    dimension: 'speed',
    units: 'm/s',
  },
  precipitation: {
    names: ['rain', 'precipitation', 'precip', 'prcp', 'rainfall', 'rain_sum', 'precipitation_sum'],
    dimension: 'water',
    units: 'mm',
  },
  snowDepth: { names: ['snow_depth', 'snowdepth', 'snwd'], dimension: 'depth', units: 'cm' },
  soilTemperature: {
    names: ['soil_temperature', 'soil_temp', 'tsoil'],
    dimension: 'temperature',
    units: 'degC',
  },
  cloudCover: { names: ['cloud_cover', 'clouds', 'cloudiness'], dimension: 'share', units: '%' },
  radiation: {
    names: ['radiation', 'solar_radiation', 'srad', 'shortwave_radiation', 'shortwave_radiation_sum'],
    dimension: 'energy',
    units: 'MJ m-2',
  },
};

/** Units as heads abbreviate them, where a sign cannot be written. */
const ABBREVIATIONS: ReadonlyMap<string, string> = new Map([
  ['pct', '%'],
  ['percent', '%'],
  ['ms', 'm/s'],
  ['mps', 'm/s'],
  ['mj', 'MJ m-2'],
  ['mjm2', 'MJ m-2'],
  ['wm2', 'W m-2'],
]);

/** What a head says: a key, a column of weather, or null for one that is not needed. */
export function parseHead(
  head: string,
  stepSeconds: number,
): { readonly key: KeyColumn } | { readonly weather: WeatherColumn } | { readonly badUnits: string } | null {
  const match = /^\s*([^([]*?)\s*(?:[([]\s*(.*?)\s*[)\]])?\s*$/.exec(head.toLowerCase());
  const name = (match?.[1] ?? '').replaceAll(/[\s.-]+/g, '_');
  const stated = match?.[2] ?? null;
  for (const [key, names] of Object.entries(KEYS) as [KeyColumn, readonly string[]][])
    if (names.includes(name) || names.includes(name.replace(/_m$/, ''))) return { key };
  for (const [variable, rule] of Object.entries(COLUMNS) as [WeatherVariable, ColumnRule][]) {
    const units = stated ?? findSuffix(name, rule);
    if (units === null) continue;
    if (stated !== null && !rule.names.includes(name)) continue;
    const found = findUnits(ABBREVIATIONS.get(units) ?? units, rule.dimension);
    if (found === null) return { badUnits: units };
    const factor = found.isRate ? stepSeconds : 1;
    return { weather: { variable, scale: found.scale * factor, offset: found.offset } };
  }
  return null;
}

/** The units at the end of a head such as `rain_in`, those of the rule for a head without; null if it is another column. */
function findSuffix(name: string, { names, units, dimension }: ColumnRule): string | null {
  if (names.includes(name)) return units;
  const cut = name.lastIndexOf('_');
  if (cut < 0 || !names.includes(name.slice(0, cut))) return null;
  const suffix = name.slice(cut + 1);
  return findUnits(ABBREVIATIONS.get(suffix) ?? suffix, dimension) === null ? null : suffix;
}
