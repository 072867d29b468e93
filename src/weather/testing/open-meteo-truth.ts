/** The weather of the Open-Meteo server of the tests: a formula for each variable, so that every value is known. */

const HOUR_S = 3_600;

/** Units as `hourly_units` writes them. */
export const OPEN_METEO_UNITS: Readonly<Record<string, string>> = {
  temperature_2m: '°C',
  dew_point_2m: '°C',
  relative_humidity_2m: '%',
  precipitation: 'mm',
  snow_depth: 'm',
  wind_speed_10m: 'm/s',
  cloud_cover: '%',
  shortwave_radiation: 'W/m²',
  soil_temperature_0cm: '°C',
  soil_temperature_6cm: '°C',
  soil_temperature_0_to_7cm: '°C',
  soil_temperature_0_to_10cm: '°C',
};

/** Variables that only one of the two APIs has. */
export const ONLY_FORECAST: readonly string[] = [
  'soil_temperature_0cm',
  'soil_temperature_6cm',
  'soil_temperature_0_to_10cm',
];

const hourOf = (timeS: number): number => (timeS / HOUR_S) % 24;
/** A number from 0 to 9 that each hour has. */
const digitOf = (timeS: number): number => (timeS / HOUR_S) % 10;
const round = (value: number): number => Math.round(value * 10) / 10;

/** The value that the server answers for a time; sums and means are of the hour before it. */
export function truthOf(name: string, lat: number, timeS: number): number {
  switch (name) {
    case 'temperature_2m':
      return round(lat / 10 + hourOf(timeS) / 2);
    case 'dew_point_2m':
      return round(lat / 10 - 5);
    case 'relative_humidity_2m':
      return 50 + hourOf(timeS);
    case 'precipitation':
      return round(digitOf(timeS) / 10);
    case 'snow_depth':
      return 0.25;
    case 'wind_speed_10m':
      return round(2 + digitOf(timeS) / 10);
    case 'cloud_cover':
      return 10 * digitOf(timeS);
    case 'shortwave_radiation':
      return 10 * hourOf(timeS);
    default:
      return round(lat / 10 + 1);
  }
}
