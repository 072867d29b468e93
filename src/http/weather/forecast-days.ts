import type { ForecastDay, ForecastDetails } from '../../weather/index.ts';
import { FORECAST_HOURS } from '../../weather/index.ts';
import { round } from './rounded.ts';

/** The clock of forecast days is two hours ahead of UTC everywhere: their hours are the three-hour steps of models there. */
export const CLOCK_HOURS = 2;

/** How hours are spelled as names: `2h` on the older address, `02h` on the newer ones. */
export type HourNames = 'plain' | 'padded';

/** The name of an hour. */
export const toHourName = (hour: number, names: HourNames): string =>
  `${names === 'padded' ? String(hour).padStart(2, '0') : hour}h`;

type WireDay = Record<string, string | number | Record<string, number>>;

/** A day as it is answered. Programs convert every value that is there to a number: what is not known is left out, and never null. */
export function toForecastDay(
  { date, airMin, airMax, landMin, landMax, details }: ForecastDay,
  names: HourNames,
): WireDay {
  const day: WireDay = { Date: date, Temp_air_min: round(airMin), Temp_air_max: round(airMax) };
  addKnown(day, 'Temp_land_min', landMin);
  addKnown(day, 'Temp_land_max', landMax);
  if (details !== null) addDetails(day, details, names);
  return day;
}

function addDetails(
  day: WireDay,
  { humidity, snowDepth, rain, wind }: ForecastDetails,
  names: HourNames,
): void {
  addKnown(day, 'Rel_humidity', humidity);
  addKnown(day, 'Snow_depth', snowDepth);
  addHours(day, 'Rain', rain, names);
  addHours(day, 'Windspeed', wind, names);
}

function addKnown(day: WireDay, name: string, value: number | null): void {
  if (value !== null) day[name] = round(value);
}

function addHours(day: WireDay, name: string, values: readonly (number | null)[], names: HourNames): void {
  const known: Record<string, number> = {};
  for (const [i, hour] of FORECAST_HOURS.entries()) {
    const value = values[i] ?? null;
    if (value !== null) known[toHourName(hour, names)] = round(value);
  }
  if (Object.keys(known).length > 0) day[name] = known;
}
