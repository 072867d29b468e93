/** Weather of an area by day: what was, and what is to come. */
import type { Outline } from '../scenes/footprint.ts';
import { asNumber, asRecord, asText } from '../scenes/read-json.ts';
import type { Weather, WeatherDay } from '../state/series-state.ts';
import { Failure } from './failure.ts';
import type { PatientParts } from './send-patiently.ts';
import { sendPatiently } from './send-patiently.ts';

/** Days of an area, `YYYY-MM-DD`, both included. */
export interface WeatherRequest {
  readonly outline: Outline;
  readonly from: string;
  readonly to: string;
  readonly today: string;
}

/** Reads the list of days; one without temperatures is left out. */
const parseWeatherDays = (body: unknown, isForecast: boolean): readonly WeatherDay[] =>
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

/** What the server computes of the weather of the past. */
const COMPUTED = ['growing_degree_days', 'reference_evapotranspiration', 'water_balance'];

const NOTHING: Weather = { days: [], source: null };

/** The weather of a period, and the forecast where the period reaches today; no days where no source has any. */
export const readWeather = async (
  parts: PatientParts,
  { outline, from, to, today }: WeatherRequest,
  signal: AbortSignal,
): Promise<Weather> => {
  const post = async (path: string, body: object, isForecast: boolean): Promise<Weather> => {
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ geometry: outline, ...body }),
    };
    try {
      const response = await sendPatiently(parts, { path, init, signal });
      return {
        days: parseWeatherDays(JSON.parse(await response.text()), isForecast),
        source: response.headers.get('x-weather-source'),
      };
    } catch (error) {
      // No source knows this location: nothing that trying again would change.
      if (error instanceof Failure && error.code === 'no-weather') return NOTHING;
      throw error;
    }
  };
  const end = to < today ? to : today;
  const [past, coming] = await Promise.all([
    from <= end
      ? post('api/cz/backend/forecast-history', { start_date: from, end_date: end, fields: COMPUTED }, false)
      : NOTHING,
    to >= today ? post('api/cz/backend/forecast', {}, true) : NOTHING,
  ]);
  const last = past.days.at(-1)?.day ?? '';
  return {
    days: [...past.days, ...coming.days.filter(({ day }) => day > last)],
    source: past.source ?? coming.source,
  };
};
