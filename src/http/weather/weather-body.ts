/** What all bodies of weather have: where, and for histories when. */

import type { AreaParser, CheckedArea } from '../../areas/index.ts';
import { badInput, notFound, tooLarge } from '../../errors.ts';
import { isObject } from '../../json.ts';
import type { Areas } from '../../library/index.ts';
import type { Ticket } from '../../pool/index.ts';
import { geometrySchema } from '../areas/area.ts';
import { readGeometry, toPoint } from '../areas/read-area.ts';
import type { Field, Params } from '../kit/fields.ts';
import { defineFields, refuseField, text, unread } from '../kit/fields.ts';
import { json } from '../kit/json-schema.ts';
import { parseDay } from '../kit/texts.ts';

const pointSchema = json.object({
  type: json.literal('Point'),
  coordinates: json.list(json.number(), {
    min: 2,
    max: 4,
    description: 'Longitude and latitude in degrees.',
  }),
});

const featureSchema = json.object({
  'type?': json.literal('Feature'),
  'properties?': json.nullable(json.map(json.any())),
  geometry: geometrySchema,
});

const pointFeatureSchema = json.object({ type: json.literal('Feature'), geometry: pointSchema });

/** The fields of a body that say where. */
export const locationFields = defineFields({
  geometry: unread(json.union([geometrySchema, pointSchema, featureSchema, pointFeatureSchema]), {
    description: 'A Polygon, MultiPolygon or Point in longitude and latitude, or a Feature of one.',
  }),
  polygon_id: text({ description: 'The cropper_ref of a stored area.' }),
});

/** A field of the demo world: examples work on a new installation. */
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

/** Whether a body names a stored area; programs send an empty text for an id that they do not have. */
const hasPolygonId = ({ polygon_id: id }: Params): boolean => (id ?? '') !== '';

/** The fields of a body: an object that says where, whatever is wrong with the rest of it. */
export function parseFields(body: unknown): Params {
  if (!isObject(body))
    throw badInput('bad-body', 'The body must be an object with a geometry or a polygon_id.');
  // The sentence is that of the interface: programs compare it.
  if ((body.geometry ?? null) === null && !hasPolygonId(body))
    throw badInput('no-location', 'Geometry or polygon_id are required.');
  return body;
}

/** A large country. Its weather is the mean of some 1,400 cells of a quarter of a degree, each a series to be read. */
const MAX_KM2 = 1_000_000;

/** How areas are looked up and checked. */
interface LocationDeps {
  readonly areas: Areas;
  readonly areaParser: AreaParser;
}

/** The location of a body that has one, as the text of a GeoJSON geometry: by the field that wins, or by the other where that is left out. */
export async function readLocation(
  params: Params,
  { wins, ticket }: { readonly wins: keyof typeof locationFields; readonly ticket: Ticket },
  { areas, areaParser }: LocationDeps,
): Promise<string> {
  const geometry = locationFields.geometry.read(params);
  if (hasPolygonId(params) && (geometry === null || wins === 'polygon_id')) {
    const area = await areas.find(locationFields.polygon_id.read(params) ?? '');
    if (area === null) throw notFound('unknown-area', 'There is no area with this polygon_id.');
    return refuseVast(area);
  }
  const point = toPoint(geometry);
  if (point === 'malformed')
    throw badInput('bad-geometry', 'geometry: a Point needs coordinates: [longitude, latitude] in degrees.');
  return point === null
    ? refuseVast(await readGeometry('geometry', geometry, { areaParser, ticket }))
    : JSON.stringify(point);
}

function refuseVast({ geometry, km2 }: Pick<CheckedArea, 'geometry' | 'km2'>): string {
  if (km2 <= MAX_KM2) return geometry;
  throw tooLarge(
    'area-too-large',
    `The area has ${Math.round(km2)} km²; the weather of at most ${MAX_KM2} km² can be asked for.`,
  );
}

/** Local days, both included. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/** A day that must be there. */
export const day = (description?: string): Field<string> => ({
  schema: json.string({ description }),
  isRequired: true,
  parse(value, name) {
    const parsed = parseDay(value);
    if (parsed === null) throw refuseField(name, 'must be a date such as 2026-06-21 (YYYY-MM-DD).');
    return parsed;
  },
});

const DAY_MS = 86_400_000;

/** Refuses days that run backwards, or are too many. */
export function checkPeriod(from: string, to: string, maxDays: number): Period {
  if (from > to) throw badInput('dates-reversed', `start_date ${from} is later than end_date ${to}.`);
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (days > maxDays) {
    throw badInput(
      'period-too-long',
      `start_date and end_date span ${days} days; the limit is ${maxDays} days.`,
    );
  }
  return { from, to };
}
