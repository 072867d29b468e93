import { DAY_MS } from '../units.ts';
import { badInput } from './errors.ts';

/** Days in UTC, from the first to the last, both included: `2026-07-01`. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/** What a period may look like, for documents and refusals. */
export const PERIOD_FORMS = '2026, 2026-07, 2026-W30, 2026-07-04 or 2026-07-01..2026-07-20';

/** As a pattern; the parts are checked below. */
export const PERIOD_PATTERN =
  /^\d{4}(?:-W\d{2}|-\d{2}(?:-\d{2})?)?(?:\.\.\d{4}(?:-W\d{2}|-\d{2}(?:-\d{2})?)?)?$/;

/** Reads a year, a month, a week (ISO 8601: Monday to Sunday), a day, or the range from one of them to another. */
export function parsePeriod(text: string): Period {
  const [first, last = first, ...more] = text.split('..').map(parseStep);
  if (first == null || last == null || more.length > 0)
    throw badInput(
      'bad-period',
      `A period is written as ${PERIOD_FORMS}; "${text.slice(0, 40)}" is none of these.`,
    );
  if (last.to < first.from) throw badInput('bad-period', `The period ${text} ends before it begins.`);
  return { from: first.from, to: last.to };
}

function parseStep(text: string): Period | null {
  const [, year = '', week, month, day] = /^(\d{4})(?:-W(\d{2})|-(\d{2})(?:-(\d{2}))?)?$/.exec(text) ?? [];
  if (year === '') return null;
  if (week !== undefined) return toWeek(Number(year), Number(week));
  if (month === undefined) return { from: `${year}-01-01`, to: `${year}-12-31` };
  if (day !== undefined) return isDay(text) ? { from: text, to: text } : null;
  const next = new Date(Date.UTC(Number(year), Number(month), 1));
  const from = `${year}-${month}-01`;
  return isDay(from) ? { from, to: toDay(next.getTime() - DAY_MS) } : null;
}

/** The first week of a year is the one with its first Thursday, so January 4 is always in it. */
function toWeek(year: number, week: number): Period | null {
  const fourth = Date.UTC(year, 0, 4);
  const monday = fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * DAY_MS + (week - 1) * 7 * DAY_MS;
  const thursday = new Date(monday + 3 * DAY_MS);
  if (week < 1 || thursday.getUTCFullYear() !== year) return null;
  return { from: toDay(monday), to: toDay(monday + 6 * DAY_MS) };
}

const toDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Whether a text is a day of the calendar. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const ms = Date.parse(`${text}T00:00:00Z`);
  return Number.isFinite(ms) && toDay(ms) === text;
}
