import { z } from 'zod';
import type { Areas } from '../../areas/index.ts';
import { areaLimits } from '../../areas/index.ts';
import { DAY_S, toKeepHeaders } from '../answer/keep-headers.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import { toAsker } from '../request/api-request.ts';
import { findArea } from './find-area.ts';

const featureSchema = z.object({
  type: z.literal('Feature'),
  properties: z.record(z.string(), z.unknown()).describe('Kept and given back; up to 16 KiB.'),
  geometry: z.object({
    type: z.enum(['Polygon', 'MultiPolygon']),
    coordinates: z.array(z.unknown()).describe('Closed rings of [longitude, latitude].'),
  }),
});

const example = {
  type: 'Feature',
  properties: {},
  geometry: {
    type: 'Polygon',
    coordinates: [
      [
        [2.5, 42.5],
        [2.6, 42.5],
        [2.6, 42.6],
        [2.5, 42.6],
        [2.5, 42.5],
      ],
    ],
  },
};

/** `POST /api/render/cropper/` (interface 4.9). */
export const createArea = (areas: Areas): Endpoint => ({
  summary: 'Keep an area of interest',
  description:
    'Pictures and values can be cropped to it by its cropper_ref. The same feature, posted again with the same key, gets the same one. ' +
    'Edges are straight in degrees; where longitudes leap, as from 179 to -179, an edge crosses the antimeridian. ' +
    `Up to ${areaLimits.vertices} positions, ${areaLimits.rings} rings and ${areaLimits.polygons} polygons.`,
  tag: 'Render',
  body: {
    description: 'A GeoJSON Feature; a geometry alone will do.',
    schema: featureSchema,
    example,
  },
  answers: {
    200: {
      description: 'The area is kept.',
      content: { 'application/json': z.object({ cropper_ref: z.string().regex(/^[0-9a-f]{32}$/) }) },
    },
    400: { description: 'The body is not JSON.' },
    413: { description: 'The body is too large.' },
    422: { description: 'The area cannot be used; the code names the rule it breaks, the text says where.' },
  },
  async handle(request) {
    const ref = await areas.create(await request.readJson(), toAsker(request).owner);
    return Response.json({ cropper_ref: ref }, { headers: { 'cache-control': 'no-store' } });
  },
});

/** `GET /api/render/cropper/{cropper_ref}` (interface 4.9). */
export const readArea = (areas: Areas): Endpoint => ({
  summary: 'Read an area of interest',
  tag: 'Render',
  params: {
    cropper_ref: {
      description: 'As it was given when the area was kept.',
      schema: z.string(),
      example: '3eb51ea04776e6ae6bb665504e3c5ffb',
    },
  },
  answers: {
    200: { description: 'The feature as it was sent.', content: { 'application/json': featureSchema } },
    404: { description: 'No such area.' },
  },
  async handle(request) {
    const { feature } = await findArea(request.params.cropper_ref ?? '', areas);
    // Areas never change.
    return Response.json(feature, { headers: toKeepHeaders(DAY_S) });
  },
});
