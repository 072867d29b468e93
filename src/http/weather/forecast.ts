import { z } from 'zod';
import type { ForecastDay, ForecastDetails } from '../../weather/index.ts';
import { FORECAST_HOURS } from '../../weather/index.ts';
import { onOff } from '../endpoint/body-schemas.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import { readSwitch } from '../request/params.ts';
import { askWeather } from './ask-weather.ts';
import { parseFields } from './body.ts';
import { readLocation } from './location.ts';
import { exampleGeometry, locationFields } from './location-schema.ts';
import { toForecastAge } from './max-age.ts';
import { round } from './rounded.ts';
import { toWeatherAnswers } from './shared-answers.ts';
import { answerJson } from './table-answer.ts';
import type { WeatherDeps } from './weather-deps.ts';

/** Hours of a forecast, and of one with `full`. */
const HOURS = 72;
const FULL_HOURS = 180;

/** The clock of forecast days is two hours ahead of UTC everywhere: their hours are the three-hour steps of models there. */
const CLOCK_HOURS = 2;

/** How hours are spelled as names: `2h` on the older address, `02h` on the newer ones. */
export type HourNames = 'plain' | 'padded';

const toHourName = (hour: number, names: HourNames): string =>
  `${names === 'padded' ? String(hour).padStart(2, '0') : hour}h`;

const byHour = z.record(z.string(), z.number());

/** `POST /api/forecast/weather`, `…/weather/forecast` and `…/weather/forecast/world`. */
export const weatherForecast = (deps: WeatherDeps, names: HourNames): Endpoint => ({
  summary: 'Weather forecast in steps of three hours',
  description: `One object for each day that the newest model run reaches, on the clock two hours ahead of UTC. Days that it does not cover whole have temperatures only; what is not known is left out. Names of hours are ${toHourName(2, names)}, ${toHourName(5, names)} to 23h. Rain is in mm since the run began, wind in m/s at 10 m.`,
  tag: 'Weather',
  body: {
    description: 'Where. If both geometry and polygon_id are given, geometry counts.',
    schema: z.object({
      ...locationFields,
      full: onOff.nullish().describe(`${FULL_HOURS} hours instead of ${HOURS}.`),
    }),
    example: { geometry: exampleGeometry, full: true },
  },
  answers: toWeatherAnswers('Days in their order.', {
    'application/json': z.array(
      z.object({
        Date: z.string(),
        Temp_air_min: z.number().describe('°C at 2 m.'),
        Temp_air_max: z.number(),
        Temp_land_min: z.number().optional().describe('°C of the upper soil.'),
        Temp_land_max: z.number().optional(),
        Rel_humidity: z.number().optional().describe('Mean, %.'),
        Snow_depth: z.number().optional().describe('cm.'),
        Rain: byHour.optional().describe('mm since the run began.'),
        Windspeed: byHour.optional().describe('m/s at 10 m.'),
      }),
    ),
  }),
  async handle(request) {
    const startedAt = performance.now();
    const params = parseFields(await request.readJson());
    const hours = readSwitch(params, 'full', false) ? FULL_HOURS : HOURS;
    const where = await readLocation(params, { wins: 'geometry', ticket: request.ticket }, deps);
    const { days, lineage } = await askWeather(
      (signal) => deps.weather.readForecast({ where, hours, ...signal }),
      request.ticket,
    );
    const readAt = performance.now();
    return answerJson(
      request,
      days.map((day) => toDay(day, names)),
      {
        origin: { lineage, utcOffsetHours: CLOCK_HOURS, nowMs: deps.now().getTime() },
        maxAgeS: toForecastAge(deps.maxAgeS),
        startedAt,
        readAt,
      },
    );
  },
});

type WireDay = Record<string, string | number | Record<string, number>>;

/** Programs convert every value that is there to a number: what is not known is left out, and never null. */
function toDay({ date, airMin, airMax, landMin, landMax, details }: ForecastDay, names: HourNames): WireDay {
  const day: WireDay = { Date: date, Temp_air_min: round(airMin), Temp_air_max: round(airMax) };
  addKnown(day, 'Temp_land_min', landMin);
  addKnown(day, 'Temp_land_max', landMax);
  if (details !== null) addDetails(day, details, names);
  return day;
}

function addDetails(
  day: WireDay,
  { humidity, snowDepth, rain, wind }: ForecastDetails,
  names: HourNames,
): void {
  addKnown(day, 'Rel_humidity', humidity);
  addKnown(day, 'Snow_depth', snowDepth);
  addHours(day, 'Rain', rain, names);
  addHours(day, 'Windspeed', wind, names);
}

function addKnown(day: WireDay, name: string, value: number | null): void {
  if (value !== null) day[name] = round(value);
}

function addHours(day: WireDay, name: string, values: readonly (number | null)[], names: HourNames): void {
  const known: Record<string, number> = {};
  for (const [i, hour] of FORECAST_HOURS.entries()) {
    const value = values[i] ?? null;
    if (value !== null) known[toHourName(hour, names)] = round(value);
  }
  if (Object.keys(known).length > 0) day[name] = known;
}
