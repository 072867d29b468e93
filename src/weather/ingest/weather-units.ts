import { sourceBroken, unsupported } from '../errors.ts';
import type { WeatherVariable } from '../weather-series.ts';

/** What is measured; units of one dimension can be converted into each other. */
export type WeatherDimension =
  | 'temperature'
  | 'water'
  | 'speed'
  | 'pressure'
  | 'share'
  | 'depth'
  | 'energy'
  | 'density'
  | 'height';

/** How a number becomes one of the cube: `value * scale + offset`, and for a rate times the seconds of its period. */
export interface UnitConversion {
  readonly scale: number;
  readonly offset: number;
  /** True when the number says how much a second. */
  readonly isRate: boolean;
}

type Units = Readonly<Record<string, number | readonly [scale: number, offset: number]>>;

const DAY_S = 86_400;

/** Units as they are spelled without blanks, dots, stars, carets and underscores, in lower case. */
const AMOUNTS: Readonly<Record<WeatherDimension, Units>> = {
  // °C.
  temperature: {
    k: [1, -273.15],
    kelvin: [1, -273.15],
    degk: [1, -273.15],
    c: 1,
    '°c': 1,
    degc: 1,
    celsius: 1,
    degreec: 1,
    degreesc: 1,
    degreecelsius: 1,
    degreescelsius: 1,
    f: [5 / 9, -160 / 9],
    '°f': [5 / 9, -160 / 9],
    degf: [5 / 9, -160 / 9],
    fahrenheit: [5 / 9, -160 / 9],
    degreesfahrenheit: [5 / 9, -160 / 9],
  },
  // mm; a kilogram of water on a square metre is 1 mm high.
  water: {
    m: 1000,
    mofwaterequivalent: 1000,
    mofwater: 1000,
    mwe: 1000,
    cm: 10,
    mm: 1,
    millimeter: 1,
    'kgm-2': 1,
    'kg/m2': 1,
    in: 25.4,
    inch: 25.4,
    inches: 25.4,
    mmwe: 1,
    'l/m2': 1,
    'lm-2': 1,
  },
  // m/s.
  speed: {
    'ms-1': 1,
    'm/s': 1,
    'km/h': 1 / 3.6,
    'kmh-1': 1 / 3.6,
    kmh: 1 / 3.6,
    kph: 1 / 3.6,
    kn: 1852 / 3600,
    kt: 1852 / 3600,
    kts: 1852 / 3600,
    knot: 1852 / 3600,
    knots: 1852 / 3600,
    mph: 0.44704,
    'mi/h': 0.44704,
    'ft/s': 0.3048,
    'fts-1': 0.3048,
  },
  // hPa.
  pressure: { pa: 0.01, hpa: 1, mbar: 1, mb: 1, kpa: 10 },
  // %.
  share: { '1': 100, '0-1': 100, fraction: 100, '%': 1, percent: 1, okta: 12.5, oktas: 12.5 },
  // cm of snow as it lies.
  depth: {
    m: 100,
    cm: 1,
    mm: 0.1,
    in: 2.54,
    inch: 2.54,
    inches: 2.54,
    ft: 30.48,
    feet: 30.48,
  },
  // MJ on a square metre.
  energy: {
    'jm-2': 1e-6,
    'j/m2': 1e-6,
    'kjm-2': 1e-3,
    'kj/m2': 1e-3,
    'mjm-2': 1,
    'mj/m2': 1,
    'wsm-2': 1e-6,
    'wm-2s': 1e-6,
    'whm-2': 3600e-6,
    'wh/m2': 3600e-6,
    'kwhm-2': 3.6,
    'kwh/m2': 3.6,
  },
  // kg/m³.
  density: { 'kgm-3': 1, 'kg/m3': 1 },
  // m above the sea; geopotential is divided by standard gravity.
  height: {
    m: 1,
    metre: 1,
    metres: 1,
    meter: 1,
    meters: 1,
    gpm: 1,
    ft: 0.3048,
    feet: 0.3048,
    'm2s-2': 1 / 9.80665,
    'm2/s2': 1 / 9.80665,
  },
};

/** Amounts a second, of dimensions that are summed. */
const RATES: Readonly<Partial<Record<WeatherDimension, Units>>> = {
  water: {
    'kgm-2s-1': 1,
    'kg/m2/s': 1,
    'kg/(m2s)': 1,
    'mms-1': 1,
    'mm/s': 1,
    'ms-1': 1000,
    'm/s': 1000,
    'mm/h': 1 / 3600,
    'mm/hr': 1 / 3600,
    'mmh-1': 1 / 3600,
    'mmhr-1': 1 / 3600,
    'mm/hour': 1 / 3600,
    'mm/d': 1 / DAY_S,
    'mm/day': 1 / DAY_S,
    'mmd-1': 1 / DAY_S,
    'mmday-1': 1 / DAY_S,
    'kgm-2d-1': 1 / DAY_S,
    'kgm-2day-1': 1 / DAY_S,
    'md-1': 1000 / DAY_S,
    'mday-1': 1000 / DAY_S,
  },
  energy: {
    'wm-2': 1e-6,
    'w/m2': 1e-6,
    'watt/m2': 1e-6,
    'jm-2s-1': 1e-6,
    'jm-2d-1': 1e-6 / DAY_S,
    'jm-2day-1': 1e-6 / DAY_S,
    'mjm-2d-1': 1 / DAY_S,
    'mjm-2day-1': 1 / DAY_S,
    'mj/m2/day': 1 / DAY_S,
    'kjm-2d-1': 1e-3 / DAY_S,
  },
};

/** Finds the conversion of units; null for those that are not known. */
export function findUnits(units: string, dimension: WeatherDimension): UnitConversion | null {
  const spelled = spell(units);
  const amount = Object.hasOwn(AMOUNTS[dimension], spelled) ? AMOUNTS[dimension][spelled] : undefined;
  const rates = RATES[dimension];
  const rate = rates !== undefined && Object.hasOwn(rates, spelled) ? rates[spelled] : undefined;
  const found = amount ?? rate;
  if (found === undefined) return null;
  const [scale, offset] = typeof found === 'number' ? [found, 0] : found;
  return { scale, offset, isRate: amount === undefined };
}

/** Finds the conversion of the units of a variable; unknown ones are refused by name. */
export function parseWeatherUnits(
  units: string,
  dimension: WeatherDimension,
  variable: string,
): UnitConversion {
  const found = findUnits(units, dimension);
  if (found !== null) return found;
  throw unsupported(
    'weather-units',
    units.trim() === ''
      ? `The variable "${variable.slice(0, 80)}" does not say its units.`
      : `"${units.slice(0, 40)}" of the variable "${variable.slice(0, 80)}" is not a known unit of ${DIMENSION_NOUNS[dimension]}.`,
  );
}

const DIMENSION_NOUNS: Readonly<Record<WeatherDimension, string>> = {
  temperature: 'temperature',
  water: 'precipitation or the water of snow',
  speed: 'speed',
  pressure: 'pressure',
  share: 'a share',
  depth: 'the depth of snow',
  energy: 'radiation',
  density: 'density',
  height: 'height',
};

/** One spelling of the many: "kg m**-2 s**-1", "kg.m^-2.s^-1" and "kg m⁻² s⁻¹" are the same. */
const spell = (units: string): string =>
  units
    .toLowerCase()
    .replaceAll('⁻', '-')
    .replaceAll(/[¹²³]/g, (digit) => ({ '¹': '1', '²': '2', '³': '3' })[digit]!)
    .replaceAll('·', '')
    .replace(/^\((.*)\)$/, '$1')
    .replaceAll(/[\s.*^_]/g, '');

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
      `Most values of "${name.slice(0, 80)}" lie outside of ${min} to ${max}, after their units: this is not ${VALUE_NOUNS[variable]}.`,
    );
}

/** Whether a value can be, rounding included. */
export function isPlausible(value: number, variable: WeatherVariable): boolean {
  const { min, max, noise } = RANGES[variable];
  return value >= min - noise && value <= max + noise;
}

const VALUE_NOUNS: Readonly<Record<WeatherVariable | 'elevation', string>> = {
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
