import { z } from 'zod';
import { badInput } from '../../errors.ts';
import { number } from '../endpoint/body-schemas.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import type { Params } from '../request/params.ts';
import { readNumber } from '../request/params.ts';
import { answerWeather, readForm } from './answer-weather.ts';
import { parseFields } from './body.ts';
import { daySchema } from './day-schema.ts';
import { readLocation } from './location.ts';
import { exampleGeometry, locationFields } from './location-schema.ts';
import { toForecastAge } from './max-age.ts';
import { toWeatherAnswers } from './shared-answers.ts';
import type { WeatherDeps } from './weather-deps.ts';

/** Two weeks: further ahead, a model knows no more than the climate. */
const MAX_DAYS = 14;

/** What programs read of days to come, in addition to the fields of the history. */
const FIELDS = ['humidity', 'cloudiness'] as const;

/** `POST /api/cz/backend/forecast`. */
export const comingDays = (deps: WeatherDeps): Endpoint => ({
  summary: 'Weather of the days to come',
  description:
    'From today on, with the fields of the history and humidity and cloudiness in percent: as many days as the newest model run reaches. Accept: text/csv gives a table.',
  tag: 'Weather',
  body: {
    description: 'Where, and how many days. If both geometry and polygon_id are given, polygon_id counts.',
    schema: z.object({
      ...locationFields,
      days: number(1, MAX_DAYS).nullish().describe(`1 to ${MAX_DAYS}, which is the default.`),
    }),
    example: { geometry: exampleGeometry, days: 7 },
  },
  answers: toWeatherAnswers('Days in their order.', {
    'application/json': z.array(
      daySchema.extend({ humidity: z.number().nullable(), cloudiness: z.number().nullable() }),
    ),
    'text/csv': null,
  }),
  async handle(request) {
    const startedAt = performance.now();
    const params = parseFields(await request.readJson());
    const count = readDays(params);
    const where = await readLocation(params, { wins: 'polygon_id', ticket: request.ticket }, deps);
    const question = {
      kind: 'coming-days',
      where,
      days: count,
      fields: FIELDS,
      form: readForm(request),
    } as const;
    return answerWeather(request, question, { startedAt, maxAgeS: toForecastAge(deps.maxAgeS) }, deps);
  },
});

function readDays(params: Params): number {
  const days = readNumber(params, 'days') ?? MAX_DAYS;
  if (Number.isInteger(days) && days >= 1 && days <= MAX_DAYS) return days;
  throw badInput('bad-days', `days must be a whole number from 1 to ${MAX_DAYS}.`);
}
