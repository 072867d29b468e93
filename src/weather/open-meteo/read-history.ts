import { workInOrder } from '../../async/index.ts';
import type { LonLat } from '../../geo/index.ts';
import { DAY_MS, HOUR_MS } from '../../units.ts';
import type { HistoryRequest, ProvidedWeather } from '../series/weather-provider.ts';
import type { WeatherVariable } from '../series/weather-series.ts';
import { planHourlyVariables } from './hourly-variables.ts';
import { toPath } from './hours-request.ts';
import type { HistoryPart } from './plan-history.ts';
import { planHistory } from './plan-history.ts';
import { planLocations } from './plan-locations.ts';
import { readHours } from './read-hours.ts';
import type { ReaderContext, ReadHours } from './reader-context.ts';
import { toProvided } from './to-provided.ts';
import type { HourSteps } from './to-steps.ts';
import { joinSteps } from './to-steps.ts';

/** Requests of one history at a time. */
const AT_ONCE = 2;
/** How long answers are used: of days that do not change any more, and of the last months. */
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
  // What is not over yet is no history.
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

/** One part of a history. It is asked for with a day more, whose first hour has the sums of the last step. */
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
