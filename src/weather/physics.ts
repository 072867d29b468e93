/** A day at a location, for evapotranspiration. */
interface EvaporatingDay {
  /** °C. */
  readonly min: number;
  readonly max: number;
  /** hPa. */
  readonly vapourPressure: number;
  /** m/s at 2 m. */
  readonly wind: number;
  /** MJ/m²; null where it was not measured: then it follows from the range of temperatures. */
  readonly radiation: number | null;
  readonly dayOfYear: number;
  readonly latitude: number;
  /** Metres. */
  readonly elevation: number;
}

/** MJ/m² a minute (FAO-56, equation 21). */
const SOLAR_CONSTANT = 0.082;
/** The albedo of grass. */
const ALBEDO = 0.23;
/** MJ/K⁴/m² a day. */
const STEFAN_BOLTZMANN = 4.903e-9;
/** The factor of equation 50: 0.16 inland, 0.19 at coasts. */
const TEMPERATURE_RANGE = 0.16;

/** Saturation vapour pressure in kPa, as all equations below need it (equation 11). */
const toSaturation = (celsius: number): number => 0.6108 * Math.exp((17.27 * celsius) / (celsius + 237.3));

/** Radiation above the air on a day, in MJ/m² (FAO-56, equations 21 to 25). */
export function toSkyRadiation(dayOfYear: number, latitude: number): number {
  const turn = (2 * Math.PI * dayOfYear) / 365;
  const [phi, declination] = [(latitude * Math.PI) / 180, 0.409 * Math.sin(turn - 1.39)];
  const distance = 1 + 0.033 * Math.cos(turn);
  // Beyond the polar circles the sun does not set, or does not rise.
  const cosSunset = Math.min(1, Math.max(-1, -Math.tan(phi) * Math.tan(declination)));
  const sunset = Math.acos(cosSunset);
  return (
    ((24 * 60) / Math.PI) *
    SOLAR_CONSTANT *
    distance *
    (sunset * Math.sin(phi) * Math.sin(declination) +
      Math.cos(phi) * Math.cos(declination) * Math.sin(sunset))
  );
}

/** Reference evapotranspiration of a day in mm: Penman and Monteith as in FAO-56, equation 6. */
export function toReferenceEvapotranspiration(day: EvaporatingDay): number {
  const { min, max, wind, dayOfYear, latitude, elevation } = day;
  const mean = (min + max) / 2;
  const saturated = (toSaturation(min) + toSaturation(max)) / 2;
  const vapour = day.vapourPressure / 10;
  const slope = (4098 * toSaturation(mean)) / (mean + 237.3) ** 2;
  const pressure = 101.3 * ((293 - 0.0065 * elevation) / 293) ** 5.26;
  const psychrometric = 0.000665 * pressure;
  const sky = toSkyRadiation(dayOfYear, latitude);
  const clear = (0.75 + 2e-5 * elevation) * sky;
  const radiation = Math.min(
    clear,
    day.radiation ?? TEMPERATURE_RANGE * Math.sqrt(Math.max(0, max - min)) * sky,
  );
  // In the polar night there is nothing to compare with: the sky is taken as clear.
  const clearness = clear > 0 ? Math.max(0.25, radiation / clear) : 1;
  const outgoing =
    STEFAN_BOLTZMANN *
    (((max + 273.16) ** 4 + (min + 273.16) ** 4) / 2) *
    (0.34 - 0.14 * Math.sqrt(vapour)) *
    (1.35 * clearness - 0.35);
  const net = (1 - ALBEDO) * radiation - outgoing;
  const evaporated =
    (0.408 * slope * net + psychrometric * (900 / (mean + 273)) * wind * (saturated - vapour)) /
    (slope + psychrometric * (1 + 0.34 * wind));
  return Math.max(0, evaporated);
}

/** Growing degrees of a day: how far the mean of both temperatures is above the base, at least 0. */
export const toGrowingDegrees = (min: number, max: number, base: number): number =>
  Math.max(0, (min + max) / 2 - base);

/** The values of a day that hardening depends on: °C and cm. */
interface HardeningDay {
  readonly min: number;
  readonly max: number;
  /** Null is treated as bare ground. */
  readonly snowDepth: number | null;
}

/** Winter wheat after a day: hardening from 0 to 2, and the temperature at its crown that kills it, in °C. */
interface Hardening {
  readonly index: number;
  readonly criticalTemperature: number;
}

/** Deeper snow does not insulate better in this model. */
const DEEPEST_SNOW_CM = 15;

/** The temperature of the crown, below snow, from that of the air, in °C. */
export function toCrownTemperature(air: number, snowDepth: number | null): number {
  if (air >= 0) return air;
  const snow = Math.min(DEEPEST_SNOW_CM, Math.max(0, snowDepth ?? 0));
  return 2 + air * (0.4 + 0.0018 * (snow - DEEPEST_SNOW_CM) ** 2);
}

/** Hardening after one more day: CERES-Wheat (Ritchie 1991, Agronomy Monograph 31, pages 40 to 52). */
export function harden(before: number, { min, max, snowDepth }: HardeningDay): Hardening {
  const [crownMin, crownMax] = [toCrownTemperature(min, snowDepth), toCrownTemperature(max, snowDepth)];
  const crown = (crownMin + crownMax) / 2;
  let index = before;
  if (before >= 1) {
    if (crown <= 0) index += 1 / 12;
  } else if (crown > -1 && crown < 8) index += 0.1 - (crown - 3.5) ** 2 / 506;
  if (crownMax > 10) index -= (before >= 1 ? 0.04 : 0.02) * (crownMax - 10);
  index = Math.min(2, Math.max(0, index));
  return { index, criticalTemperature: -6 * (1 + index) };
}

/** The day on which hardening starts from 0, at or before a day as 2026-05-02: 1 August, and 1 February in the south. */
export function toSeasonStart(day: string, latitude: number): string {
  const start = latitude >= 0 ? '08-01' : '02-01';
  const year = Number(day.slice(0, 4));
  return `${day.slice(5) >= start ? year : year - 1}-${start}`;
}

/** Vapour pressure of saturated air at a temperature or dew point in °C, in hPa (FAO-56, equation 11). */
export const toVapourPressure = (celsius: number): number =>
  6.108 * Math.exp((17.27 * celsius) / (celsius + 237.3));

/** Relative humidity in % of air at a temperature and dew point in °C; never above 100. */
export const toRelativeHumidity = (temperature: number, dewPoint: number): number =>
  Math.min(100, (100 * toVapourPressure(dewPoint)) / toVapourPressure(temperature));

/** The factor from wind at 10 m to wind at 2 m above short grass (FAO-56, equation 47): 0.747951. */
export const WIND_2M_OF_10M = 4.87 / Math.log(67.8 * 10 - 5.42);
