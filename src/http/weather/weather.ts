/** The weather endpoints: the past by day or by hour, normal weather, and forecasts. */

import { suggestName } from '../../bandmath/index.ts';
import { EXAMPLE_FIELD } from '../areas.ts';
import { badInput } from '../errors.ts';
import type { Answer } from '../kit/answers.ts';
import type { ApiRequest, Endpoint } from '../kit/endpoint.ts';
import type { Params } from '../kit/fields.ts';
import { choice, defineFields, flag, MAX_TEXT, number, texts, toObjectSchema } from '../kit/fields.ts';
import { json } from '../kit/json-schema.ts';
import type { DayField, HourNames } from './weather-documents.ts';
import { DAY_FIELDS, dayProperties, HOUR_FIELDS, toHourName } from './weather-documents.ts';
import type { Period, WeatherDeps } from './weather-request.ts';
import {
  answerWeather,
  checkPeriod,
  day,
  locationFields,
  parseFields,
  readForm,
  readLocation,
  toForecastAge,
  toHistoryAge,
  toWeatherAnswers,
} from './weather-request.ts';

/** Ten years of days; a year of hours. */
const MAX_DAYS = 3_660;
const MAX_DAYS_OF_HOURS = 366;

/** Growing degree days of maize and other summer crops count from here, °C (McMaster and Wilhelm, 1997). */
const BASE_TEMPERATURE = 10;

/** The fields of a body of history. */
const historyFields = defineFields({
  ...locationFields,
  start_date: day('Such as 2026-05-01.'),
  end_date: day(`At most ${MAX_DAYS} days with the first; ${MAX_DAYS_OF_HOURS} of hours.`),
  fields: {
    schema: json.nullable(
      json.union([
        json.string({ max: MAX_TEXT }),
        json.list(json.choice(DAY_FIELDS), { max: 2 * DAY_FIELDS.length }),
      ]),
      {
        description: `Further fields of days, a list or with commas between them: ${DAY_FIELDS.join(', ')}.`,
      },
    ),
    parse: parseDayFields,
  },
  base_temperature: number({
    description: `Growing degree days count from it, °C; ${BASE_TEMPERATURE} by default.`,
    min: -20,
    max: 40,
    fallback: BASE_TEMPERATURE,
    rule: 'must be from -20 to 40 °C.',
  }),
  step: choice({ description: 'day by default.', names: ['day', 'hour'], fallback: 'day' }),
});

const names = texts({ max: 2 * DAY_FIELDS.length });

/** Names of further fields: a list, or a text with commas between them. */
function parseDayFields(value: unknown, name: string): readonly DayField[] {
  const read = names.parse(value, name) ?? [];
  // A text that is empty, or ends in a comma, names nothing more.
  const given = typeof value === 'string' ? read.filter((one) => one !== '') : read;
  const unknown = given.find((one) => !DAY_FIELDS.includes(one as DayField));
  if (unknown !== undefined) throw refuseDayField(unknown);
  return [...new Set(given)] as DayField[];
}

function refuseDayField(name: string): Error {
  const known = suggestName(name, DAY_FIELDS);
  const hint = known === null ? `known are ${DAY_FIELDS.join(', ')}.` : `did you mean ${known}?`;
  return badInput('bad-fields', `fields: there is no field ${JSON.stringify(name.slice(0, 40))}; ${hint}`);
}

const value = json.nullable(json.number());
const further = Object.fromEntries(DAY_FIELDS.map((name) => [`${name}?`, value]));
const hour = json.object({
  time: json.string(),
  ...Object.fromEntries(HOUR_FIELDS.map((name) => [`${name}?`, value])),
});

/** `POST /api/cz/backend/forecast-history`, and `/weather/forecast-history`. */
export const weatherHistory = (deps: WeatherDeps): Endpoint => ({
  summary: 'Weather of the past by day, or by hour',
  description:
    'One object for each local day that has temperatures; other values are null if unknown. Accept: text/csv returns a table.',
  tag: 'Weather',
  body: {
    description: 'Where and when. If both geometry and polygon_id are given, polygon_id is used.',
    schema: toObjectSchema(historyFields),
    example: {
      geometry: EXAMPLE_FIELD,
      start_date: '2026-05-01',
      end_date: '2026-05-31',
      fields: ['growing_degree_days', 'reference_evapotranspiration', 'water_balance'],
    },
  },
  answers: toWeatherAnswers('Days in their order, or hours in UTC.', {
    'application/json': json.union([
      json.list(json.object({ ...dayProperties, ...further })),
      json.list(hour),
    ]),
    'text/csv': null,
  }),
  async handle(request) {
    const params = parseFields(await request.readJson());
    return historyFields.step.read(params) === 'hour'
      ? answerHours(request, params, deps)
      : answerDays(request, params, deps);
  },
});

async function answerDays(request: ApiRequest, params: Params, deps: WeatherDeps): Promise<Answer> {
  const startedAt = performance.now();
  const period = readPeriod(params, MAX_DAYS);
  const fields = historyFields.fields.read(params);
  const baseTemperature = historyFields.base_temperature.read(params);
  const where = await readLocation(params, { wins: 'polygon_id', ticket: request.ticket }, deps);
  const form = readForm(request);
  const question = { kind: 'days', where, ...period, fields, baseTemperature, form } as const;
  return answerWeather(request, question, { startedAt, maxAgeS: readAge(period, deps) }, deps);
}

async function answerHours(request: ApiRequest, params: Params, deps: WeatherDeps): Promise<Answer> {
  const startedAt = performance.now();
  if (historyFields.fields.read(params).length > 0)
    throw badInput('bad-fields', 'fields are those of days; leave them out with step hour.');
  const period = readPeriod(params, MAX_DAYS_OF_HOURS);
  const where = await readLocation(params, { wins: 'polygon_id', ticket: request.ticket }, deps);
  const question = { kind: 'hours', where, ...period, form: readForm(request) } as const;
  return answerWeather(request, question, { startedAt, maxAgeS: readAge(period, deps) }, deps);
}

const readAge = (period: Period, { wallClockMs, maxAgeS }: WeatherDeps): number =>
  toHistoryAge(period, { nowMs: wallClockMs(), maxAgeS });

const readPeriod = (params: Params, maxDays: number): Period =>
  checkPeriod(historyFields.start_date.read(params), historyFields.end_date.read(params), maxDays);

/** `POST /api/weather/normals`. */
export const weatherNormals = (deps: WeatherDeps): Endpoint => ({
  summary: 'Normal weather by day of the year',
  description:
    'Means over all stored years, each over the days within a week of the date. Accept: text/csv returns a table.',
  tag: 'Weather',
  body: {
    description: 'Where. If both geometry and polygon_id are given, polygon_id is used.',
    schema: toObjectSchema(locationFields),
    example: { geometry: EXAMPLE_FIELD },
  },
  answers: toWeatherAnswers('The years, and the days of the year in their order.', {
    'application/json': json.object({
      first_year: json.integer(),
      last_year: json.integer(),
      days: json.list(
        json.object({
          day: json.string({ description: 'Such as 05-02.' }),
          years: json.integer({ description: 'How many years the means are of.' }),
          temperature_min: json.number({ description: '°C.' }),
          temperature_max: json.number({ description: '°C.' }),
          rainfall: json.nullable(json.number(), { description: 'mm a day.' }),
        }),
      ),
    }),
    'text/csv': null,
  }),
  async handle(request) {
    const startedAt = performance.now();
    const params = parseFields(await request.readJson());
    const where = await readLocation(params, { wins: 'polygon_id', ticket: request.ticket }, deps);
    const question = { kind: 'normals', where, form: readForm(request) } as const;
    return answerWeather(request, question, { startedAt, maxAgeS: toForecastAge(deps.maxAgeS) }, deps);
  },
});

/** Hours of a forecast, and of one with `full`. */
const HOURS = 72;
const FULL_HOURS = 180;

const byHour = (description: string) => json.map(json.number(), { description });

const forecastFields = defineFields({
  ...locationFields,
  full: flag({ description: `${FULL_HOURS} hours instead of ${HOURS}.`, fallback: false }),
});

/** `POST /api/forecast/weather`, `…/weather/forecast` and `…/weather/forecast/world`. */
export const weatherForecast = (deps: WeatherDeps, names: HourNames): Endpoint => ({
  summary: 'Weather forecast in steps of three hours',
  description: `One object for each day that the newest model run reaches, on the clock two hours ahead of UTC. Days that it does not cover whole have temperatures only; what is not known is left out. Names of hours are ${toHourName(2, names)}, ${toHourName(5, names)} to 23h. Rain is in mm since the run began, wind in m/s at 10 m.`,
  tag: 'Weather',
  body: {
    description: 'Where. If both geometry and polygon_id are given, geometry is used.',
    schema: toObjectSchema(forecastFields),
    example: { geometry: EXAMPLE_FIELD, full: true },
  },
  answers: toWeatherAnswers('Days in their order.', {
    'application/json': json.list(
      json.object({
        Date: json.string(),
        Temp_air_min: json.number({ description: '°C at 2 m.' }),
        Temp_air_max: json.number(),
        'Temp_land_min?': json.number({ description: '°C of the upper soil.' }),
        'Temp_land_max?': json.number(),
        'Rel_humidity?': json.number({ description: 'Mean, %.' }),
        'Snow_depth?': json.number({ description: 'cm.' }),
        'Rain?': byHour('mm since the run began.'),
        'Windspeed?': byHour('m/s at 10 m.'),
      }),
    ),
  }),
  async handle(request) {
    const startedAt = performance.now();
    const params = parseFields(await request.readJson());
    const hours = forecastFields.full.read(params) ? FULL_HOURS : HOURS;
    const where = await readLocation(params, { wins: 'geometry', ticket: request.ticket }, deps);
    const question = { kind: 'forecast', where, hours, names, form: 'json' } as const;
    return answerWeather(request, question, { startedAt, maxAgeS: toForecastAge(deps.maxAgeS) }, deps);
  },
});

/** Two weeks: further ahead, a model knows no more than the climate. */
const MAX_COMING_DAYS = 14;

/** Fields of forecast days in addition to those of the history. */
const COMING_FIELDS = ['humidity', 'cloudiness'] as const;

const comingDaysFields = defineFields({
  ...locationFields,
  days: number({
    description: `1 to ${MAX_COMING_DAYS}; ${MAX_COMING_DAYS} by default.`,
    min: 1,
    max: MAX_COMING_DAYS,
    isWhole: true,
    fallback: MAX_COMING_DAYS,
  }),
});

/** `POST /api/cz/backend/forecast`. */
export const comingDays = (deps: WeatherDeps): Endpoint => ({
  summary: 'Daily weather forecast',
  description:
    'From today, with the fields of the history plus humidity and cloudiness in percent, for as many days as the newest model run covers. Accept: text/csv returns a table.',
  tag: 'Weather',
  body: {
    description: 'Where, and how many days. If both geometry and polygon_id are given, polygon_id is used.',
    schema: toObjectSchema(comingDaysFields),
    example: { geometry: EXAMPLE_FIELD, days: 7 },
  },
  answers: toWeatherAnswers('Days in their order.', {
    'application/json': json.list(
      json.object({
        ...dayProperties,
        humidity: json.nullable(json.number()),
        cloudiness: json.nullable(json.number()),
      }),
    ),
    'text/csv': null,
  }),
  async handle(request) {
    const startedAt = performance.now();
    const params = parseFields(await request.readJson());
    const count = comingDaysFields.days.read(params);
    const where = await readLocation(params, { wins: 'polygon_id', ticket: request.ticket }, deps);
    const question = {
      kind: 'coming-days',
      where,
      days: count,
      fields: COMING_FIELDS,
      form: readForm(request),
    } as const;
    return answerWeather(request, question, { startedAt, maxAgeS: toForecastAge(deps.maxAgeS) }, deps);
  },
});
