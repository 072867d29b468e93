import type { NormalDay } from '../../weather/index.ts';
import { round, roundKnown } from './rounded.ts';

/** The fields of a normal day, in the order of columns. */
export const NORMAL_COLUMNS = ['day', 'years', 'temperature_min', 'temperature_max', 'rainfall'] as const;

/** A normal day as it is answered. */
export const toNormalRow = ({ day, years, temperatureMin, temperatureMax, rainfall }: NormalDay) => ({
  day,
  years,
  temperature_min: round(temperatureMin),
  temperature_max: round(temperatureMax),
  rainfall: roundKnown(rainfall),
});
