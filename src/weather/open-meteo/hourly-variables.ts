import type { WeatherVariable } from '../series/weather-series.ts';

/** The two kinds of addresses of an Open-Meteo server. */
export type OpenMeteoApi = 'forecast' | 'archive';

/** A variable of hours as Open-Meteo has it, and what it becomes here. */
export interface HourlyVariable {
  /** Its name in `hourly=`. */
  readonly name: string;
  /** What `hourly_units` must say. */
  readonly units: string;
  readonly variable: WeatherVariable;
  /** From its unit to ours. */
  readonly factor: number;
  /** Of the hour before its time, where ours are of the hour that begins. */
  readonly isOfPrecedingHour: boolean;
  /** Values outside are no weather on Earth: the answer is wrong. In its units. */
  readonly min: number;
  readonly max: number;
  /** Models overshoot a little, such as 101 % or -0.1 mm: such values become the nearest possible one. */
  readonly lowest: number;
  readonly highest: number;
}

/** Joules of an hour of one watt, in MJ. */
const MJ_OF_WATT_HOUR = 0.003_6;

const temperature = (name: string, variable: WeatherVariable): HourlyVariable => ({
  name,
  units: '°C',
  variable,
  factor: 1,
  isOfPrecedingHour: false,
  // The records are -89 and 57 °C; bare soil gets hotter, and very dry air has lower dew points.
  min: -150,
  max: 100,
  lowest: Number.NEGATIVE_INFINITY,
  highest: Number.POSITIVE_INFINITY,
});

const percent = (name: string, variable: WeatherVariable): HourlyVariable => ({
  name,
  units: '%',
  variable,
  factor: 1,
  isOfPrecedingHour: false,
  min: -10,
  max: 110,
  lowest: 0,
  highest: 100,
});

/** Names and meanings are those of https://open-meteo.com/en/docs, "Hourly Parameter Definition". */
const COMMON: readonly HourlyVariable[] = [
  temperature('temperature_2m', 'temperature'),
  temperature('dew_point_2m', 'dewPoint'),
  percent('relative_humidity_2m', 'relativeHumidity'),
  {
    name: 'precipitation',
    units: 'mm',
    variable: 'precipitation',
    factor: 1,
    isOfPrecedingHour: true,
    min: -0.5,
    // The record of one hour is 305 mm.
    max: 500,
    lowest: 0,
    highest: Number.POSITIVE_INFINITY,
  },
  {
    name: 'snow_depth',
    units: 'm',
    variable: 'snowDepth',
    factor: 100,
    isOfPrecedingHour: false,
    min: -0.1,
    // Models let snow pile up on glaciers.
    max: 10_000,
    lowest: 0,
    highest: Number.POSITIVE_INFINITY,
  },
  {
    name: 'wind_speed_10m',
    units: 'm/s',
    variable: 'windSpeed',
    factor: 1,
    isOfPrecedingHour: false,
    min: 0,
    max: 150,
    lowest: 0,
    highest: Number.POSITIVE_INFINITY,
  },
  percent('cloud_cover', 'cloudCover'),
  {
    name: 'shortwave_radiation',
    units: 'W/m²',
    variable: 'radiation',
    factor: MJ_OF_WATT_HOUR,
    isOfPrecedingHour: true,
    min: -10,
    // The sun sends 1,361 W/m² to the top of the air, and clouds may focus some.
    max: 2_000,
    lowest: 0,
    highest: Number.POSITIVE_INFINITY,
  },
];

/** Depths of soil differ by model: https://open-meteo.com/en/docs/ecmwf-api and .../gfs-api. */
const SOIL_OF_MODELS: readonly (readonly [prefix: string, name: string])[] = [
  ['ecmwf_', 'soil_temperature_0_to_7cm'],
  ['gfs_', 'soil_temperature_0_to_10cm'],
  ['ncep_', 'soil_temperature_0_to_10cm'],
];

/** The name of the temperature of the upper 10 cm: a layer in the archive, a depth in most forecasts. */
function soilTemperatureOf(api: OpenMeteoApi, model: string | null): string {
  // https://open-meteo.com/en/docs/historical-weather-api: the first layer of ERA5 is 7 cm.
  if (api === 'archive') return 'soil_temperature_0_to_7cm';
  const known = SOIL_OF_MODELS.find(([prefix]) => model?.startsWith(prefix));
  return known?.[1] ?? 'soil_temperature_6cm';
}

/** What each of our variables is made of, where that is not the variable of the same name. */
const SOURCES: Readonly<Partial<Record<WeatherVariable, WeatherVariable>>> = {
  temperatureMin: 'temperature',
  temperatureMax: 'temperature',
  vapourPressure: 'dewPoint',
};

/** The variables to ask for: those from which the wanted ones are made. */
export function planHourlyVariables(
  api: OpenMeteoApi,
  model: string | null,
  wanted: readonly WeatherVariable[],
): readonly HourlyVariable[] {
  const sources = new Set(wanted.map((variable) => SOURCES[variable] ?? variable));
  const all = [...COMMON, temperature(soilTemperatureOf(api, model), 'soilTemperature')];
  return all.filter(({ variable }) => sources.has(variable));
}
