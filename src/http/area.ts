import { z } from 'zod';
import type { Areas } from '../areas/index.ts';
import { areaLimits } from '../areas/index.ts';
import { notFound } from '../errors.ts';
import type { Endpoint } from './endpoint.ts';

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

/** Areas never change, so an answer may be kept; the key stands behind it. */
const KEEP = 'private, max-age=86400';

/** `POST /api/render/cropper/` (interface 4.9). */
export const createArea = (areas: Areas): Endpoint => ({
  summary: 'Keep an area of interest',
  description:
    'Pictures and values can be cropped to it by its cropper_ref. The same geometry always gets the same one. ' +
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
    const ref = await areas.create(await request.readJson());
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
    const area = await areas.find(request.params.cropper_ref ?? '');
    if (area === null) throw notFound('unknown-area', 'There is no area with this cropper_ref.');
    return Response.json(area.feature, { headers: { 'cache-control': KEEP, vary: 'x-api-key' } });
  },
});
