import { z } from 'zod';
import type { Areas } from '../../areas/index.ts';
import { areaLimits } from '../../areas/index.ts';
import { answerCached, STORED_S } from '../answer/cached-answer.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import { findArea, unknownArea } from './find-area.ts';

const ring = z
  .array(z.array(z.number()).min(2).max(4))
  .min(3)
  .describe(
    'A ring of [longitude, latitude] in degrees; it is closed if its last position does not repeat the first.',
  );
const rings = z.array(ring).min(1).max(areaLimits.rings);
const polygonSchema = z.object({ type: z.literal('Polygon'), coordinates: rings }).meta({ id: 'Polygon' });
const multiPolygonSchema = z
  .object({
    type: z.literal('MultiPolygon'),
    coordinates: z.array(rings).min(1).max(areaLimits.polygons),
  })
  .meta({ id: 'MultiPolygon' });
/** The geometry of an area, for the documentation. */
export const geometrySchema = z.discriminatedUnion('type', [polygonSchema, multiPolygonSchema]);
const featureSchema = z.object({
  type: z.literal('Feature'),
  properties: z.record(z.string(), z.unknown()).describe('Stored and given back; up to 16 KiB.'),
  geometry: geometrySchema,
});
/** What is missing in a body and is not its geometry has a default. */
const bodySchema = z.union([
  featureSchema.extend({
    type: featureSchema.shape.type.optional(),
    properties: featureSchema.shape.properties.nullish(),
  }),
  geometrySchema,
  z.object({
    type: z.literal('FeatureCollection'),
    features: z
      .array(featureSchema.extend({ properties: featureSchema.shape.properties.nullish() }))
      .length(1),
  }),
]);

const example = {
  type: 'Feature',
  properties: {},
  geometry: {
    type: 'Polygon',
    coordinates: [
      [
        [-122.404, 48.216],
        [-122.396, 48.216],
        [-122.396, 48.224],
        [-122.404, 48.224],
        [-122.404, 48.216],
      ],
    ],
  },
};

const refParameter = {
  cropper_ref: {
    description: 'As it was given when the area was stored.',
    schema: z.string().regex(/^[0-9a-f]{32}$/),
    example: '3eb51ea04776e6ae6bb665504e3c5ffb',
  },
} as const satisfies Endpoint['params'];

/** `POST /api/render/cropper/`. */
export const createArea = (areas: Areas): Endpoint => ({
  summary: 'Store an area of interest',
  description:
    'Pictures and values can be cropped to it by its cropper_ref. The same feature, posted again with the same key, gets the same one. ' +
    'Edges are straight in degrees; where longitudes leap, the outer ring runs counter-clockwise: a box from -179 to 179 is wide, one from 179 to -179 crosses the antimeridian. ' +
    `Up to ${areaLimits.vertices} positions, ${areaLimits.rings} rings and ${areaLimits.polygons} polygons.`,
  tag: 'Render',
  body: {
    description: 'A GeoJSON Feature; a geometry alone, or a FeatureCollection of one feature, will do.',
    schema: bodySchema,
    example,
  },
  answers: {
    200: {
      description: 'The area is stored.',
      content: { 'application/json': z.object({ cropper_ref: z.string().regex(/^[0-9a-f]{32}$/) }) },
    },
    400: { description: 'The body is not JSON, or a FeatureCollection of several features.' },
    402: {
      description:
        'The key has as many areas as it may (too-many-areas), or they take as much room as they may (area-storage-full); DELETE makes room.',
    },
    413: { description: 'The body is too large.' },
    422: { description: 'The area cannot be used; the code names the rule it breaks, the text says where.' },
  },
  async handle(request) {
    const ref = await areas.create(await request.readJsonText(), request.ticket);
    return Response.json({ cropper_ref: ref }, { headers: { 'cache-control': 'no-store' } });
  },
});

/** `GET /api/render/cropper/{cropper_ref}`. */
export const readArea = (areas: Areas): Endpoint => ({
  summary: 'Read an area of interest',
  tag: 'Render',
  params: refParameter,
  answers: {
    200: { description: 'The feature as it was sent.', content: { 'application/json': featureSchema } },
    304: { description: 'The feature you have (If-None-Match) is still right.' },
    404: { description: 'No such area.' },
  },
  async handle(request) {
    const { feature } = await findArea(request.params.cropper_ref ?? '', areas);
    return answerCached(request, {
      content: feature,
      type: 'application/json',
      maxAgeS: STORED_S,
      read: async () => feature,
    });
  },
});

/** `DELETE /api/render/cropper/{cropper_ref}`: makes room for other areas. */
export const deleteArea = (areas: Areas): Endpoint => ({
  summary: 'Delete an area of interest',
  description:
    'Only the key that stored an area may delete it; to all others it is unknown. It is gone at once here, and within ten seconds on other nodes.',
  tag: 'Render',
  params: refParameter,
  answers: {
    204: { description: 'The area is deleted.' },
    404: { description: 'This key has no such area, or has deleted it already.' },
  },
  async handle(request) {
    if (!(await areas.remove(request.params.cropper_ref ?? '', request.ticket.owner))) throw unknownArea();
    return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } });
  },
});
