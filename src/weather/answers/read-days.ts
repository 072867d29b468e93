import { describeDays } from '../daily/describe-days.ts';
import { toSeasonStart } from '../physics/hardening.ts';
import { toCentre } from '../series/centre.ts';
import { parseDay, toUtcOffset } from '../series/days.ts';
import type { Heights } from '../series/heights.ts';
import type { HistoryRequest, ProvidedWeather } from '../series/weather-provider.ts';
import { WEATHER_VARIABLE_NAMES } from '../series/weather-series.ts';
import type { DailyWeather, DaysRequest } from '../weather-types.ts';
import type { AskProviders } from './ask-providers.ts';
import { hasDays, hasGapAt, toDaySeries } from './day-series.ts';

/** Reads days of the past. */
export type ReadDays = (request: DaysRequest) => Promise<DailyWeather | null>;

/** Variables of which days are made, and those that only what is derived of days needs. */
const OF_DERIVED_DAYS = WEATHER_VARIABLE_NAMES.filter((variable) => variable !== 'soilTemperature');
const OF_DAYS = OF_DERIVED_DAYS.filter((variable) => variable !== 'radiation');
/** Of growing degree days, °C, unless it is said: for maize. */
const BASE_TEMPERATURE = 10;

/** Builds the reading. Days are read from the start of the season on: hardening must not depend on those asked for. */
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
    // Only evapotranspiration asks for it.
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
