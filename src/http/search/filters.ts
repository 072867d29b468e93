/** Filters of a search: values and ranges of fields, shapes, and fields that a dataset does not have. */

import { areaLimits } from '../../areas/index.ts';
import { suggestName } from '../../bandmath/index.ts';
import type { FieldFilter, FieldValue, SceneQuery } from '../../catalog/index.ts';
import { isSwathError, SwathError } from '../../errors.ts';
import type { AreaGeometry, PointGeometry } from '../../geo/index.ts';
import type { FieldType } from '../../sensors/index.ts';
import { badInput } from '../errors.ts';
import { StoredGeometry } from '../kit/bodies.ts';
import { limits } from '../kit/limits.ts';
import { parseDecimal } from '../kit/parameters.ts';

/** A field as filters are read for it. */
interface FilteredField {
  readonly name: string;
  readonly type: FieldType;
  /** The field holds words, which are compared without case. */
  readonly isWord: boolean;
}

/** Reads one filter of a search body: a range, a list, or an exact value. */
export function parseFilter({ name: field, type, isWord }: FilteredField, filter: unknown): FieldFilter {
  if (filter !== null && typeof filter === 'object' && !Array.isArray(filter)) {
    return parseRange(field, type, filter);
  }
  const list: readonly unknown[] = Array.isArray(filter) ? filter : [filter];
  if (list.length > limits.searchListItems) {
    throw badInput('list-too-long', `search.${field} lists more than ${limits.searchListItems} values.`);
  }
  const values = list.map((value) => coerce(field, type, value));
  return isWord ? { field, kind: 'one-of', values, ignoresCase: true } : { field, kind: 'one-of', values };
}

function parseRange(field: string, type: FieldType, filter: object): FieldFilter {
  if (type === 'boolean') {
    throw badInput(
      'bad-filter',
      `search.${field} is true or false: it takes a value, or a list, and no range.`,
    );
  }
  const { from, to, ...rest } = filter as { from?: unknown; to?: unknown };
  if (Object.keys(rest).length > 0 || (from == null && to == null)) {
    throw badInput(
      'bad-filter',
      `search.${field} must be a value, a list of values, or {"from": …, "to": …}.`,
    );
  }
  const range = {
    ...(from == null ? {} : { from: coerce(field, type, from) }),
    ...(to == null ? {} : { to: coerce(field, type, to) }),
  };
  if (range.from != null && range.to != null && range.from > range.to) {
    throw badInput('bad-range', `search.${field} runs backwards: "from" is after "to".`);
  }
  return { field, kind: 'range', ...range };
}

/** Clients send numbers and booleans as text, and date-times where a date is meant. */
function coerce(field: string, type: FieldType, value: unknown): FieldValue {
  const result = coercions[type](value);
  if (result === null) throw badInput('bad-filter', `search.${field} must hold ${names[type]}.`);
  return result;
}

const names: Readonly<Record<FieldType, string>> = {
  number: 'a number',
  boolean: 'true or false',
  date: 'a date such as 2026-06-21',
  string: 'a text',
};

const coercions: Readonly<Record<FieldType, (value: unknown) => FieldValue>> = {
  number(value) {
    if (typeof value === 'number') return Number.isFinite(value) ? value : null;
    return typeof value === 'string' ? parseDecimal(value) : null;
  },
  boolean(value) {
    if (typeof value === 'boolean') return value;
    if (typeof value !== 'string' && typeof value !== 'number') return null;
    const text = String(value).toLowerCase();
    if (text === 'true' || text === '1') return true;
    return text === 'false' || text === '0' ? false : null;
  },
  date: (value) => (typeof value === 'string' ? toDate(value) : null),
  string(value) {
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    return typeof value === 'string' && value.length <= 300 ? value : null;
  },
};

function toDate(text: string): string | null {
  if (!/^\d{4}-\d{2}-\d{2}([T ][\d:.]{2,15}(Z|[+-]\d{2}:?\d{2})?)?$/.test(text)) return null;
  const day = text.slice(0, 10);
  const date = new Date(`${day}T00:00:00Z`);
  // A Date rolls 30 February over into March; then it no longer prints as it was written.
  return Number.isNaN(date.getTime()) || !date.toISOString().startsWith(day) ? null : day;
}

const RELATIONS: ReadonlyMap<string, NonNullable<SceneQuery['shape']>['relation']> = new Map([
  ['INTERSECTS', 'intersects'],
  ['CONTAINS', 'contains'],
  ['WITHIN', 'within'],
]);

/** Parses the geometry of an area; large ones on another thread. */
export type ParseArea = (geometry: unknown) => Promise<AreaGeometry>;

/** Reads `search.shape` and `search.shapeRelation`. */
export async function parseShape(
  { shape, shapeRelation }: Readonly<Record<string, unknown>>,
  parseArea: ParseArea,
): Promise<NonNullable<SceneQuery['shape']>> {
  const relation = shapeRelation ?? 'INTERSECTS';
  const known = typeof relation === 'string' ? RELATIONS.get(relation.toUpperCase()) : undefined;
  if (known === undefined) {
    throw badInput(
      'bad-relation',
      `search.shapeRelation must be one of ${[...RELATIONS.keys()].join(', ')}.`,
    );
  }
  return { geometry: await parseGeometry(shape, parseArea), relation: known };
}

async function parseGeometry(shape: unknown, parseArea: ParseArea): Promise<PointGeometry | AreaGeometry> {
  if (shape instanceof StoredGeometry) return JSON.parse(shape.text) as AreaGeometry;
  const { type, coordinates } = (shape ?? {}) as { type?: unknown; coordinates?: unknown };
  if (type === 'Point') return parsePoint(coordinates);
  if (type === 'Polygon' || type === 'MultiPolygon') return parseAsArea({ type, coordinates }, parseArea);
  throw badInput('bad-shape', 'search.shape must be a GeoJSON Point, Polygon or MultiPolygon.');
}

/**
 * As areas of interest are read, so that one polygon means the same ground to a search and to a picture, over the
 * antimeridian too, and is refused by the same rule and in the same words; but with 400, as every filter of a search is.
 */
async function parseAsArea(geometry: unknown, parseArea: ParseArea): Promise<AreaGeometry> {
  try {
    return await parseArea(geometry);
  } catch (error) {
    if (!isSwathError(error) || error.tag !== 'unsupported') throw error;
    throw new SwathError('bad-input', error.code, `search.shape cannot be used. ${error.message}`, {
      details: error.details,
    });
  }
}

/** Longitudes may run on beyond ±180, as those of areas may. */
function parsePoint(position: unknown): PointGeometry {
  const [lon, lat] = Array.isArray(position) ? (position as unknown[]) : [];
  if (
    typeof lon !== 'number' ||
    typeof lat !== 'number' ||
    !(Math.abs(lon) <= areaLimits.maxLonDeg) ||
    !(Math.abs(lat) <= 90)
  ) {
    throw badInput(
      'bad-shape',
      `search.shape must hold a position [longitude, latitude] within ±${areaLimits.maxLonDeg} and ±90.`,
    );
  }
  const turns = Math.abs(lon) <= 180 ? 0 : Math.round(lon / 360);
  return { type: 'Point', coordinates: [lon - 360 * turns, lat] };
}

/** What other interfaces call the location of a search. */
const LOCATIONS: ReadonlySet<string> = new Set([
  ...[
    'point',
    'bbox',
    'box',
    'bounds',
    'geometry',
    'geom',
    'polygon',
    'intersects',
    'aoi',
    'area',
    'location',
  ],
  ...['lat', 'lon', 'latitude', 'longitude', 'coordinates', 'cropper_ref'],
]);

/** The error for a filter of a field that a dataset does not have, with what may be meant. */
export function explainUnknownField(name: string, dataset: string, fields: Iterable<string>): Error {
  const isLocation = LOCATIONS.has(name.toLowerCase());
  const suggestion = isLocation ? 'shape' : suggestName(name, fields);
  const hint = isLocation
    ? ' For a location use shape: a GeoJSON Point, Polygon or MultiPolygon.'
    : suggestion === null
      ? ''
      : ` Did you mean ${suggestion}?`;
  return badInput(
    'unknown-field',
    `search.${name.slice(0, 60)} is not a field of ${dataset}.${hint}`,
    suggestion === null ? {} : { details: { suggestion } },
  );
}
