/** Vapour pressure of saturated air at a temperature or dew point in °C, in hPa (FAO-56, equation 11). */
export const toVapourPressure = (celsius: number): number =>
  6.108 * Math.exp((17.27 * celsius) / (celsius + 237.3));

/** Relative humidity in % of air at a temperature and dew point in °C; never above 100. */
export const toRelativeHumidity = (temperature: number, dewPoint: number): number =>
  Math.min(100, (100 * toVapourPressure(dewPoint)) / toVapourPressure(temperature));
