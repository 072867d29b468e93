/** A day at a location, for evapotranspiration. */
export interface EvaporatingDay {
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
/** Of grass. */
const ALBEDO = 0.23;
/** MJ/K⁴/m² a day. */
const STEFAN_BOLTZMANN = 4.903e-9;
/** Of equation 50, between 0.16 inland and 0.19 at coasts. */
const TEMPERATURE_RANGE = 0.16;

/** kPa, as all equations below have it (equation 11). */
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
