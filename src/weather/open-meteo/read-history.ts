import { workInOrder } from '../../async/index.ts';
import type { LonLat } from '../../geo/index.ts';
import { DAY_MS, HOUR_MS } from '../../units.ts';
import type { HistoryRequest, ProvidedWeather } from '../weather-provider.ts';
import type { WeatherVariable } from '../weather-series.ts';
import type { OpenMeteoApi } from './hours-request.ts';
import { planHourlyVariables, planLocations, toPath } from './hours-request.ts';
import type { HourSteps, ReaderContext, ReadHours } from './read-hours.ts';
import { joinSteps, readHours, toProvided } from './read-hours.ts';

/** The max number of concurrent requests for one history. */
const AT_ONCE = 2;
/** How long answers are cached: those of days that no longer change, and those of the last months. */
const FINAL_AGE_MS = 7 * DAY_MS;
const RECENT_AGE_MS = HOUR_MS;

/** Reads hours of the past; null where nothing is known. */
export async function readHistory(
  context: ReaderContext,
  request: HistoryRequest,
): Promise<ProvidedWeather | null> {
  const { where, variables, signal } = request;
  const { models } = context;
  const nowMs = context.nowMs();
  const { startMs, endMs } = toHours(request);
  // Hours that are not over yet are not history.
  const knownEndMs = Math.min(endMs, Math.floor(nowMs / HOUR_MS) * HOUR_MS);
  if (knownEndMs <= startMs || planHourlyVariables('archive', null, variables).length === 0) return null;
  const locations = planLocations(where);
  const parts = planHistory({ startMs, endMs: knownEndMs, nowMs, locationCount: locations.length });
  const found: HourSteps[] = [];
  const work = (part: HistoryPart, shared: AbortSignal) =>
    readPart(context, part, { locations, variables, signal: shared });
  for await (const { steps } of workInOrder(parts, { atOnce: AT_ONCE, signal }, work)) {
    if (steps !== null) found.push(steps);
  }
  const joined = joinSteps(found, startMs, (knownEndMs - startMs) / HOUR_MS);
  return toProvided(
    joined,
    parts.map(({ api }) => models[api]),
    null,
  );
}

/** The whole hours of UTC that cover the local days. */
function toHours({ from, to, utcOffsetHours }: HistoryRequest): { startMs: number; endMs: number } {
  const offsetMs = utcOffsetHours * HOUR_MS;
  return {
    startMs: Math.floor((Date.parse(from) - offsetMs) / HOUR_MS) * HOUR_MS,
    endMs: Math.ceil((Date.parse(to) + DAY_MS - offsetMs) / HOUR_MS) * HOUR_MS,
  };
}

interface PartOptions {
  readonly locations: readonly LonLat[];
  readonly variables: readonly WeatherVariable[];
  readonly signal: AbortSignal;
}

/** Reads one part of a history, and one more day, whose first hour has the sums of the last step. */
function readPart(
  { access, cache, models }: ReaderContext,
  { api, startMs, endMs, isFinal }: HistoryPart,
  { locations, variables, signal }: PartOptions,
): Promise<ReadHours> {
  const model = models[api];
  const request = {
    api,
    model,
    locations,
    variables: planHourlyVariables(api, model, variables),
    startMs,
    endMs: endMs + DAY_MS,
  };
  const load = async (shared: { readonly signal: AbortSignal }): Promise<ReadHours> => {
    const steps = await readHours(access, request, (endMs - startMs) / HOUR_MS, shared.signal);
    return { steps, runMs: null };
  };
  return cache.find(toPath(request), load, { signal, freshMs: isFinal ? FINAL_AGE_MS : RECENT_AGE_MS });
}

/** Days to be read in one request, as midnights of UTC. */
interface HistoryPart {
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
/** If more months of a year are needed, the whole year is requested; fewer are cheaper alone. */
const MAX_MONTHS = 3;
/** With more locations years are requested in quarters: a year of 25 is 9 MB, which take 0.3 s to parse. */
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
