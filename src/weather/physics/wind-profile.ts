/** Wind at 2 m of wind at 10 m above short grass (FAO-56, equation 47): 0.747951. */
export const WIND_2M_OF_10M = 4.87 / Math.log(67.8 * 10 - 5.42);
