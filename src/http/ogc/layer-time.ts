/** The time dimension of layers: which days of scenes a value of it asks for. */
import type { Period } from '../../mosaic/index.ts';
import { isDay, parsePeriod } from '../../mosaic/index.ts';
import { DAY_MS } from '../../units.ts';
import { badInput } from '../errors.ts';

/** The days that a layer has scenes of, both included. */
export interface LayerTime {
  readonly from: string;
  readonly to: string;
}

/** A map of one day is made of scenes of so many days up to it: one pass of a satellite covers little ground. */
const DAYS_BEFORE = 30;

/** What a value of the dimension may look like, for refusals and documents. */
export const TIME_FORMS =
  'current, a day such as 2026-06-21, a month, a year, or two days with a slash or .. between them';

/** The days of the map as it is seen on a day. */
function toMapOfDay(day: string): Period {
  const from = new Date(Date.parse(`${day}T00:00:00Z`) - (DAYS_BEFORE - 1) * DAY_MS);
  return { from: from.toISOString().slice(0, 10), to: day };
}

/** Times of a day count as the day: scenes are found by days. */
const toDay = (text: string): string =>
  /^(\d{4}-\d{2}-\d{2})T\d{2}(?::\d{2}){0,2}(?:\.\d{1,9})?Z?$/.exec(text)?.[1] ?? text;

/** The days that a value asks for; without one, or for `current`, those of the newest map. */
export function readTime(text: string | null, { to }: LayerTime): Period {
  if (text === null || text === '' || text.toLowerCase() === 'current') return toMapOfDay(to);
  if (text.length > 60) throw refuse(text);
  const [first = '', last, ...more] = text.split(text.includes('..') ? '..' : '/').map(toDay);
  if (more.length > 0) throw refuse(text);
  if (last === undefined && isDay(first)) return toMapOfDay(first);
  try {
    return parsePeriod(last === undefined ? first : `${first}..${last}`);
  } catch (error) {
    throw refuse(text, error);
  }
}

const refuse = (text: string, cause?: unknown): Error =>
  badInput('bad-time', `TIME is ${TIME_FORMS}; "${text.slice(0, 40)}" is none of these.`, { cause });
