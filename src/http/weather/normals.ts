import { z } from 'zod';
import type { Endpoint } from '../endpoint/endpoint.ts';
import { answerWeather, readForm } from './answer-weather.ts';
import { parseFields } from './body.ts';
import { readLocation } from './location.ts';
import { exampleGeometry, locationFields } from './location-schema.ts';
import { toForecastAge } from './max-age.ts';
import { toWeatherAnswers } from './shared-answers.ts';
import type { WeatherDeps } from './weather-deps.ts';

/** `POST /api/weather/normals`. */
export const weatherNormals = (deps: WeatherDeps): Endpoint => ({
  summary: 'Normal weather by day of the year',
  description:
    'Means of all stored years, each of the days within a week around it. Accept: text/csv gives a table.',
  tag: 'Weather',
  body: {
    description: 'Where. If both geometry and polygon_id are given, polygon_id counts.',
    schema: z.object(locationFields),
    example: { geometry: exampleGeometry },
  },
  answers: toWeatherAnswers('The years, and the days of the year in their order.', {
    'application/json': z.object({
      first_year: z.int(),
      last_year: z.int(),
      days: z.array(
        z.object({
          day: z.string().describe('Such as 05-02.'),
          years: z.int().describe('How many years the means are of.'),
          temperature_min: z.number().describe('°C.'),
          temperature_max: z.number().describe('°C.'),
          rainfall: z.number().nullable().describe('mm a day.'),
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
