/** Areas of interest: stored ones and their endpoints, those that a body holds, and rectangles in degrees. */

import type { AreaParser } from '../areas/index.ts';
import { areaLimits } from '../areas/index.ts';
import type { AreaOutline, LonLatBounds } from '../geo/index.ts';
import { boundsRing, toOutline } from '../geo/index.ts';
import { isObject } from '../json.ts';
import type { Areas, KeptArea } from '../library/index.ts';
import type { IntensityRequest, RenderOptions } from '../render/index.ts';
import { badInput, notFound } from './errors.ts';
import { fieldOfBody, groupOfBody } from './fields/take-field.ts';
import { Answer, answerCached, STORED_S } from './kit/answers.ts';
import { readGeometry } from './kit/bodies.ts';
import type { ApiRequest, Endpoint } from './kit/endpoint.ts';
import type { Params } from './kit/fields.ts';
import { defineFields } from './kit/fields.ts';
import { json } from './kit/json-schema.ts';
import { custom, DECIMAL, parseDecimal } from './kit/parameters.ts';

type BoundsArea = NonNullable<IntensityRequest['within']>;

/** The answer to a cropper_ref that names no area, or none that the caller may change. */
const unknownArea = (ref: string): Error =>
  notFound('unknown-area', 'There is no area with this cropper_ref.', { details: { ref } });

/** How areas are looked up and checked. */
export interface AreaDeps {
  readonly areas: Areas;
  readonly areaParser: AreaParser;
}

/** The area of a cropper_ref. */
export async function findArea(ref: string, areas: Areas): Promise<KeptArea> {
  const area = await areas.find(ref);
  if (area === null) throw unknownArea(ref);
  return area;
}

/** The area of a cropper_ref as the renderer takes it. */
export async function findCrop(ref: string, areas: Areas): Promise<NonNullable<RenderOptions['area']>> {
  return { ref, outline: (await findArea(ref, areas)).outline };
}

const ring = json.list(json.list(json.number(), { min: 2, max: 4 }), {
  min: 3,
  description:
    'A ring of [longitude, latitude] in degrees; it is closed if its last position does not repeat the first.',
});
const rings = json.list(ring, { min: 1, max: areaLimits.rings });
const polygonSchema = json.named(
  'Polygon',
  json.object({ type: json.literal('Polygon'), coordinates: rings }),
);
const multiPolygonSchema = json.named(
  'MultiPolygon',
  json.object({
    type: json.literal('MultiPolygon'),
    coordinates: json.list(rings, { min: 1, max: areaLimits.polygons }),
  }),
);
/** The geometry of an area. Areas are read by `areas/`, on another thread if they are large. */
export const geometrySchema = json.oneOf([polygonSchema, multiPolygonSchema]);

const featureType = json.literal('Feature');
const properties = json.map(json.any(), { description: 'Stored and given back; up to 16 KiB.' });
const featureSchema = json.object({ type: featureType, properties, geometry: geometrySchema });
/** What is missing in a body and is not its geometry has a default. */
const bodySchema = json.union([
  json.object({ 'type?': featureType, 'properties?': json.nullable(properties), geometry: geometrySchema }),
  geometrySchema,
  json.object({
    type: json.literal('FeatureCollection'),
    features: json.list(
      json.object({ type: featureType, 'properties?': json.nullable(properties), geometry: geometrySchema }),
      { min: 1, max: 1 },
    ),
  }),
]);

/** A reference to a stored area, as it is given out. */
export const AREA_REF = /^[0-9a-f]{32}$/;

/** An area of the demo world, for examples of bodies. */
export const EXAMPLE_AREA = {
  type: 'Polygon',
  coordinates: [
    [
      [-122.45, 48.2],
      [-122.4, 48.2],
      [-122.4, 48.23],
      [-122.45, 48.23],
      [-122.45, 48.2],
    ],
  ],
} as const;

/** A field of the demo world: examples work on a new installation. */
export const EXAMPLE_FIELD = {
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
} as const;

/** The fields of a body that names an area. Unlike in bodies of tasks, null does not count as left out: it is refused. */
export const areaFields = defineFields({
  geometry: { schema: geometrySchema, parse: (value) => value },
  cropper_ref: {
    schema: json.string({ pattern: AREA_REF }),
    parse(value, name): string | undefined {
      if (value === undefined || typeof value === 'string') return value;
      throw badInput('bad-area', `${name} must be a text.`);
    },
  },
  field: fieldOfBody,
  group: groupOfBody,
});

/** Reads a body that names an area, and finds or checks the area: its outline, and its normal form as text. */
export async function readAreaBody(
  { ticket, readJson }: Pick<ApiRequest, 'ticket' | 'readJson'>,
  { areas, areaParser }: AreaDeps,
): Promise<{ readonly body: Params; readonly outline: AreaOutline; readonly geometry: string }> {
  const body = await readJson();
  if (!isObject(body))
    throw badInput('bad-body', 'The body must be an object with a geometry or a cropper_ref.');
  const { geometry: given } = body;
  if ((given === undefined) === (body.cropper_ref === undefined))
    throw badInput('bad-area', 'The body must have either a geometry or a cropper_ref.');
  const ref = areaFields.cropper_ref.read(body);
  const { outline, geometry } =
    ref === undefined
      ? await readGeometry('geometry', given, { areaParser, ticket })
      : await findArea(ref, areas);
  return { body, outline, geometry };
}

const example = {
  type: 'Feature',
  properties: {},
  geometry: EXAMPLE_FIELD,
};

const refParameter = {
  cropper_ref: {
    description: 'As returned when the area was stored.',
    schema: json.string({ pattern: AREA_REF }),
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
    description:
      'A GeoJSON Feature; a bare geometry or a FeatureCollection with one feature is also accepted.',
    schema: bodySchema,
    example,
  },
  answers: {
    200: {
      description: 'The area is stored.',
      content: { 'application/json': json.object({ cropper_ref: json.string({ pattern: AREA_REF }) }) },
    },
    400: { description: 'The body is not JSON, or a FeatureCollection of several features.' },
    402: {
      description:
        'The key has reached its limit of areas (too-many-areas) or of storage for them (area-storage-full); delete some.',
    },
    413: { description: 'The body is too large.' },
    422: {
      description: 'The area cannot be used; the code names the rule it breaks, the message the position.',
    },
  },
  async handle(request) {
    const ref = await areas.create(await request.readJsonText(), request.ticket);
    return Answer.json({ cropper_ref: ref }, { headers: { 'cache-control': 'no-store' } });
  },
});

/** `GET /api/render/cropper/{cropper_ref}`. */
export const readArea = (areas: Areas): Endpoint => ({
  summary: 'Read an area of interest',
  tag: 'Render',
  params: refParameter,
  answers: {
    200: { description: 'The feature as it was sent.', content: { 'application/json': featureSchema } },
    304: { description: 'The feature you have (If-None-Match) is still current.' },
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
    'Only the key that stored an area may delete it; other keys get 404. The deletion takes effect at once on this node, and within ten seconds on others.',
  tag: 'Render',
  params: refParameter,
  answers: {
    204: { description: 'The area is deleted.' },
    404: { description: 'This key has no such area (any more).' },
  },
  async handle(request) {
    const ref = request.params.cropper_ref ?? '';
    if (!(await areas.remove(ref, request.ticket.owner))) throw unknownArea(ref);
    return new Answer(null, { status: 204, headers: { 'cache-control': 'no-store' } });
  },
});

/** `BBOX=w,s,e,n` in degrees; a west beyond the east is a rectangle across the antimeridian. */
export const bboxParameter = custom({
  description: 'Only data inside "west,south,east,north", in degrees.',
  example: '-122.42,48.21,-122.39,48.23',
  schema: json.string({ pattern: `^${DECIMAL}(?:,${DECIMAL}){3}$` }),
  fallback: null,
  rule: 'must be four numbers "west,south,east,north" in degrees.',
  read(text, name): BoundsArea | null {
    const [west, south, east, north, ...more] = text.split(',').map(parseDecimal);
    const isBox = west != null && south != null && east != null && north != null && more.length === 0;
    return isBox ? toBboxArea({ name, west, south, east, north }) : null;
  },
});

/** The rectangle of four numbers in degrees; `name` is how the parameter is called. */
export function toBboxArea({
  name,
  west,
  south,
  east,
  north,
}: LonLatBounds & { readonly name: string }): BoundsArea {
  const isOnEarth = Math.abs(west) <= 180 && Math.abs(east) <= 180 && south >= -90 && north <= 90;
  if (!isOnEarth || south >= north || west === east) {
    throw badInput(
      'bad-bbox',
      `${name} must have longitudes from -180 to 180 and latitudes from -90 to 90, with south below north and some width.`,
    );
  }
  return toBoundsArea({ west, south, east: east < west ? east + 360 : east, north });
}

function toBoundsArea(bounds: LonLatBounds): BoundsArea {
  const { west, south, east, north } = bounds;
  const boxes =
    east <= 180
      ? [[west, east]]
      : [
          [west, 180],
          [-180, east - 360],
        ];
  const rings = boxes.map(([left, right]) =>
    boundsRing({ west: left as number, east: right as number, south, north }),
  );
  return { bounds, outline: toOutline({ type: 'MultiPolygon', coordinates: rings.map((ring) => [ring]) }) };
}
