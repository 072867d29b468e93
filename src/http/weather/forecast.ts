import { z } from 'zod';
import { onOff } from '../endpoint/body-schemas.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import { readSwitch } from '../request/params.ts';
import { answerWeather } from './answer-weather.ts';
import { parseFields } from './body.ts';
import type { HourNames } from './forecast-days.ts';
import { toHourName } from './forecast-days.ts';
import { readLocation } from './location.ts';
import { exampleGeometry, locationFields } from './location-schema.ts';
import { toForecastAge } from './max-age.ts';
import { toWeatherAnswers } from './shared-answers.ts';
import type { WeatherDeps } from './weather-deps.ts';

/** Hours of a forecast, and of one with `full`. */
const HOURS = 72;
const FULL_HOURS = 180;

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
    const question = { kind: 'forecast', where, hours, names, form: 'json' } as const;
    return answerWeather(request, question, { startedAt, maxAgeS: toForecastAge(deps.maxAgeS) }, deps);
  },
});
