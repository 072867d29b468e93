/** Days of a year that are the same in every year: 29 February is left out. */
import { DAY_MS } from '../units.ts';

/** Days of a year without 29 February. */
export const YEAR_DAYS = 365;

/** The place of a day in its year. */
export interface YearDay {
  readonly year: number;
  /** From 0, for 1 January, to 364; null on 29 February. */
  readonly at: number | null;
}

/** The position of 29 February in a leap year. */
const LEAP_AT = 59;

/** The year and the place in it of a day since 1970-01-01. */
export function toYearDay(day: number): YearDay {
  const year = new Date(day * DAY_MS).getUTCFullYear();
  const at = day - Date.UTC(year, 0, 1) / DAY_MS;
  const isLeap = Date.UTC(year, 1, 29) !== Date.UTC(year, 2, 1);
  if (!isLeap || at < LEAP_AT) return { year, at };
  return { year, at: at === LEAP_AT ? null : at - 1 };
}

/** The days since 1970-01-01 of a date such as 2026-06-21; the caller has checked it. */
export const toDayNumber = (date: string): number => Math.floor(Date.parse(date.slice(0, 10)) / DAY_MS);

/** The date of a day, such as 2026-06-21; of a day with a fraction, the nearest. */
export const toDate = (day: number): string => new Date(Math.round(day) * DAY_MS).toISOString().slice(0, 10);
