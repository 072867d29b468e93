/** Forecasts in steps of three hours, and by day. */
import type { Endpoint } from '../kit/endpoint.ts';
import { defineFields, flag, number, toObjectSchema } from '../kit/fields.ts';
import { json } from '../kit/json-schema.ts';
import type { WeatherDeps } from './answer-weather.ts';
import { answerWeather, readForm, toForecastAge, toWeatherAnswers } from './answer-weather.ts';
import { exampleGeometry, locationFields, parseFields, readLocation } from './weather-body.ts';
import type { HourNames } from './weather-rows.ts';
import { dayProperties, toHourName } from './weather-rows.ts';

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
    example: { geometry: exampleGeometry, full: true },
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
const MAX_DAYS = 14;

/** Fields of forecast days in addition to those of the history. */
const FIELDS = ['humidity', 'cloudiness'] as const;

const comingDaysFields = defineFields({
  ...locationFields,
  days: number({
    description: `1 to ${MAX_DAYS}; ${MAX_DAYS} by default.`,
    min: 1,
    max: MAX_DAYS,
    isWhole: true,
    fallback: MAX_DAYS,
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
    example: { geometry: exampleGeometry, days: 7 },
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
      fields: FIELDS,
      form: readForm(request),
    } as const;
    return answerWeather(request, question, { startedAt, maxAgeS: toForecastAge(deps.maxAgeS) }, deps);
  },
});
