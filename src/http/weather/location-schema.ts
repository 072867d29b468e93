import { z } from 'zod';
import { geometrySchema } from '../areas/area.ts';

const point = z.object({
  type: z.literal('Point'),
  coordinates: z.array(z.number()).min(2).max(4).describe('Longitude and latitude in degrees.'),
});

const feature = z.object({
  type: z.literal('Feature').optional(),
  properties: z.record(z.string(), z.unknown()).nullish(),
  geometry: geometrySchema,
});

const pointFeature = z.object({ type: z.literal('Feature'), geometry: point });

/** The fields of a body that say where, for the documentation. */
export const locationFields = {
  geometry: z
    .union([geometrySchema, point, feature, pointFeature])
    .nullish()
    .describe('A Polygon, MultiPolygon or Point in longitude and latitude, or a Feature of one.'),
  polygon_id: z.string().max(2_048).nullish().describe('The cropper_ref of a stored area.'),
};

/** A field of the demo world, for the documentation. */
export const exampleGeometry = {
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
};
