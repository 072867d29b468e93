import { notFound } from '../../../src/http/errors.ts';
import { answerCachedJson } from '../../../src/http/kit/answers.ts';
import type { Endpoint } from '../../../src/http/kit/endpoint.ts';
import { sensorParameter } from '../../../src/http/kit/endpoint.ts';
import { json } from '../../../src/http/kit/json-schema.ts';
import { defineParameters, flag } from '../../../src/http/kit/parameters.ts';
import { sensorByAbbreviation } from '../../../src/sensors/index.ts';

const parameters = defineParameters({
  INCLUDE_RESOLUTION: flag({
    description: 'Pixel sizes in metres as well; off by default.',
    fallback: false,
  }),
});

/** `GET /api/render/{sensor}/bands`: the bands of a sensor. */
export const sensorBands: Endpoint = {
  summary: 'The bands of a sensor',
  tag: 'Render',
  params: { sensor: sensorParameter },
  query: parameters,
  answers: {
    200: {
      description: 'The bands, in the order of the sensor.',
      content: {
        'application/json': json.object({
          bands: json.list(json.object({ band: json.string(), 'resolution?': json.number() })),
        }),
      },
    },
    400: { description: 'The query is malformed.' },
    404: { description: 'No such sensor.' },
  },
  async handle({ params, query, headers }) {
    const sensor = sensorByAbbreviation(params.sensor ?? '');
    if (sensor === null) throw notFound('no-such-sensor', 'There is no such sensor.');
    const isLong = parameters.INCLUDE_RESOLUTION.read(query);
    const bands = sensor.bands.map(({ name, resolutionM }) => ({
      band: name,
      ...(isLong ? { resolution: resolutionM } : {}),
    }));
    return answerCachedJson({ headers }, { bands });
  },
};
