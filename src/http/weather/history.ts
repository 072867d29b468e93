import { z } from 'zod';
import { badInput } from '../../errors.ts';
import { number } from '../endpoint/body-schemas.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import type { ApiRequest } from '../request/api-request.ts';
import type { Params } from '../request/params.ts';
import { readChoice, readNumber } from '../request/params.ts';
import { answerWeather, readForm } from './answer-weather.ts';
import { parseFields } from './body.ts';
import { DAY_FIELDS, readDayFields } from './day-rows.ts';
import { daySchema } from './day-schema.ts';
import { HOUR_FIELDS } from './hour-rows.ts';
import { readLocation } from './location.ts';
import { exampleGeometry, locationFields } from './location-schema.ts';
import { toHistoryAge } from './max-age.ts';
import type { Period } from './period.ts';
import { readPeriod } from './period.ts';
import { toWeatherAnswers } from './shared-answers.ts';
import type { WeatherDeps } from './weather-deps.ts';

/** Ten years of days; a year of hours. */
const MAX_DAYS = 3_660;
const MAX_DAYS_OF_HOURS = 366;

/** Growing degree days of maize and other summer crops count from here, °C (McMaster and Wilhelm, 1997). */
const BASE_TEMPERATURE = 10;
const MIN_BASE = -20;
const MAX_BASE = 40;

const value = z.number().nullable();

const further = z.object(Object.fromEntries(DAY_FIELDS.map((name) => [name, value.optional()])));

const hour = z.object({
  time: z.string(),
  ...Object.fromEntries(HOUR_FIELDS.map((name) => [name, value.optional()])),
});

/** `POST /api/cz/backend/forecast-history`, and `/weather/forecast-history`. */
export const weatherHistory = (deps: WeatherDeps): Endpoint => ({
  summary: 'Weather of the past by day, or by hour',
  description:
    'One object for each local day that has temperatures; other values are null where nothing is known. Accept: text/csv gives a table.',
  tag: 'Weather',
  body: {
    description: 'Where and when. If both geometry and polygon_id are given, polygon_id counts.',
    schema: z.object({
      ...locationFields,
      start_date: z.string().describe('Such as 2026-05-01.'),
      end_date: z
        .string()
        .describe(`At most ${MAX_DAYS} days with the first; ${MAX_DAYS_OF_HOURS} of hours.`),
      fields: z
        .union([z.string().max(2_048), z.array(z.enum(DAY_FIELDS)).max(2 * DAY_FIELDS.length)])
        .nullish()
        .describe(`Further fields of days, a list or with commas between them: ${DAY_FIELDS.join(', ')}.`),
      base_temperature: number(MIN_BASE, MAX_BASE)
        .nullish()
        .describe(`Growing degree days count from it, °C; ${BASE_TEMPERATURE} by default.`),
      step: z.enum(['day', 'hour', '']).nullish().describe('day by default.'),
    }),
    example: {
      geometry: exampleGeometry,
      start_date: '2026-05-01',
      end_date: '2026-05-31',
      fields: ['growing_degree_days', 'reference_evapotranspiration', 'water_balance'],
    },
  },
  answers: toWeatherAnswers('Days in their order, or hours in UTC.', {
    'application/json': z.union([z.array(daySchema.extend(further.shape)), z.array(hour)]),
    'text/csv': null,
  }),
  async handle(request) {
    const params = parseFields(await request.readJson());
    return readStep(params) === 'hour'
      ? answerHours(request, params, deps)
      : answerDays(request, params, deps);
  },
});

const readStep = (params: Params): 'day' | 'hour' =>
  readChoice(params, 'step', { choices: ['day', 'hour'], fallback: 'day' });

async function answerDays(request: ApiRequest, params: Params, deps: WeatherDeps): Promise<Response> {
  const startedAt = performance.now();
  const period = readPeriod(params, MAX_DAYS);
  const fields = readDayFields(params);
  const baseTemperature = readBase(params);
  const where = await readLocation(params, { wins: 'polygon_id', ticket: request.ticket }, deps);
  const form = readForm(request);
  const question = { kind: 'days', where, ...period, fields, baseTemperature, form } as const;
  return answerWeather(request, question, { startedAt, maxAgeS: readAge(period, deps) }, deps);
}

async function answerHours(request: ApiRequest, params: Params, deps: WeatherDeps): Promise<Response> {
  const startedAt = performance.now();
  if (readDayFields(params).length > 0)
    throw badInput('bad-fields', 'fields are those of days; leave them out with step hour.');
  const period = readPeriod(params, MAX_DAYS_OF_HOURS);
  const where = await readLocation(params, { wins: 'polygon_id', ticket: request.ticket }, deps);
  const question = { kind: 'hours', where, ...period, form: readForm(request) } as const;
  return answerWeather(request, question, { startedAt, maxAgeS: readAge(period, deps) }, deps);
}

const readAge = (period: Period, { now, maxAgeS }: WeatherDeps): number =>
  toHistoryAge(period, { nowMs: now().getTime(), maxAgeS });

function readBase(params: Params): number {
  const base = readNumber(params, 'base_temperature') ?? BASE_TEMPERATURE;
  if (base >= MIN_BASE && base <= MAX_BASE) return base;
  throw badInput('bad-base-temperature', `base_temperature must be from ${MIN_BASE} to ${MAX_BASE} °C.`);
}
