import type { ReadElevation } from '../../terrain/index.ts';
import { Answer } from '../kit/answer.ts';
import { toCacheHeaders } from '../kit/answers.ts';
import type { Endpoint } from '../kit/endpoint.ts';
import { pixelFailures } from '../kit/endpoint.ts';
import { json } from '../kit/json-schema.ts';
import { pointParameters } from '../kit/paths.ts';
import { toShortest } from '../kit/shortest-float.ts';

/** What single heights are read with. */
export interface ElevationDeps {
  readonly readElevation: ReadElevation;
  readonly maxAgeS: number;
}

const position = pointParameters({ lat: '48.2', lon: '-122.4' });

/** `GET /api/render/terrain/point/{lat}/{lon}`. */
export const elevation = ({ readElevation, maxAgeS }: ElevationDeps): Endpoint => ({
  summary: 'The elevation of a point',
  description:
    'In metres, interpolated between the pixels of the best elevation model that knows the location; null where none does.',
  tag: 'Terrain',
  params: position,
  answers: {
    200: {
      description: 'The elevation.',
      content: { 'application/json': json.object({ index_value: json.nullable(json.number()) }) },
    },
    400: { description: 'The point is not on Earth.' },
    ...pixelFailures,
    502: { description: 'A file of an elevation model is damaged or gone.' },
  },
  async handle({ params, ticket }) {
    const point = { lat: position.lat.parse(params.lat), lon: position.lon.parse(params.lon) };
    const height = await readElevation(point, ticket);
    const value = height === null ? null : toShortest(height);
    return Answer.json({ index_value: value }, { headers: toCacheHeaders(value === null ? 0 : maxAgeS) });
  },
});
