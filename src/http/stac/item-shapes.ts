/** Where items are looked for: boxes and GeoJSON geometries of any type, as shapes that search understands. */
import { areaLimits } from '../../areas/index.ts';
import { isSwathError, SwathError } from '../../errors.ts';
import type { AreaGeometry, LonLat, PolygonGeometry } from '../../geo/index.ts';
import { areasIntersect, boundsRing, isPointInArea } from '../../geo/index.ts';
import { isObject } from '../../json.ts';
import { badInput } from '../errors.ts';
import { LongJson } from '../kit/bodies.ts';
import type { FilterShape } from './filter/filter-tree.ts';

/** Parses the geometry of an area; large ones on another thread. */
export type ParseArea = (geometry: unknown) => Promise<AreaGeometry>;

/** How a shape is called in a refusal, and what reads areas. */
interface ShapeContext {
  readonly name: string;
  readonly parseArea: ParseArea;
}

/** Positions of lines and points that one geometry may have: each is compared with every scene that lies near. */
const MAX_POSITIONS = 500;

/** A box of degrees; across the antimeridian west is larger than east. */
export function parseBox(numbers: unknown, name: string): FilterShape {
  const list = Array.isArray(numbers) ? (numbers as unknown[]) : [];
  const isNumbers = list.every((one) => typeof one === 'number' && Number.isFinite(one));
  const [west = 0, south = 0, east = 0, north = 0] = (
    list.length === 6 ? [list[0], list[1], list[3], list[4]] : list
  ) as readonly number[];
  const isBox =
    isNumbers &&
    (list.length === 4 || list.length === 6) &&
    Math.abs(west) <= 180 &&
    Math.abs(east) <= 180 &&
    south >= -90 &&
    north <= 90 &&
    south <= north;
  if (!isBox)
    throw badInput(
      'bad-bbox',
      `${name} must be west,south,east,north in degrees, with south below north; west may be larger than east across the antimeridian.`,
    );
  if (west > east) {
    const coordinates = [toBox(west, south, 180, north), toBox(-180, south, east, north)].map(
      (part) => part.coordinates,
    );
    return toAreaShape({ type: 'MultiPolygon', coordinates });
  }
  if (west === east && south === north) return toPointShape([west, south]);
  return toAreaShape(toBox(west, south, east, north));
}

const toBox = (west: number, south: number, east: number, north: number): PolygonGeometry => ({
  type: 'Polygon',
  coordinates: [boundsRing({ west, south, east, north })],
});

const toAreaShape = (area: AreaGeometry): FilterShape => ({
  around: area,
  isExact: true,
  meets: (footprint) => areasIntersect(footprint, area),
});

const toPointShape = (coordinates: LonLat): FilterShape => ({
  around: { type: 'Point', coordinates },
  isExact: true,
  meets: (footprint) => isPointInArea(coordinates, footprint),
});

type Parsed = Readonly<Record<string, unknown>>;

/** A GeoJSON geometry of any type, or `{type: 'bbox'}` of a filter. */
export async function parseShape(geometry: Parsed, context: ShapeContext): Promise<FilterShape> {
  const { type, coordinates } = geometry;
  switch (type) {
    case 'bbox':
      return parseBox(coordinates, context.name);
    case 'Point':
      return toPointShape(toPosition(coordinates, context));
    case 'Polygon':
    case 'MultiPolygon':
      return toAreaShape(await parseAsArea({ type, coordinates }, context));
    case 'MultiPoint':
    case 'LineString':
    case 'MultiLineString':
      return toThinShape([toLines(type, coordinates, context)].flat());
    case 'GeometryCollection':
      return parseCollection(geometry.geometries, context);
    default:
      throw refuseShape(context);
  }
}

/** The lines of a geometry; a point is a line of one position. */
function toLines(type: string, coordinates: unknown, context: ShapeContext): readonly (readonly LonLat[])[] {
  const list = toList(coordinates, context);
  if (type === 'LineString') return [list.map((one) => toPosition(one, context))];
  if (type === 'MultiPoint') return list.map((one) => [toPosition(one, context)]);
  return list.map((line) => toList(line, context).map((one) => toPosition(one, context)));
}

function toList(value: unknown, context: ShapeContext): readonly unknown[] {
  if (!Array.isArray(value) || value.length === 0) throw refuseShape(context);
  if (value.length > MAX_POSITIONS) throw refuseLong(context);
  return value as unknown[];
}

/** Lines and points have no area: search looks in the box around them, and each footprint is tested here. */
function toThinShape(lines: readonly (readonly LonLat[])[]): FilterShape {
  const positions = lines.flat();
  const parts = lines.map((line): AreaGeometry | LonLat =>
    line.length === 1
      ? (line[0] as LonLat)
      : // There and back again: a ring without an area, whose edges are those of the line.
        { type: 'Polygon', coordinates: [[...line, ...line.toReversed().slice(1)]] },
  );
  return {
    around: toBoxAround(positions),
    isExact: false,
    meets: (footprint) =>
      parts.some((part) =>
        'type' in part ? areasIntersect(footprint, part) : isPointInArea(part, footprint),
      ),
  };
}

/** Degrees by which a box around a line is wider: a line to the north alone has none. */
const MARGIN_DEG = 1e-6;

function toBoxAround(positions: readonly LonLat[]): PolygonGeometry {
  const [lons, lats] = [positions.map(([lon]) => lon), positions.map(([, lat]) => lat)];
  return toBox(
    Math.min(...lons) - MARGIN_DEG,
    Math.max(-90, Math.min(...lats) - MARGIN_DEG),
    Math.max(...lons) + MARGIN_DEG,
    Math.min(90, Math.max(...lats) + MARGIN_DEG),
  );
}

/** Geometries of a collection. */
const MAX_PARTS = 16;

async function parseCollection(geometries: unknown, context: ShapeContext): Promise<FilterShape> {
  if (!Array.isArray(geometries) || geometries.length === 0) throw refuseShape(context);
  if (geometries.length > MAX_PARTS) throw refuseLong(context);
  const parts: FilterShape[] = [];
  for (const part of geometries as unknown[]) {
    if (!isObject(part) || part.type === 'GeometryCollection') throw refuseShape(context);
    parts.push(await parseShape(part, context));
  }
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  const positions = parts.flatMap(({ around }): readonly LonLat[] =>
    around.type === 'Point'
      ? [around.coordinates]
      : (around.type === 'Polygon' ? around.coordinates : around.coordinates.flat()).flat(),
  );
  return {
    around: toBoxAround(positions),
    isExact: false,
    meets: (footprint) => parts.some((part) => part.meets(footprint)),
  };
}

function toPosition(value: unknown, context: ShapeContext): LonLat {
  const [lon, lat] = Array.isArray(value) ? (value as unknown[]) : [];
  const isPosition =
    typeof lon === 'number' &&
    typeof lat === 'number' &&
    Math.abs(lon) <= areaLimits.maxLonDeg &&
    Math.abs(lat) <= 90;
  if (!isPosition) throw refuseShape(context);
  return [lon, lat];
}

/** As areas of interest are read, in the same words, but with 400 as every filter of a search. */
async function parseAsArea(geometry: object, { name, parseArea }: ShapeContext): Promise<AreaGeometry> {
  try {
    return await parseArea(geometry);
  } catch (error) {
    if (!isSwathError(error) || error.tag !== 'unsupported') throw error;
    throw new SwathError('bad-input', error.code, `${name} cannot be used. ${error.message}`, {
      details: error.details,
    });
  }
}

const refuseShape = ({ name }: ShapeContext): Error =>
  badInput('bad-intersects', `${name} must be a GeoJSON geometry, with positions as [longitude, latitude].`);

const refuseLong = ({ name }: ShapeContext): Error =>
  badInput(
    'bad-intersects',
    `${name} may have at most ${MAX_POSITIONS} positions in points and lines, and ${MAX_PARTS} geometries.`,
  );

/** A geometry as it came in a body or in a query: JSON that is not a long list. */
export const isGeometry = (value: unknown): value is Parsed =>
  isObject(value) && !(value instanceof LongJson);
