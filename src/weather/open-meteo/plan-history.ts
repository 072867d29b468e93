import { DAY_MS } from '../../units.ts';
import type { OpenMeteoApi } from './hourly-variables.ts';

/** Days to be read in one request, as midnights of UTC. */
export interface HistoryPart {
  readonly api: OpenMeteoApi;
  readonly startMs: number;
  /** Not included. */
  readonly endMs: number;
  /** Nothing of it will change any more. */
  readonly isFinal: boolean;
}

/** The first day of the archive (https://open-meteo.com/en/docs/historical-weather-api). */
const ARCHIVE_START_MS = Date.UTC(1940, 0, 1);
/** ERA5 is five days late (same page). Two more, for the hour after the last one and for a late day. */
const ARCHIVE_DELAY_DAYS = 7;
/** Preliminary ERA5 is replaced about two to three months later. */
const FINAL_AFTER_DAYS = 100;
/** A year is asked for whole if more months of it are needed; fewer are cheaper alone. */
const MAX_MONTHS = 3;
/** With more locations years are asked for in quarters: a year of 25 is 9 MB, which take 0.3 s to parse. */
const MAX_LOCATIONS_OF_YEAR = 6;

/** The midnight at or before a time. */
export const toMidnight = (timeMs: number): number => Math.floor(timeMs / DAY_MS) * DAY_MS;

/** Hours of the past that are wanted. */
interface WantedHistory {
  readonly startMs: number;
  /** Not included. */
  readonly endMs: number;
  readonly nowMs: number;
  /** How many locations each request has. */
  readonly locationCount: number;
}

/**
 * Requests that cover hours of the past: calendar years, quarters or months, which other requests share, from the
 * archive, and the last days from the forecast.
 */
export function planHistory({ startMs, endMs, nowMs, locationCount }: WantedHistory): readonly HistoryPart[] {
  const todayMs = toMidnight(nowMs);
  const archiveEndMs = todayMs - ARCHIVE_DELAY_DAYS * DAY_MS;
  const parts = planMonths({
    startMs: Math.max(startMs, ARCHIVE_START_MS),
    endMs: Math.min(endMs, archiveEndMs),
    isQuarterly: locationCount > MAX_LOCATIONS_OF_YEAR,
  }).map(([year, from, to]): HistoryPart => {
    const partEndMs = Math.min(Date.UTC(year, to, 1), archiveEndMs);
    const isFinal = partEndMs <= todayMs - FINAL_AFTER_DAYS * DAY_MS;
    return { api: 'archive', startMs: Date.UTC(year, from, 1), endMs: partEndMs, isFinal };
  });
  const recentEndMs = Math.min(endMs, nowMs);
  if (recentEndMs <= archiveEndMs || recentEndMs <= startMs) return parts;
  // Always the same days, so that all requests of a day share them.
  const recent = { api: 'forecast', startMs: archiveEndMs, endMs: todayMs + DAY_MS, isFinal: false } as const;
  return [...parts, recent];
}

/** A year, and months of it from 0 to 12; the last one is not included. */
type Months = readonly [year: number, from: number, to: number];

/** The months of each year that cover a time. */
function planMonths(time: {
  readonly startMs: number;
  readonly endMs: number;
  readonly isQuarterly: boolean;
}): readonly Months[] {
  if (time.startMs >= time.endMs) return [];
  const [first, last] = [new Date(time.startMs), new Date(time.endMs - 1)];
  const parts: Months[] = [];
  for (let year = first.getUTCFullYear(); year <= last.getUTCFullYear(); year++) {
    const from = year === first.getUTCFullYear() ? first.getUTCMonth() : 0;
    const to = year === last.getUTCFullYear() ? last.getUTCMonth() + 1 : 12;
    if (to - from <= MAX_MONTHS) parts.push([year, from, to]);
    else if (!time.isQuarterly) parts.push([year, 0, 12]);
    else for (let month = from - (from % 3); month < to; month += 3) parts.push([year, month, month + 3]);
  }
  return parts;
}
