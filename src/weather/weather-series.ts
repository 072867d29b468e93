import { HOUR_MS } from '../units.ts';

/** The variables of weather by name, with their units; the comments say what a step of each means. */
export const WEATHER_VARIABLES = {
  /** °C at 2 m, at the beginning of the step. */
  temperature: { units: 'degC', longName: 'Air temperature at 2 m' },
  /** °C, of the step. */
  temperatureMin: { units: 'degC', longName: 'Minimum air temperature at 2 m' },
  temperatureMax: { units: 'degC', longName: 'Maximum air temperature at 2 m' },
  /** °C at 2 m, at the beginning of the step. */
  dewPoint: { units: 'degC', longName: 'Dew point at 2 m' },
  /** Mean of the step. */
  vapourPressure: { units: 'hPa', longName: 'Vapour pressure at 2 m' },
  relativeHumidity: { units: '%', longName: 'Relative humidity at 2 m' },
  /** Mean of the step, or at its beginning. */
  windSpeed: { units: 'm s-1', longName: 'Wind speed at 10 m' },
  /** Sum of the step. */
  precipitation: { units: 'mm', longName: 'Precipitation' },
  snowDepth: { units: 'cm', longName: 'Depth of snow' },
  /** °C, of the upper 10 cm. */
  soilTemperature: { units: 'degC', longName: 'Temperature of the upper soil' },
  cloudCover: { units: '%', longName: 'Cloud cover' },
  /** Sum of the step. */
  radiation: { units: 'MJ m-2', longName: 'Solar radiation at the surface' },
} as const;

/** Name of a variable of weather series. */
export type WeatherVariable = keyof typeof WEATHER_VARIABLES;

/** Names of all variables. */
export const WEATHER_VARIABLE_NAMES = Object.keys(WEATHER_VARIABLES) as readonly WeatherVariable[];

/** Weather at a location over time, in the units of `WEATHER_VARIABLES`. */
export interface WeatherSeries {
  readonly stepHours: 1 | 24;
  /** When the first step begins. Days begin at midnight of `utcOffsetHours`, hours at whole hours of UTC. */
  readonly startMs: number;
  readonly stepCount: number;
  /** Hours that the midnights of days are ahead of UTC; 0 for a series of hours. */
  readonly utcOffsetHours: number;
  /**
   * One number a step, NaN where there is a gap: a model of three-hour steps has two gaps after each value, and its sums
   * of three hours are in the last of them. What is not known at all is absent.
   */
  readonly values: Readonly<Partial<Record<WeatherVariable, Float64Array>>>;
}

/** Where numbers come from. */
export interface WeatherLineage {
  /** Name of the provider and of its data set, such as `grid:era5`. */
  readonly source: string;
  /** When the model run began, or when the newest analysis was made; null if it is not known. */
  readonly runMs: number | null;
  /** How values were taken from the grid. */
  readonly method: 'mean of cells' | 'interpolated' | 'nearest station';
  /** Height to which temperatures were corrected, in metres; null if they were not. */
  readonly correctedToM: number | null;
}

/** Hourly values from a start time on. */
interface HourValues {
  readonly startMs: number;
  readonly values: Readonly<Partial<Record<WeatherVariable, Float64Array>>>;
}

/** Joins the values of a span of hours from several parts; later parts win. Variables without any value are absent. */
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

/** How much air cools per metre of height in the standard atmosphere (ICAO). */
export const LAPSE_C_PER_M = 0.0065;

const TEMPERATURES: readonly WeatherVariable[] = [
  'temperature',
  'temperatureMin',
  'temperatureMax',
  'soilTemperature',
];

/** Corrects a series to another height: temperatures change with it, and the dew point never exceeds the temperature. */
export function correctHeight(series: WeatherSeries, fromM: number, toM: number): WeatherSeries {
  const change = (fromM - toM) * LAPSE_C_PER_M;
  if (change === 0) return series;
  const values: Partial<Record<WeatherVariable, Float64Array>> = { ...series.values };
  for (const variable of TEMPERATURES) {
    const column = values[variable];
    if (column !== undefined) values[variable] = column.map((value) => value + change);
  }
  const { temperature, dewPoint } = values;
  if (temperature !== undefined && dewPoint !== undefined)
    values.dewPoint = dewPoint.map((value, i) => (temperature[i]! < value ? temperature[i]! : value));
  return { ...series, values };
}

/**
 * Name of the variable of a cube that holds the height of the model's ground in metres. It does not change with time:
 * `readSeries` reads it with `firstStep` and `lastStep` 0.
 */
export const ELEVATION_VARIABLE = 'elevation';

/** The attributes of that variable in a cube. */
export const ELEVATION = {
  units: 'm',
  longName: 'Height of the ground in the model',
  isStatic: true,
} as const;
