/** Weather of a place by day: what was, and what is to come. */
import { asNumber, asRecord, asText } from './read-json.ts';
import type { Geometry } from './scenes.ts';
import type { Transport } from './transport.ts';
import { ask, toPost } from './transport.ts';

/** The weather of a day; null where it is not known. */
export interface WeatherDay {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly minC: number;
  readonly maxC: number;
  readonly rainMm: number | null;
  /** Degrees above 10 °C, the reference evapotranspiration, and rain less that; null for days to come. */
  readonly growingDegrees: number | null;
  readonly evaporationMm: number | null;
  readonly balanceMm: number | null;
  readonly isForecast: boolean;
}

/** Days of weather, oldest first, and where they come from. */
export interface Weather {
  readonly days: readonly WeatherDay[];
  /** Such as `grid:era5`; null if nothing is known of the place. */
  readonly source: string | null;
}

/** A place and days, both included. */
export interface WeatherQuery {
  /** A point or an area. */
  readonly place: Geometry;
  readonly from: string;
  readonly to: string;
}

/** The calls. */
export interface WeatherCalls {
  readWeather(query: WeatherQuery, signal?: AbortSignal): Promise<Weather>;
  /** The coming days, up to 14. */
  readForecast(place: Geometry, signal?: AbortSignal): Promise<Weather>;
}

/** What the service computes of the weather of the past. */
const COMPUTED = ['growing_degree_days', 'reference_evapotranspiration', 'water_balance'];

/** Builds the calls. */
export function makeWeatherCalls(transport: Pick<Transport, 'send' | 'toError' | 'wait'>): WeatherCalls {
  const read = async (path: string, body: object, isForecast: boolean, signal?: AbortSignal) => {
    const response = await ask(transport, { path, init: toPost(body), signal });
    return {
      days: parseDays(JSON.parse(await response.text()), isForecast),
      source: response.headers.get('x-weather-source'),
    };
  };
  return {
    readWeather: ({ place, from, to }, signal) =>
      read(
        'api/cz/backend/forecast-history',
        { geometry: place, start_date: from, end_date: to, fields: COMPUTED },
        false,
        signal,
      ),
    readForecast: (place, signal) => read('api/cz/backend/forecast', { geometry: place }, true, signal),
  };
}

/** Reads the list of days; one without temperatures is left out. */
const parseDays = (body: unknown, isForecast: boolean): readonly WeatherDay[] =>
  (Array.isArray(body) ? body : []).flatMap((value: unknown) => {
    const fields = asRecord(value);
    const [day, minC, maxC] = [
      asText(fields.date),
      asNumber(fields.temperature_min),
      asNumber(fields.temperature_max),
    ];
    if (day === null || minC === null || maxC === null) return [];
    return [
      {
        day,
        minC,
        maxC,
        rainMm: asNumber(fields.rainfall),
        growingDegrees: asNumber(fields.growing_degree_days),
        evaporationMm: asNumber(fields.reference_evapotranspiration),
        balanceMm: asNumber(fields.water_balance),
        isForecast,
      },
    ];
  });
