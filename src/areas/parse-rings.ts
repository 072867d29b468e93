import type { LonLat, Ring } from '../geo/index.ts';
import { closeRing, snapDegrees } from '../geo/index.ts';
import { isObject } from '../json.ts';
import { areaLimits } from './limits.ts';
import { describePath, refuseArea } from './refuse-area.ts';

/** A path into the geometry; polygons are named where there are several. */
interface GeometryPath {
  readonly polygon: number | null;
  readonly ring?: number;
  readonly position?: number;
}

/**
 * Parses the polygons of a GeoJSON geometry: types, counts and ranges, rings closed where they are not, positions
 * snapped, without repetitions.
 */
export function parsePolygons(geometry: unknown): readonly (readonly Ring[])[] {
  if (!isObject(geometry)) {
    throw refuseArea(
      'malformed',
      'geometry-missing',
      'The area lacks its geometry, a GeoJSON Polygon or MultiPolygon.',
    );
  }
  const { type, coordinates } = geometry;
  if (type !== 'Polygon' && type !== 'MultiPolygon') {
    throw refuseArea('type', 'type', 'The geometry of an area must be a GeoJSON Polygon or MultiPolygon.');
  }
  const polygons =
    type === 'Polygon' ? [coordinates] : parseList(coordinates, areaLimits.polygons, 'polygons', '');
  // Counted before anything is built from them.
  countVertices(polygons);
  return polygons.map((rings, i) => parsePolygon(rings, polygons.length === 1 ? null : i));
}

function countVertices(polygons: readonly unknown[]): void {
  const lists = polygons.flatMap((polygon) =>
    Array.isArray(polygon) ? polygon.slice(0, areaLimits.rings + 1) : [],
  );
  const count = lists.reduce((sum: number, ring) => sum + (Array.isArray(ring) ? ring.length : 0), 0);
  if (count > areaLimits.vertices) {
    throw refuseArea('too-large', 'vertices', `The area has more than ${areaLimits.vertices} positions.`);
  }
  if (lists.length > areaLimits.rings) {
    throw refuseArea('too-large', 'rings', `The area has more than ${areaLimits.rings} rings.`);
  }
}

const parsePolygon = (rings: unknown, polygon: number | null): readonly Ring[] =>
  parseList(rings, areaLimits.rings, 'rings', describePath({ polygon })).map((ring, i) =>
    parseRing(ring, { polygon, ring: i }),
  );

function parseRing(list: unknown, path: GeometryPath): Ring {
  const positions = parseList(list, areaLimits.vertices, 'positions', describePath(path)).map((position, i) =>
    parsePosition(position, { ...path, position: i }),
  );
  // Programs leave the last position out; there is one way to close a ring.
  const ring = closeRing(positions);
  if (ring.length < 4) {
    throw refuseArea(
      'malformed',
      'ring-short',
      `The area is malformed: ${describePath(path)} has fewer than four positions (three, and the first again).`,
    );
  }
  return ring;
}

function parsePosition(position: unknown, path: GeometryPath): LonLat {
  // Heights and measures (RFC 7946 3.1.1) are allowed and ignored.
  const isPosition =
    Array.isArray(position) &&
    position.length >= 2 &&
    position.length <= 4 &&
    position.every((value) => typeof value === 'number' && Number.isFinite(value));
  if (!isPosition) {
    throw refuseArea(
      'malformed',
      'position',
      `The area is malformed: ${describePath(path)} is not [longitude, latitude] in numbers.`,
    );
  }
  const [lon, lat] = position as [number, number];
  if (Math.abs(lon) > areaLimits.maxLonDeg || Math.abs(lat) > 90) {
    throw refuseArea(
      'malformed',
      'range',
      `The area is malformed: ${describePath(path)} lies outside of longitudes ±${areaLimits.maxLonDeg} and latitudes ±90; longitude comes first.`,
    );
  }
  return [snapDegrees(lon), snapDegrees(lat)];
}

function parseList(list: unknown, max: number, what: string, path: string): readonly unknown[] {
  const where = path === '' ? 'The area' : `In the area, ${path}`;
  if (!Array.isArray(list) || list.length === 0) {
    throw refuseArea('malformed', `${what}-missing`, `${where} lacks its list of ${what}.`);
  }
  if (list.length > max) throw refuseArea('too-large', what, `${where} has more than ${max} ${what}.`);
  return list;
}
