/** Weather of an area by day: what was, and what is to come. */
import type { Weather } from '../../clients/typescript/src/weather.ts';
import { makeWeatherCalls } from '../../clients/typescript/src/weather.ts';
import type { Outline } from '../scenes/footprint.ts';
import type { PatientParts } from './client-transport.ts';
import { toTransport } from './client-transport.ts';
import { Failure } from './failure.ts';

/** Days of an area, `YYYY-MM-DD`, both included. */
export interface WeatherRequest {
  readonly outline: Outline;
  readonly from: string;
  readonly to: string;
  readonly today: string;
}

const NOTHING: Weather = { days: [], source: null };

/** No source knows this location: nothing that trying again would change. */
const orNothing = (error: unknown): Weather => {
  if (error instanceof Failure && error.code === 'no-weather') return NOTHING;
  throw error;
};

/** The weather of a period, and the forecast where the period reaches today; no days where no source has any. */
export const readWeather = async (
  parts: PatientParts,
  { outline: place, from, to, today }: WeatherRequest,
  signal: AbortSignal,
): Promise<Weather> => {
  const calls = makeWeatherCalls(toTransport(parts, signal));
  const end = to < today ? to : today;
  const [past, coming] = await Promise.all([
    from <= end ? calls.readWeather({ place, from, to: end }, signal).catch(orNothing) : NOTHING,
    to >= today ? calls.readForecast(place, signal).catch(orNothing) : NOTHING,
  ]);
  const last = past.days.at(-1)?.day ?? '';
  return {
    days: [...past.days, ...coming.days.filter(({ day }) => day > last)],
    source: past.source ?? coming.source,
  };
};
