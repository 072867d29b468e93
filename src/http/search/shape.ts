import { areaLimits } from '../../areas/index.ts';
import type { SceneQuery, ShapeRelation } from '../../catalog/index.ts';
import { badInput, isSwathError } from '../../errors.ts';
import type { AreaGeometry, PointGeometry } from '../../geo/index.ts';

const RELATIONS: ReadonlyMap<string, ShapeRelation> = new Map([
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
    throw badInput(error.code, `search.shape cannot be used. ${error.message}`, { details: error.details });
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
