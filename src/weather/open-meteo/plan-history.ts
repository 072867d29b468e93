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

/** A day. */
export const DAY_MS = 86_400_000;
/** An hour. */
export const HOUR_MS = 3_600_000;

/** The first day of the archive (https://open-meteo.com/en/docs/historical-weather-api). */
const ARCHIVE_START_MS = Date.UTC(1940, 0, 1);
/** ERA5 is five days late (same page). Two more, for the hour after the last one and for a late day. */
const ARCHIVE_DELAY_DAYS = 7;
/** Preliminary ERA5 is replaced about two to three months later. */
const FINAL_AFTER_DAYS = 100;
/** A year is asked for whole if more months of it are needed; fewer are cheaper alone. */
const MAX_MONTHS = 3;

/** The midnight at or before a time. */
export const toMidnight = (timeMs: number): number => Math.floor(timeMs / DAY_MS) * DAY_MS;

/**
 * Requests that cover hours of the past: calendar years or some months of one, which other requests share, from the
 * archive, and the last days from the forecast.
 */
export function planHistory(startMs: number, endMs: number, nowMs: number): readonly HistoryPart[] {
  const todayMs = toMidnight(nowMs);
  const archiveEndMs = todayMs - ARCHIVE_DELAY_DAYS * DAY_MS;
  const parts = planArchive(
    Math.max(startMs, ARCHIVE_START_MS),
    Math.min(endMs, archiveEndMs),
    archiveEndMs,
  ).map((part) => ({ ...part, isFinal: part.endMs <= todayMs - FINAL_AFTER_DAYS * DAY_MS }));
  const recentEndMs = Math.min(endMs, nowMs);
  if (recentEndMs <= archiveEndMs || recentEndMs <= startMs) return parts;
  // Always the same days, so that all requests of a day share them.
  const recent = { api: 'forecast', startMs: archiveEndMs, endMs: todayMs + DAY_MS, isFinal: false } as const;
  return [...parts, recent];
}

function planArchive(startMs: number, endMs: number, archiveEndMs: number): Omit<HistoryPart, 'isFinal'>[] {
  const parts: Omit<HistoryPart, 'isFinal'>[] = [];
  if (startMs >= endMs) return parts;
  const [first, last] = [new Date(startMs), new Date(endMs - 1)];
  for (let year = first.getUTCFullYear(); year <= last.getUTCFullYear(); year++) {
    const from = year === first.getUTCFullYear() ? first.getUTCMonth() : 0;
    const to = year === last.getUTCFullYear() ? last.getUTCMonth() : 11;
    const isWhole = to - from >= MAX_MONTHS;
    parts.push({
      api: 'archive',
      startMs: Date.UTC(year, isWhole ? 0 : from, 1),
      endMs: Math.min(Date.UTC(year, isWhole ? 12 : to + 1, 1), archiveEndMs),
    });
  }
  return parts;
}
