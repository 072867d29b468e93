import { sourceBroken, unsupported } from '../../errors.ts';
import { DAY_MS } from '../../units.ts';

const UNIT_MS: ReadonlyMap<string, number> = new Map([
  ...['day', 'days', 'd'].map((word): [string, number] => [word, DAY_MS]),
  ...['hour', 'hours', 'hr', 'hrs', 'h'].map((word): [string, number] => [word, 3_600_000]),
  ...['minute', 'minutes', 'min', 'mins'].map((word): [string, number] => [word, 60_000]),
  ...['second', 'seconds', 'sec', 'secs', 's'].map((word): [string, number] => [word, 1000]),
  ...['millisecond', 'milliseconds', 'msec', 'ms'].map((word): [string, number] => [word, 1]),
]);

/** Calendars in which the days since 1582 are ours; others (360 days, no leap years) are of climate models. */
const CALENDARS: ReadonlySet<string> = new Set(['', 'standard', 'gregorian', 'proleptic_gregorian']);

const UNITS = /^\s*([a-z]+)\s+since\s+(.{1,60}?)\s*$/i;
const DATE =
  /^(\d{1,4})-(\d{1,2})-(\d{1,2})(?:[T ]+(\d{1,2})(?::(\d{1,2})(?::(\d{1,2})(?:\.(\d+))?)?)?)?\s*(Z|UTC|GMT|[+-]\d{1,2}(?::?\d{2})?)?$/i;

/** Years in which measurements lie. */
const [FIRST_MS, LAST_MS] = [Date.UTC(1800, 0, 1), Date.UTC(2200, 0, 1)];

/** Whether units are those of a time: "days since 1970-01-01". */
export const isTimeUnits = (units: string): boolean => UNITS.test(units);

/** Builds the conversion of the numbers of a time axis into milliseconds from 1970 (CF conventions, 4.4). */
export function makeToMs(units: string, calendar: string): (value: number) => number {
  const [, word, date] = UNITS.exec(units) ?? [];
  const unitMs = UNIT_MS.get(word?.toLowerCase() ?? '');
  const originMs = toOriginMs(date ?? '');
  if (unitMs === undefined || originMs === null)
    throw unsupported(
      'time-units',
      `Times in "${units.slice(0, 60)}" are not known; days, hours, minutes and seconds since a date are.`,
    );
  if (!CALENDARS.has(calendar.toLowerCase()))
    throw unsupported(
      'time-calendar',
      `The calendar "${calendar.slice(0, 40)}" is that of a climate model, not of measurements.`,
    );
  return (value) => {
    const ms = originMs + value * unitMs;
    if (!(ms >= FIRST_MS && ms <= LAST_MS))
      throw sourceBroken(
        'bad-time',
        `The time ${value} (${units.slice(0, 60)}) lies outside of 1800 to 2200.`,
      );
    // Days as float32 and hours as float64 round to a fraction of a second.
    return Math.round(ms / 1000) * 1000;
  };
}

function toOriginMs(text: string): number | null {
  const match = DATE.exec(text);
  if (match === null) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 24 || minute > 59 || second > 60) return null;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second);
  return date.getTime() - toZoneMs(match[8] ?? '');
}

function toZoneMs(zone: string): number {
  const match = /^([+-])(\d{1,2}):?(\d{2})?$/.exec(zone);
  if (match === null) return 0;
  return (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 3_600_000 + Number(match[3] ?? 0) * 60_000);
}
