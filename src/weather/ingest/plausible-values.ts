import { sourceBroken } from '../../errors.ts';
import type { WeatherVariable } from '../series/weather-series.ts';

interface ValueRange {
  readonly min: number;
  readonly max: number;
  /** Values outside by no more than this are rounding of packed numbers, and become the limit. */
  readonly noise: number;
}

/** What can be, in the units of cubes. The limits are beyond all records: they find wrong units, not odd weather. */
const RANGES: Readonly<Record<WeatherVariable | 'elevation', ValueRange>> = {
  temperature: { min: -100, max: 70, noise: 0 },
  temperatureMin: { min: -100, max: 70, noise: 0 },
  temperatureMax: { min: -100, max: 70, noise: 0 },
  dewPoint: { min: -110, max: 50, noise: 0 },
  vapourPressure: { min: 0, max: 100, noise: 0.1 },
  // Models know air that is supersaturated.
  relativeHumidity: { min: 0, max: 100, noise: 20 },
  windSpeed: { min: 0, max: 150, noise: 0.1 },
  precipitation: { min: 0, max: 3000, noise: 0.1 },
  // Glaciers of ERA5 have 10 m of water in their snow.
  snowDepth: { min: 0, max: 20_000, noise: 0.1 },
  soilTemperature: { min: -100, max: 90, noise: 0 },
  cloudCover: { min: 0, max: 100, noise: 1 },
  radiation: { min: 0, max: 60, noise: 0.02 },
  elevation: { min: -600, max: 9000, noise: 0 },
};

/** Makes gaps of values that cannot be; a field in which most are is refused, because its units or its sums are others. */
export function checkValues(
  field: Float32Array,
  variable: WeatherVariable | 'elevation',
  /** Name in the file. */
  name: string,
): void {
  const { min, max, noise } = RANGES[variable];
  let [inside, outside] = [0, 0];
  for (let i = 0; i < field.length; i++) {
    const value = field[i]!;
    if (Number.isNaN(value)) continue;
    if (value >= min && value <= max) inside += 1;
    else if (value >= min - noise && value <= max + noise) {
      field[i] = value < min ? min : max;
      inside += 1;
    } else {
      field[i] = Number.NaN;
      outside += 1;
    }
  }
  if (outside > inside)
    throw sourceBroken(
      'weather-values',
      `Most values of "${name.slice(0, 80)}" lie outside of ${min} to ${max}, after their units: this is not ${NOUNS[variable]}.`,
    );
}

/** Whether a value can be, rounding included. */
export function isPlausible(value: number, variable: WeatherVariable): boolean {
  const { min, max, noise } = RANGES[variable];
  return value >= min - noise && value <= max + noise;
}

const NOUNS: Readonly<Record<WeatherVariable | 'elevation', string>> = {
  temperature: 'a temperature in °C',
  temperatureMin: 'a temperature in °C',
  temperatureMax: 'a temperature in °C',
  dewPoint: 'a dew point in °C',
  vapourPressure: 'a vapour pressure in hPa',
  relativeHumidity: 'a humidity in %',
  windSpeed: 'a wind speed in m/s',
  precipitation: 'precipitation in mm, or its sums begin at another time (--accumulated)',
  snowDepth: 'a depth of snow in cm',
  soilTemperature: 'a temperature in °C',
  cloudCover: 'a cloud cover in %',
  radiation: 'radiation in MJ/m², or its sums begin at another time (--accumulated)',
  elevation: 'a height in m',
};
