import { DAY_MS, HOUR_MS } from '../../units.ts';
import { describeDays } from '../daily/describe-days.ts';
import { gatherDays } from '../daily/gather-days.ts';
import { toSeasonStart } from '../physics/hardening.ts';
import { toCentre } from '../series/centre.ts';
import { toDay, toUtcOffset } from '../series/days.ts';
import type { ProvidedWeather, WeatherLocation } from '../series/weather-provider.ts';
import type { DailyWeather } from '../weather-types.ts';
import type { AskProviders } from './ask-providers.ts';
import { hasDays } from './day-series.ts';
import type { ReadDays } from './read-days.ts';

/** Days to come, from today on. */
export interface ComingDaysRequest {
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
    // A run may be a day old, and its days must end.
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
