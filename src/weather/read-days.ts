import type { ErrorTag } from '../errors.ts';
import { isSwathError } from '../errors.ts';
import { DAY_MS, HOUR_MS } from '../units.ts';
import { describeDays, gatherDays, parseDay, toCentre, toDay, toUtcOffset } from './daily-weather.ts';
import { unavailable } from './errors.ts';
import { toSeasonStart } from './physics.ts';
import type {
  Heights,
  HistoryRequest,
  ProvidedWeather,
  WeatherExtent,
  WeatherLocation,
  WeatherProvider,
} from './weather-provider.ts';
import type { WeatherSeries } from './weather-series.ts';
import { WEATHER_VARIABLE_NAMES } from './weather-series.ts';
import type { DailyWeather, DaysRequest, NormalDay, WeatherDay, WeatherNormals } from './weather-types.ts';

/** Asks one provider after the other. Null when none has anything; throws when one that failed might have. */
export type AskProviders = <T>(
  question: (provider: WeatherProvider) => Promise<T | null>,
) => Promise<T | null>;

interface AskDeps {
  /** In the order in which they are asked. */
  readonly providers: readonly WeatherProvider[];
  /** Called when a provider could not answer; the next one is asked then. */
  readonly onFailure: (provider: string, error: unknown) => void;
}

/** Calls to a provider are paused for half a minute after failures in a row. */
const RETRY_AFTER_S = 30;

/** Errors in the request itself: another provider would not help. */
const OF_QUESTIONS: ReadonlySet<ErrorTag> = new Set(['bad-input', 'too-large', 'cancelled']);

/** Builds the function that asks providers in order. */
export const makeAskProviders =
  ({ providers, onFailure }: AskDeps): AskProviders =>
  async (question) => {
    let hasFailed = false;
    for (const provider of providers) {
      try {
        const answer = await question(provider);
        if (answer !== null) return answer;
      } catch (error) {
        if (isSwathError(error) && OF_QUESTIONS.has(error.tag)) throw error;
        hasFailed = true;
        onFailure(provider.name, error);
      }
    }
    if (!hasFailed) return null;
    const message = 'No provider of weather answers at the moment; try again later.';
    throw unavailable('weather-unavailable', message, { details: { retryAfterS: RETRY_AFTER_S } });
  };

/** Reads days of the past. */
type ReadDays = (request: DaysRequest) => Promise<DailyWeather | null>;

/** Variables for days with derived fields, and for plain days. */
const OF_DERIVED_DAYS = WEATHER_VARIABLE_NAMES.filter((variable) => variable !== 'soilTemperature');
const OF_DAYS = OF_DERIVED_DAYS.filter((variable) => variable !== 'radiation');
/** The default base of growing degree days, °C: that of maize. */
const BASE_TEMPERATURE = 10;

/** Builds the reading. It starts with the season, so that hardening does not depend on the first day requested. */
export const makeReadDays =
  (ask: AskProviders, heights: Heights | null): ReadDays =>
  async (request) => {
    const { where, from, to, signal, derived = [], baseTemperature = BASE_TEMPERATURE } = request;
    const { lon, lat } = toCentre(where);
    const seasonStart = toSeasonStart(from, lat);
    const season: HistoryRequest = {
      where,
      from: seasonStart,
      to,
      utcOffsetHours: toUtcOffset(lon),
      variables: derived.length > 0 ? OF_DERIVED_DAYS : OF_DAYS,
      isHourly: false,
      signal,
    };
    const provided = await ask(async (provider): Promise<ProvidedWeather | null> => {
      const found = await provider.readHistory(season);
      if (found === null) return null;
      const series = toDaySeries(found.series, season);
      return hasDays(series, parseDay(from)) ? { ...found, series } : null;
    });
    if (provided === null) return null;
    const { series, lineage } = provided;
    // Only evapotranspiration needs it.
    const elevation =
      lineage.correctedToM ?? (derived.length > 0 ? await heights?.at(lon, lat) : null) ?? null;
    const days = describeDays(series, {
      fromDay: parseDay(from),
      hardeningBefore: hasGapAt(series, parseDay(seasonStart)) ? null : 0,
      seasonStart: seasonStart.slice(5),
      latitude: lat,
      elevation,
      derived,
      baseTemperature,
    });
    return { days, utcOffsetHours: series.utcOffsetHours, lineage };
  };

/** Days of a forecast to be read, from today on. */
interface ComingDaysRequest {
  readonly where: WeatherLocation;
  readonly days: number;
  readonly signal?: AbortSignal | undefined;
}

/** The longest forecasts reach 16 days. */
const MAX_FORECAST_HOURS = 384;

/** Builds the reading of days to come. */
export function makeReadComingDays(ask: AskProviders, readDays: ReadDays, wallClockMs: () => number) {
  /** Hardening of the evening before a day; null if it is not known. */
  async function readHardening(where: WeatherLocation, day: number, signal: AbortSignal | undefined) {
    const date = toDay(day - 1);
    // A history that fails does not keep the forecast from being answered.
    const history = await readDays({ where, from: date, to: date, signal }).catch(() => null);
    return history?.days.find((one) => one.date === date)?.hardeningIndex ?? null;
  }

  return async ({ where, days, signal }: ComingDaysRequest): Promise<DailyWeather | null> => {
    const nowMs = wallClockMs();
    const { lon, lat } = toCentre(where);
    const utcOffsetHours = toUtcOffset(lon);
    const today = Math.floor((nowMs + utcOffsetHours * HOUR_MS) / DAY_MS);
    // The newest run may have begun in the middle of today.
    const midnightMs = today * DAY_MS - utcOffsetHours * HOUR_MS;
    // A run may be a day old, and the last day must be whole.
    const hours = Math.min(MAX_FORECAST_HOURS, (days + 2) * 24);
    const provided = await ask(async (provider): Promise<ProvidedWeather | null> => {
      const found = await provider.readForecast({ where, hours, fromMs: midnightMs, nowMs, signal });
      if (found === null) return null;
      const span = { firstDay: today, lastDay: today + days - 1, utcOffsetHours };
      const series = gatherDays(found.series, span);
      return hasDays(series, today) ? { ...found, series } : null;
    });
    if (provided === null) return null;
    const { series, lineage } = provided;
    const described = describeDays(series, {
      fromDay: today,
      hardeningBefore: await readHardening(where, today, signal),
      seasonStart: toSeasonStart(toDay(today), lat).slice(5),
      latitude: lat,
      elevation: lineage.correctedToM,
      derived: [],
      baseTemperature: 0,
    });
    return { days: described, utcOffsetHours, lineage };
  };
}

/** The location of normals to be read. */
interface NormalsRequest {
  readonly where: WeatherLocation;
  readonly signal?: AbortSignal | undefined;
}

/** Years of normals, as defined by the World Meteorological Organization. */
const NORMAL_YEARS = 30;

/** Builds the reading of normals from the years that a provider has stored. */
export const makeReadNormals =
  (ask: AskProviders) =>
  async ({ where, signal }: NormalsRequest): Promise<WeatherNormals | null> => {
    const { lon, lat } = toCentre(where);
    const found = await ask(async (provider) => {
      const stored = await provider.readExtent?.(where);
      if (stored === undefined || stored === null) return null;
      const request: HistoryRequest = {
        where,
        ...toLastYears(stored, NORMAL_YEARS),
        utcOffsetHours: toUtcOffset(lon),
        variables: ['temperature', 'temperatureMin', 'temperatureMax', 'precipitation'],
        isHourly: false,
        signal,
      };
      const provided = await provider.readHistory(request);
      if (provided === null) return null;
      return { ...provided, from: request.from, series: toDaySeries(provided.series, request) };
    });
    if (found === null) return null;
    const days = describeDays(found.series, {
      fromDay: parseDay(found.from),
      hardeningBefore: null,
      seasonStart: '',
      latitude: lat,
      elevation: null,
      derived: [],
      baseTemperature: 0,
    });
    const [first, last] = [days[0], days.at(-1)];
    if (first === undefined || last === undefined) return null;
    const toYear = ({ date }: { readonly date: string }): number => Number(date.slice(0, 4));
    return {
      days: toNormals(days),
      firstYear: toYear(first),
      lastYear: toYear(last),
      lineage: found.lineage,
    };
  };

/** The last years of an extent. */
function toLastYears({ from, to }: WeatherExtent, years: number): WeatherExtent {
  const first = toDay(parseDay(to) + 1 - Math.round(years * 365.25));
  return { from: from > first ? from : first, to };
}

/** A normal is a mean that includes this many days before and after the day; a monthly mean would be too coarse. */
const HALF_WINDOW_DAYS = 3;
/** Days of a leap year. */
const DAYS = 366;

/** Means by day of the year, over all years. Days of the year without any value are left out. */
function toNormals(days: readonly WeatherDay[]): readonly NormalDay[] {
  const bySlot = Map.groupBy(days, ({ date }) => toSlot(date));
  const normals: NormalDay[] = [];
  for (let slot = 0; slot < DAYS; slot++) {
    const near: WeatherDay[] = [];
    for (let i = -HALF_WINDOW_DAYS; i <= HALF_WINDOW_DAYS; i++)
      near.push(...(bySlot.get((slot + i + DAYS) % DAYS) ?? []));
    if (near.length === 0) continue;
    const day = new Date(Date.UTC(2000, 0, 1 + slot)).toISOString().slice(5, 10);
    const rain = near.flatMap(({ rainfall }) => (rainfall === null ? [] : [rainfall]));
    normals.push({
      day,
      years: new Set(near.map(({ date }) => date.slice(0, 4))).size,
      temperatureMin: toMean(near.map(({ temperatureMin }) => temperatureMin)),
      temperatureMax: toMean(near.map(({ temperatureMax }) => temperatureMax)),
      rainfall: rain.length === 0 ? null : toMean(rain),
    });
  }
  return normals;
}

/** Day of a leap year from 0, of a date as 2026-05-02: the same date has the same number in every year. */
function toSlot(date: string): number {
  const ms = Date.parse(`2000-${date.slice(5)}T00:00:00Z`) - Date.UTC(2000, 0, 1);
  return Math.round(ms / DAY_MS);
}

const toMean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** A series of days, gathered if it has hours. */
function toDaySeries(
  series: WeatherSeries,
  { from, to, utcOffsetHours }: Pick<HistoryRequest, 'from' | 'to' | 'utcOffsetHours'>,
): WeatherSeries {
  if (series.stepHours === 24) return series;
  return gatherDays(series, { firstDay: parseDay(from), lastDay: parseDay(to), utcOffsetHours });
}

const toFirstDay = ({ startMs, utcOffsetHours }: WeatherSeries): number =>
  Math.round((startMs + utcOffsetHours * HOUR_MS) / DAY_MS);

/** Whether a day lacks one of its temperatures. */
function hasGapAt(series: WeatherSeries, day: number): boolean {
  const i = day - toFirstDay(series);
  const { temperatureMin, temperatureMax } = series.values;
  return Number.isNaN(temperatureMin?.[i] ?? Number.NaN) || Number.isNaN(temperatureMax?.[i] ?? Number.NaN);
}

/** Whether any day from one on has both temperatures. */
function hasDays(series: WeatherSeries, fromDay: number): boolean {
  const first = toFirstDay(series);
  for (let day = Math.max(first, fromDay); day < first + series.stepCount; day++)
    if (!hasGapAt(series, day)) return true;
  return false;
}
