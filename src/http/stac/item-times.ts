/** Times as STAC and CQL2 write them: instants by RFC 3339, and intervals of two of them. */
import { DAY_MS } from '../../units.ts';
import type { Span } from './filter/filter-tree.ts';

const INSTANT =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(\.\d{1,12})?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

/** Milliseconds of an instant; null when the text is not one. */
export function parseInstant(text: string): number | null {
  const [, year, month, day, hour, minute, second, fraction = '', sign, zoneHour = '0', zoneMinute = '0'] =
    INSTANT.exec(text) ?? [];
  if (year === undefined) return null;
  // A leap second is the first instant after it: clocks here have none.
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return null;
  if (Number(zoneHour) > 23 || Number(zoneMinute) > 59) return null;
  const midnight = parseDay(`${year}-${month}-${day}`);
  if (midnight === null) return null;
  const seconds = Number(hour) * 3_600 + Number(minute) * 60 + Number(second);
  const offset = (Number(zoneHour) * 3_600 + Number(zoneMinute) * 60) * (sign === '-' ? -1 : 1);
  return midnight + (seconds - offset) * 1_000 + Math.floor(Number(`0${fraction}`) * 1_000);
}

/** Milliseconds of the first instant of a day, UTC; null when the text is not a day. */
export function parseDay(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const ms = Date.parse(`${text}T00:00:00Z`);
  // A Date rolls 30 February over into March; then it no longer prints as it was written.
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text) ? ms : null;
}

const OPEN: ReadonlySet<string> = new Set(['', '..']);

/** An instant, or an interval of two with a slash between them, of which one may be open; null for anything else. */
export function parseSpan(text: string): Span | null {
  const ends = text.split('/');
  if (ends.length === 1) {
    const ms = parseInstant(text);
    return ms === null ? null : { fromMs: ms, toMs: ms };
  }
  const [from = '', to = ''] = ends;
  if (ends.length > 2 || (OPEN.has(from) && OPEN.has(to))) return null;
  const fromMs = OPEN.has(from) ? Number.NEGATIVE_INFINITY : parseInstant(from);
  const toMs = OPEN.has(to) ? Number.POSITIVE_INFINITY : parseInstant(to);
  return fromMs === null || toMs === null || fromMs > toMs ? null : { fromMs, toMs };
}

/** The days of a span as search writes them; an open end is undefined. */
export function toDayRange({ fromMs, toMs }: Span): { readonly from?: string; readonly to?: string } {
  return {
    ...(Number.isFinite(fromMs) ? { from: toDay(fromMs) } : {}),
    ...(Number.isFinite(toMs) ? { to: toDay(toMs) } : {}),
  };
}

const toDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/**
 * Whether a span begins and ends where days do, so that a count by days is that of the span. People write the end of a day
 * as its last second.
 */
export const isOfWholeDays = ({ fromMs, toMs }: Span): boolean =>
  (!Number.isFinite(fromMs) || sinceMidnight(fromMs) === 0) &&
  (!Number.isFinite(toMs) || sinceMidnight(toMs) >= DAY_MS - 1_000);

const sinceMidnight = (ms: number): number => ((ms % DAY_MS) + DAY_MS) % DAY_MS;
