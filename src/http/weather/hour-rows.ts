import type { HourlyWeather, WeatherVariable } from '../../weather/index.ts';
import { roundKnown } from './rounded.ts';
import type { Row } from './row.ts';

/** The values of an hour, by the names of the wire. Wind is named by its height: that of days is at 2 m. */
const VARIABLES = {
  temperature: 'temperature',
  temperature_min: 'temperatureMin',
  temperature_max: 'temperatureMax',
  dew_point: 'dewPoint',
  vapour_pressure: 'vapourPressure',
  humidity: 'relativeHumidity',
  wind_speed_10m: 'windSpeed',
  rainfall: 'precipitation',
  snow_depth: 'snowDepth',
  soil_temperature: 'soilTemperature',
  cloudiness: 'cloudCover',
  radiation: 'radiation',
} as const satisfies Record<string, WeatherVariable>;

type HourName = keyof typeof VARIABLES;

/** The values that an hour may have, in the order of columns. */
export const HOUR_FIELDS = Object.keys(VARIABLES) as readonly HourName[];

/** Hours as they are answered, with the values that the source has at all. */
export function toHourRows({ hours }: HourlyWeather): {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
} {
  const known = HOUR_FIELDS.filter((name) => hours.some((hour) => (hour[VARIABLES[name]] ?? null) !== null));
  const rows = hours.map((hour) => {
    const row: Record<string, string | number | null> = { time: hour.time };
    for (const name of known) row[name] = roundKnown(hour[VARIABLES[name]] ?? null);
    return row;
  });
  return { columns: ['time', ...known], rows };
}
