import { z } from 'zod';
import { notFound } from '../../../src/errors.ts';
import { answerCachedJson } from '../../../src/http/answer/cached-answer.ts';
import type { Endpoint } from '../../../src/http/endpoint/endpoint.ts';
import { sensorParameter } from '../../../src/http/endpoint/shared-docs.ts';
import { parseSwitch, SWITCH_NAMES } from '../../../src/http/request/switch.ts';
import { sensorByAbbreviation } from '../../../src/sensors/index.ts';

/** `GET /api/render/{sensor}/bands`: the bands of a sensor. */
export const sensorBands: Endpoint = {
  summary: 'The bands of a sensor',
  tag: 'Render',
  params: { sensor: sensorParameter },
  query: {
    INCLUDE_RESOLUTION: {
      description: 'Pixel sizes in metres as well; off by default.',
      schema: z.enum(SWITCH_NAMES),
    },
  },
  answers: {
    200: {
      description: 'The bands, in the order of the sensor.',
      content: {
        'application/json': z.object({
          bands: z.array(z.object({ band: z.string(), resolution: z.number().optional() })),
        }),
      },
    },
    400: { description: 'The query is malformed.' },
    404: { description: 'No such sensor.' },
  },
  async handle({ params, query, headers }) {
    const sensor = sensorByAbbreviation(params.sensor ?? '');
    if (sensor === null) throw notFound('no-such-sensor', 'There is no such sensor.');
    const isLong = parseSwitch(query, 'INCLUDE_RESOLUTION');
    const bands = sensor.bands.map(({ name, resolutionM }) => ({
      band: name,
      ...(isLong ? { resolution: resolutionM } : {}),
    }));
    return answerCachedJson({ headers }, { bands });
  },
};
