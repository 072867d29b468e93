import { describeDays } from '../daily/describe-days.ts';
import { toCentre } from '../series/centre.ts';
import { parseDay, toDay, toUtcOffset } from '../series/days.ts';
import type { HistoryRequest, WeatherExtent, WeatherLocation } from '../series/weather-provider.ts';
import type { WeatherNormals } from '../weather-types.ts';
import type { AskProviders } from './ask-providers.ts';
import { toDaySeries } from './day-series.ts';
import { toNormals } from './to-normals.ts';

/** Where normals are asked for. */
export interface NormalsRequest {
  readonly where: WeatherLocation;
  readonly signal?: AbortSignal | undefined;
}

/** Years of normals, as the World Meteorological Organization has them. */
const NORMAL_YEARS = 30;

/** Builds the reading of normals, of the years that a provider has stored. */
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
