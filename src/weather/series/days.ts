import { badInput } from '../../errors.ts';
import { DAY_MS } from '../../units.ts';

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** A day as 2026-05-02 in days since 1970. */
export function parseDay(text: string): number {
  const ms = DAY.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // A date such as 2026-02-30 is read as a day of March by some engines.
  if (Number.isNaN(ms) || toDay(ms / DAY_MS) !== text)
    throw badInput('bad-days', `"${text.slice(0, 40)}" is not a day such as 2026-05-02.`);
  return ms / DAY_MS;
}

/** Days that were written before: ten years of a field are 4,000 of them, the same ones in every request. */
const written = new Map<number, string>();
/** About 270 years. */
const MAX_WRITTEN = 100_000;

/** A number of days since 1970 as 2026-05-02. */
export function toDay(day: number): string {
  const known = written.get(day);
  if (known !== undefined) return known;
  const text = new Date(day * DAY_MS).toISOString().slice(0, 10);
  if (written.size < MAX_WRITTEN) written.set(day, text);
  return text;
}

/** The day of the year from 1 to 366. */
export const toDayOfYear = (day: number): number => {
  const year = new Date(day * DAY_MS).getUTCFullYear();
  return day - Date.UTC(year, 0, 1) / DAY_MS + 1;
};

/** Hours that local midnight is ahead of UTC at a longitude: the zone of its meridian, without summer time. */
export const toUtcOffset = (longitude: number): number => {
  const turned = ((((longitude + 180) % 360) + 360) % 360) - 180;
  return Math.round(turned / 15) + 0;
};
