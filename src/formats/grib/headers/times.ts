import { HOUR_MS } from '../../../units.ts';
import { damaged, unread } from '../bytes/grib-errors.ts';

const MINUTE_MS = 60_000;

/** Lengths of the units that have one: code table 4.4, of which edition 1 has another second. */
const UNIT_MS: ReadonlyMap<number, number> = new Map([
  [0, MINUTE_MS],
  [1, HOUR_MS],
  [2, 24 * HOUR_MS],
  [10, 3 * HOUR_MS],
  [11, 6 * HOUR_MS],
  [12, 12 * HOUR_MS],
]);

/** Milliseconds of a unit of forecast times. */
export function toUnitMs(unit: number, edition: 1 | 2): number {
  if (unit === (edition === 1 ? 254 : 13)) return 1_000;
  // Quarters and halves of an hour; in edition 2 the numbers mean seconds and nothing.
  if (edition === 1 && (unit === 13 || unit === 14)) return (unit === 13 ? 15 : 30) * MINUTE_MS;
  const ms = UNIT_MS.get(unit);
  if (ms === undefined)
    throw unread(
      'time-unit',
      `Forecast times of the GRIB file are in unit ${unit}; seconds to days are read, months and years are not.`,
    );
  return ms;
}

/** A moment, in milliseconds from 1970. */
export function toMoment(
  year: number,
  month: number,
  day: number,
  [hour, minute, second]: readonly [number, number, number],
): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const isDate = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  if (!isDate || hour > 24 || minute > 59 || second > 60)
    throw damaged(`there is no time ${year}-${month}-${day} ${hour}:${minute}:${second}`);
  return date.getTime() + hour * HOUR_MS + minute * MINUTE_MS + second * 1_000;
}
