import type { SceneQuery, ShapeRelation } from '../../catalog/index.ts';
import { badInput } from '../../errors.ts';
import type { AreaGeometry, LonLat, PointGeometry, Ring } from '../../geo/index.ts';

/** Vertices, rings and polygons one shape may have (docs/operate.md, "Limits"). */
const MAX_VERTICES = 10_000;
const MAX_RINGS = 100;
const MAX_POLYGONS = 20;

const RELATIONS: ReadonlyMap<string, ShapeRelation> = new Map([
  ['INTERSECTS', 'intersects'],
  ['CONTAINS', 'contains'],
  ['WITHIN', 'within'],
]);

/** Reads `search.shape` and `search.shapeRelation`. */
export function parseShape(
  shape: unknown,
  relation: unknown = 'INTERSECTS',
): NonNullable<SceneQuery['shape']> {
  const known = typeof relation === 'string' ? RELATIONS.get(relation) : undefined;
  if (known === undefined) {
    throw badInput(
      'bad-relation',
      `search.shapeRelation must be one of ${[...RELATIONS.keys()].join(', ')}.`,
    );
  }
  return { geometry: parseGeometry(shape), relation: known };
}

function parseGeometry(shape: unknown): PointGeometry | AreaGeometry {
  const { type, coordinates } = (shape ?? {}) as { type?: unknown; coordinates?: unknown };
  const budget = { vertices: MAX_VERTICES };
  switch (type) {
    case 'Point':
      return { type, coordinates: parsePosition(coordinates, budget) };
    case 'Polygon':
      return { type, coordinates: parsePolygon(coordinates, budget) };
    case 'MultiPolygon':
      return {
        type,
        coordinates: parseList(coordinates, MAX_POLYGONS, 'polygons').map((p) => parsePolygon(p, budget)),
      };
    default:
      throw badInput('bad-shape', 'search.shape must be a GeoJSON Point, Polygon or MultiPolygon.');
  }
}

type Budget = { vertices: number };

const parsePolygon = (rings: unknown, budget: Budget): readonly Ring[] =>
  parseList(rings, MAX_RINGS, 'rings').map((ring) => parseRing(ring, budget));

function parseRing(ring: unknown, budget: Budget): Ring {
  const positions = parseList(ring, MAX_VERTICES, 'positions').map((position) =>
    parsePosition(position, budget),
  );
  const [first, last] = [positions[0], positions.at(-1)];
  if (positions.length < 4 || first?.[0] !== last?.[0] || first?.[1] !== last?.[1]) {
    throw badInput(
      'bad-shape',
      'search.shape has a ring that is not closed or has fewer than four positions.',
    );
  }
  return positions;
}

function parsePosition(position: unknown, budget: Budget): LonLat {
  budget.vertices -= 1;
  if (budget.vertices < 0)
    throw badInput('shape-too-large', `search.shape has more than ${MAX_VERTICES} vertices.`);
  const [lon, lat] = Array.isArray(position) ? position : [];
  if (
    typeof lon !== 'number' ||
    typeof lat !== 'number' ||
    !(Math.abs(lon) <= 180) ||
    !(Math.abs(lat) <= 90)
  ) {
    throw badInput(
      'bad-shape',
      'search.shape must hold positions [longitude, latitude] within ±180 and ±90.',
    );
  }
  return [lon, lat];
}

function parseList(list: unknown, most: number, what: string): readonly unknown[] {
  if (!Array.isArray(list) || list.length === 0)
    throw badInput('bad-shape', `search.shape lacks its ${what}.`);
  if (list.length > most) throw badInput('shape-too-large', `search.shape has more than ${most} ${what}.`);
  return list;
}
