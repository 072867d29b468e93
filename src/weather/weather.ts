import type { ErrorTag } from '../errors.ts';
import { isSwathError, unavailable } from '../errors.ts';
import { describeDays } from './daily/describe-days.ts';
import { gatherDays } from './daily/gather-days.ts';
import { toNormals } from './daily/normals.ts';
import { toForecastDays } from './forecast/forecast-days.ts';
import { toSeasonStart } from './physics/hardening.ts';
import { toCentre } from './series/centre.ts';
import { DAY_MS, HOUR_MS, parseDay, toDay, toUtcOffset } from './series/days.ts';
import type { Heights } from './series/heights.ts';
import type {
  HistoryRequest,
  ProvidedWeather,
  WeatherExtent,
  WeatherProvider,
} from './series/weather-provider.ts';
import type { WeatherSeries, WeatherVariable } from './series/weather-series.ts';
import { WEATHER_VARIABLE_NAMES } from './series/weather-series.ts';
import type { DailyWeather, DaysRequest, HourlyWeather, Weather } from './weather-types.ts';

interface WeatherDeps {
  /** In the order in which they are asked. */
  readonly providers: readonly WeatherProvider[];
  /** For evapotranspiration; null without elevation models. */
  readonly heights: Heights | null;
  readonly wallClockMs: () => number;
  /** A provider could not answer, and the next one is asked. */
  readonly onFailure: (provider: string, error: unknown) => void;
}

/** Of growing degree days, °C, unless it is said: for maize. */
const BASE_TEMPERATURE = 10;
/** Variables of which days are made. */
const OF_DAYS = WEATHER_VARIABLE_NAMES.filter((variable) => variable !== 'soilTemperature');
/** Hours that one forecast may need for coming days. */
const MAX_FORECAST_HOURS = 384;

/** Providers rest for half a minute after failures in a row. */
const RETRY_AFTER_S = 30;
/** Years of normals, as the World Meteorological Organization has them. */
const NORMAL_YEARS = 30;

/** Errors that are no fault of a provider, so that another one would not help. */
const OF_QUESTIONS: ReadonlySet<ErrorTag> = new Set(['bad-input', 'too-large', 'cancelled']);

/** Builds the service. */
export function makeWeather({ providers, heights, wallClockMs, onFailure }: WeatherDeps): Weather {
  /** Asks one provider after the other; null when none has anything, an error when one that failed might have. */
  async function ask<T>(question: (provider: WeatherProvider) => Promise<T | null>): Promise<T | null> {
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
    if (hasFailed)
      throw unavailable(
        'weather-unavailable',
        'No provider of weather answers at the moment; try again later.',
        { details: { retryAfterS: RETRY_AFTER_S } },
      );
    return null;
  }

  /** Days from the start of the season on, so that hardening does not depend on the days asked for. */
  async function readSeason({ where, from, to, signal }: DaysRequest): Promise<ProvidedWeather | null> {
    const { lon, lat } = toCentre(where);
    const request: HistoryRequest = {
      where,
      from: toSeasonStart(from, lat),
      to,
      utcOffsetHours: toUtcOffset(lon),
      variables: OF_DAYS,
      isHourly: false,
      signal,
    };
    return ask(async (provider) => {
      const provided = await provider.readHistory(request);
      if (provided === null) return null;
      const days = toDaySeries(provided.series, request);
      return hasDays(days, parseDay(from)) ? { ...provided, series: days } : null;
    });
  }

  async function describe(
    { series, lineage }: ProvidedWeather,
    { where, from, derived = [], baseTemperature = BASE_TEMPERATURE }: DaysRequest,
  ): Promise<DailyWeather> {
    const { lon, lat } = toCentre(where);
    const elevation =
      lineage.correctedToM ?? (derived.length > 0 ? await heights?.at(lon, lat) : null) ?? null;
    const start = toSeasonStart(from, lat);
    const days = describeDays(series, {
      fromDay: parseDay(from),
      isWholeSeason: !hasGapAt(series, parseDay(start)),
      seasonStart: start.slice(5),
      latitude: lat,
      elevation,
      derived,
      baseTemperature,
    });
    return { days, utcOffsetHours: series.utcOffsetHours, lineage };
  }

  return {
    async readDays(request) {
      const provided = await readSeason(request);
      return provided === null ? null : describe(provided, request);
    },
    async readHours({ where, from, to, signal }) {
      const { lon } = toCentre(where);
      const request: HistoryRequest = {
        where,
        from,
        to,
        utcOffsetHours: toUtcOffset(lon),
        variables: WEATHER_VARIABLE_NAMES,
        isHourly: true,
        signal,
      };
      const provided = await ask(async (provider) => {
        const found = await provider.readHistory(request);
        return found?.series.stepHours === 1 ? found : null;
      });
      return provided === null ? null : toHourly(provided);
    },
    async readNormals({ where, signal }) {
      const { lon, lat } = toCentre(where);
      const found = await ask(async (provider) => {
        const stored = await provider.readExtent?.(where);
        if (stored === undefined || stored === null) return null;
        const extent = toLastYears(stored, NORMAL_YEARS);
        const request: HistoryRequest = {
          where,
          ...extent,
          utcOffsetHours: toUtcOffset(lon),
          variables: ['temperature', 'temperatureMin', 'temperatureMax', 'precipitation'],
          isHourly: false,
          signal,
        };
        const provided = await provider.readHistory(request);
        return provided === null
          ? null
          : { ...provided, extent, series: toDaySeries(provided.series, request) };
      });
      if (found === null) return null;
      const described = describeDays(found.series, {
        fromDay: parseDay(found.extent.from),
        isWholeSeason: false,
        seasonStart: '',
        latitude: lat,
        elevation: null,
        derived: [],
        baseTemperature: BASE_TEMPERATURE,
      });
      const years = described.map(({ date }) => Number(date.slice(0, 4)));
      if (years.length === 0) return null;
      return {
        days: toNormals(described),
        firstYear: years[0]!,
        lastYear: years.at(-1)!,
        lineage: found.lineage,
      };
    },
    async readForecast({ where, hours, signal }) {
      const nowMs = wallClockMs();
      return ask(async (provider) => {
        const provided = await provider.readForecast({
          where,
          hours,
          nowMs,
          signal,
        });
        if (provided === null) return null;
        const days = toForecastDays(provided.series, hours, nowMs);
        return days.length === 0 ? null : { days, lineage: provided.lineage };
      });
    },
    async readComingDays({ where, days, signal }) {
      const nowMs = wallClockMs();
      const { lon } = toCentre(where);
      const utcOffsetHours = toUtcOffset(lon);
      const today = Math.floor((nowMs + utcOffsetHours * HOUR_MS) / DAY_MS);
      // A run may be a day old, and its days must end.
      const hours = Math.min(MAX_FORECAST_HOURS, (days + 2) * 24);
      const provided = await ask(async (provider) => {
        const found = await provider.readForecast({
          where,
          hours,
          nowMs,
          signal,
        });
        if (found === null) return null;
        const span = { firstDay: today, lastDay: today + days - 1, utcOffsetHours };
        const series = gatherDays(found.series, span);
        return hasDays(series, today) ? { ...found, series } : null;
      });
      return provided === null
        ? null
        : describe(provided, { where, from: toDay(today), to: toDay(today + days - 1) });
    },
  };
}

/** The last years of an extent. */
function toLastYears({ from, to }: WeatherExtent, years: number): WeatherExtent {
  const first = toDay(parseDay(to) + 1 - Math.round(years * 365.25));
  return { from: from > first ? from : first, to };
}

/** A series of days, gathered if it has hours. */
function toDaySeries(series: WeatherSeries, { from, to, utcOffsetHours }: HistoryRequest): WeatherSeries {
  if (series.stepHours === 24) return series;
  return gatherDays(series, { firstDay: parseDay(from), lastDay: parseDay(to), utcOffsetHours });
}

const toFirstDay = ({ startMs, utcOffsetHours }: WeatherSeries): number =>
  Math.round((startMs + utcOffsetHours * HOUR_MS) / DAY_MS);

/** Whether any day from one on has both temperatures. */
function hasDays(series: WeatherSeries, fromDay: number): boolean {
  const first = toFirstDay(series);
  for (let day = Math.max(first, fromDay); day < first + series.stepCount; day++)
    if (!hasGapAt(series, day)) return true;
  return false;
}

function hasGapAt(series: WeatherSeries, day: number): boolean {
  const i = day - toFirstDay(series);
  const { temperatureMin, temperatureMax } = series.values;
  return Number.isNaN(temperatureMin?.[i] ?? Number.NaN) || Number.isNaN(temperatureMax?.[i] ?? Number.NaN);
}

function toHourly({ series, lineage }: ProvidedWeather): HourlyWeather {
  const known = Object.entries(series.values) as [WeatherVariable, Float64Array][];
  const hours: HourlyWeather['hours'][number][] = [];
  for (let i = 0; i < series.stepCount; i++) {
    const hour: Partial<Record<WeatherVariable, number | null>> = {};
    let hasValue = false;
    for (const [variable, values] of known) {
      const value = values[i]!;
      hour[variable] = Number.isNaN(value) ? null : value;
      hasValue ||= !Number.isNaN(value);
    }
    const time = new Date(series.startMs + i * HOUR_MS).toISOString().slice(0, 16);
    if (hasValue) hours.push({ time: `${time}Z`, ...hour });
  }
  return { hours, lineage };
}
