import { z } from 'zod';
import type { ReadElevation } from '../../terrain/index.ts';
import { toCacheHeaders } from '../answer/cached-answer.ts';
import { toShortest } from '../answer/shortest-float.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import { pixelFailures } from '../endpoint/shared-docs.ts';
import { parsePoint } from '../request/point.ts';

/** What single heights are read with. */
export interface ElevationDeps {
  readonly readElevation: ReadElevation;
  readonly maxAgeS: number;
}

/** `GET /api/render/terrain/point/{lat}/{lon}`. */
export const elevation = ({ readElevation, maxAgeS }: ElevationDeps): Endpoint => ({
  summary: 'The elevation of a point',
  description:
    'In metres, interpolated between the pixels of the best elevation model that knows the location; null where none does.',
  tag: 'Terrain',
  params: {
    lat: { description: 'Latitude in degrees.', schema: z.number().min(-90).max(90), example: '48.2' },
    lon: { description: 'Longitude in degrees.', schema: z.number().min(-180).max(180), example: '-122.4' },
  },
  answers: {
    200: {
      description: 'The elevation.',
      content: { 'application/json': z.object({ index_value: z.number().nullable() }) },
    },
    400: { description: 'The point is not on Earth.' },
    ...pixelFailures,
    502: { description: 'A file of an elevation model is damaged or gone.' },
  },
  async handle({ params, ticket }) {
    const point = parsePoint(params.lat ?? '', params.lon ?? '');
    const height = await readElevation(point, ticket);
    const value = height === null ? null : toShortest(height);
    return Response.json({ index_value: value }, { headers: toCacheHeaders(value === null ? 0 : maxAgeS) });
  },
});
