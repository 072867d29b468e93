import type { LonLat } from '../../geo/index.ts';
import { DAY_MS, HOUR_MS } from '../../units.ts';
import type { ForecastRequest, ProvidedWeather } from '../weather-provider.ts';
import type { WeatherVariable } from '../weather-series.ts';
import { WEATHER_VARIABLES } from '../weather-series.ts';
import { planHourlyVariables, planLocations } from './hours-request.ts';
import { toMidnight } from './read-history.ts';
import type { HourSteps, ReaderContext, ReadHours } from './read-hours.ts';
import { joinSteps, readHours, toProvided } from './read-hours.ts';

/** How long a forecast is cached. */
const MAX_AGE_MS = HOUR_MS / 2;
/** Today and the 15 days after (https://open-meteo.com/en/docs, `forecast_days`). */
const FORECAST_DAYS = 16;
const MAX_RUN_BYTES = 16_384;
const ALL_VARIABLES = Object.keys(WEATHER_VARIABLES) as WeatherVariable[];

/** Reads hours to come, from the start of the run or of the day; null where nothing is known. */
export async function readForecast(
  context: ReaderContext,
  request: ForecastRequest,
): Promise<ProvidedWeather | null> {
  const { where, hours, fromMs, nowMs, signal } = request;
  const locations = planLocations(where);
  const { steps, runMs } = await context.cache.find(
    `forecast ${toMidnight(nowMs)} ${fromMs ?? ''} ${hours} ${locations.join(' ')}`,
    (shared) => loadForecast(context, request, locations, shared.signal),
    { signal, freshMs: MAX_AGE_MS },
  );
  if (steps === null || !reachesBeyond(steps, nowMs)) return null;
  return toProvided(steps, [context.models.forecast], runMs);
}

async function loadForecast(
  context: ReaderContext,
  { hours, fromMs, nowMs }: ForecastRequest,
  locations: readonly LonLat[],
  signal: AbortSignal,
): Promise<ReadHours> {
  const model = context.models.forecast;
  const runMs = await readRun(context, nowMs, signal);
  const beginMs = runMs === null ? toMidnight(nowMs) : Math.floor(runMs / HOUR_MS) * HOUR_MS;
  // The server joins the runs: hours before the newest one are those of the runs before.
  const startMs = Math.min(beginMs, fromMs ?? beginMs);
  const firstMs = toMidnight(startMs);
  // The hour after the last one has its sums.
  const wantedMs = toMidnight(beginMs + hours * HOUR_MS) + DAY_MS;
  const endMs = Math.min(wantedMs, toMidnight(nowMs) + FORECAST_DAYS * DAY_MS);
  const variables = planHourlyVariables('forecast', model, ALL_VARIABLES);
  const asked = { api: 'forecast', model, locations, variables, startMs: firstMs, endMs } as const;
  const steps = await readHours(context.access, asked, (endMs - firstMs) / HOUR_MS, signal);
  if (steps === null) return { steps, runMs };
  const stepCount = Math.min(hours + (beginMs - startMs) / HOUR_MS, (endMs - startMs) / HOUR_MS);
  return { steps: joinSteps([steps], startMs, stepCount), runMs };
}

/** When the last run began; null if the model has no runs, or the server does not state it. */
async function readRun({ access, models }: ReaderContext, nowMs: number, signal: AbortSignal) {
  const path = toRunPath(models.forecast);
  if (path === null) return null;
  const url = access.toUrl('forecast', path);
  const parse = (answer: unknown) => parseRunMs(answer, nowMs);
  // These requests are not counted (https://open-meteo.com/en/docs/model-updates).
  return access.ask.forecast({ url, maxBytes: MAX_RUN_BYTES, calls: 0, signal, parse }).catch(() => null);
}

/** Whether any step after this time has a value. */
function reachesBeyond({ startMs, values }: HourSteps, timeMs: number): boolean {
  const first = Math.max(0, Math.ceil((timeMs - startMs) / HOUR_MS));
  return Object.values(values).some((one) => one.subarray(first).some((value) => !Number.isNaN(value)));
}

/**
 * Folders of the models of `models=` whose forecasts come from one model alone, below `/data/` of a server
 * (https://open-meteo.com/en/docs/model-updates). Combined models have no run of their own.
 */
const FOLDERS: ReadonlyMap<string, string> = new Map([
  ['ecmwf_ifs025', 'ecmwf_ifs025'],
  ['ecmwf_aifs025_single', 'ecmwf_aifs025_single'],
  ['icon_global', 'dwd_icon'],
  ['icon_eu', 'dwd_icon_eu'],
  ['icon_d2', 'dwd_icon_d2'],
]);

/** Runs are some hours old; an older one is not current. */
const MAX_RUN_AGE_MS = 3 * DAY_MS;

/** Path of the file that says when the last run of a model began; null if a model has none. */
function toRunPath(model: string | null): string | null {
  const folder = model === null ? undefined : FOLDERS.get(model);
  return folder === undefined ? null : `/data/${folder}/static/meta.json`;
}

/** Reads when the last run began; null if the answer does not say so. */
function parseRunMs(answer: unknown, nowMs: number): number | null {
  if (typeof answer !== 'object' || answer === null) return null;
  const seconds = 'last_run_initialisation_time' in answer ? answer.last_run_initialisation_time : null;
  if (typeof seconds !== 'number' || !Number.isInteger(seconds)) return null;
  const runMs = seconds * 1_000;
  return runMs <= nowMs && runMs > nowMs - MAX_RUN_AGE_MS ? runMs : null;
}
