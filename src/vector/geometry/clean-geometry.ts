import type { Place, ShapeGeometry } from '../shapes.ts';

/** Why a row cannot be read. Readers throw it inside of a row, and go on with the next one. */
export class RowFault extends Error {}

/** From the reference system of a file to longitude and latitude; NaN where a position has no counterpart. */
export type ToLonLat = (x: number, y: number) => Place;

/** How the geometries of a file are read. */
export interface GeometryRules {
  /** Null if the file is in longitude and latitude. */
  readonly toLonLat: ToLonLat | null;
  readonly maxVertices: number;
}

/** Lists around a position, by type. */
const NESTING: Readonly<Record<string, number>> = {
  Point: 0,
  MultiPoint: 1,
  LineString: 1,
  MultiLineString: 2,
  Polygon: 2,
  MultiPolygon: 3,
};

/** Collections in collections; QGIS and PostGIS write one level. */
const MAX_COLLECTIONS = 4;

/**
 * A GeoJSON geometry of an untrusted file in the form that callers rely on: lists nested as the type requires, two
 * finite numbers a position in longitude and latitude. Heights and measures are dropped. Anything else throws `RowFault`.
 */
export function cleanGeometry(value: unknown, rules: GeometryRules): ShapeGeometry | null {
  if (value === null || value === undefined) return null;
  return cleanPart(value, { ...rules, vertices: 0 }, 0);
}

interface Walk extends GeometryRules {
  vertices: number;
}

function cleanPart(value: unknown, walk: Walk, depth: number): ShapeGeometry {
  const { type, coordinates, geometries } = value as Readonly<Record<string, unknown>>;
  if (typeof type !== 'string') throw new RowFault('The geometry has no type.');
  if (type === 'GeometryCollection') {
    if (depth >= MAX_COLLECTIONS) throw new RowFault('Geometry collections are nested too deeply.');
    if (!Array.isArray(geometries)) throw new RowFault('The geometry collection has no list of geometries.');
    return { type, geometries: geometries.map((part: unknown) => cleanPart(part ?? {}, walk, depth + 1)) };
  }
  const nesting = Object.hasOwn(NESTING, type) ? NESTING[type] : undefined;
  if (nesting === undefined) throw new RowFault(`'${type.slice(0, 40)}' is not a geometry type of GeoJSON.`);
  if (!Array.isArray(coordinates)) throw new RowFault(`The ${type} has no coordinates.`);
  const isEmptyPoint = nesting === 0 && coordinates.length === 0;
  const cleaned = isEmptyPoint ? [] : cleanList(coordinates, nesting, walk);
  // The walk above has followed the nesting of the type.
  return { type, coordinates: cleaned } as ShapeGeometry;
}

/** Lists without a position are counted as one vertex each: a million empty rings are as costly. */
function cleanList(list: unknown, nesting: number, walk: Walk): unknown {
  if (nesting === 0) return cleanPosition(list, walk);
  if (!Array.isArray(list)) throw new RowFault('The coordinates are not nested as the type requires.');
  if (list.length === 0) count(walk);
  const cleaned = new Array<unknown>(list.length);
  for (let i = 0; i < list.length; i++) cleaned[i] = cleanList(list[i], nesting - 1, walk);
  return cleaned;
}

function count(walk: Walk): void {
  walk.vertices++;
  if (walk.vertices > walk.maxVertices)
    throw new RowFault(`The shape has more than ${walk.maxVertices} vertices.`);
}

function cleanPosition(position: unknown, walk: Walk): Place {
  count(walk);
  if (!Array.isArray(position)) throw new RowFault('The coordinates are not nested as the type requires.');
  const [x, y] = position as readonly unknown[];
  if (typeof x !== 'number' || typeof y !== 'number' || !Number.isFinite(x) || !Number.isFinite(y))
    throw new RowFault(`Position ${walk.vertices} is not two finite numbers.`);
  if (walk.toLonLat === null) return position.length === 2 ? (position as unknown as Place) : [x, y];
  const place = walk.toLonLat(x, y);
  if (!Number.isFinite(place[0]) || !Number.isFinite(place[1]))
    throw new RowFault(`Position ${walk.vertices} (${x}, ${y}) lies outside of the reference system.`);
  return place;
}
