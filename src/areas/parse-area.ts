import { SwathError } from '../errors.ts';
import type { LonLat, MultiPolygonGeometry, Ring } from '../geo/index.ts';
import { isObject } from '../json.ts';
import { badInput } from './errors.ts';
import type { AreaFault, AreaRule } from './polygon-faults.ts';
import { findOverlap, findPolygonFault } from './polygon-faults.ts';
import {
  closeRing,
  cutAtAntimeridian,
  eastOf,
  endAtStart,
  signedSize,
  snapDegrees,
  turnRing,
  unwrapRing,
  westOf,
} from './rings.ts';

/** The limits of an area (docs/operate/limits.md): enough for a coastline, small enough to be validated at once. */
export const areaLimits = {
  vertices: 10_000,
  rings: 100,
  polygons: 20,
  /** Longitudes may exceed ±180 by a turn, as in maps that scroll round the globe. */
  maxLonDeg: 540,
  /**
   * Of the properties as JSON text. They are stored for the caller and never interpreted. With them a feature takes
   * less than a MiB: a position has up to four numbers, and a number up to 24 characters.
   */
  propertiesBytes: 16_384,
} as const;

/** A GeoJSON Feature as it was sent, with the caller's own properties and coordinates. */
export interface AreaFeature {
  readonly type: 'Feature';
  readonly properties: Readonly<Record<string, unknown>>;
  readonly geometry: { readonly type: 'Polygon' | 'MultiPolygon'; readonly coordinates: readonly unknown[] };
}

/** An area of interest: what was sent, and its normal form. */
export interface Area {
  readonly feature: AreaFeature;
  /** Valid, within ±180 degrees, and the same for every way to write the area. */
  readonly geometry: MultiPolygonGeometry;
}

/**
 * Parses an area from untrusted JSON: a Feature, a FeatureCollection of one, an object with a geometry, or a geometry
 * alone. Polygons and MultiPolygons are in longitude and latitude; edges are straight in degrees and take the short way
 * over the antimeridian.
 * An error has the rule in its code (`area-…`), the kind in its details, and a sentence that says where. Other members
 * (`crs`, `bbox`, `id`) are neither obeyed nor stored.
 */
export function parseArea(sent: unknown): Area {
  const untrusted = takeOnlyFeature(sent);
  if (!isObject(untrusted)) {
    throw refuseArea(
      'malformed',
      'not-feature',
      'An area must be a GeoJSON Feature with a Polygon as its geometry.',
    );
  }
  const isBare = untrusted.type === 'Polygon' || untrusted.type === 'MultiPolygon';
  const { type = 'Feature' } = untrusted;
  if (!isBare && type !== 'Feature') {
    throw refuseArea(
      'type',
      'type',
      'An area must be a GeoJSON Feature with a Polygon or MultiPolygon, no other type.',
    );
  }
  const geometry = isBare ? untrusted : untrusted.geometry;
  const properties = parseProperties(isBare ? undefined : untrusted.properties);
  const normalized = parseAreaGeometry(geometry);
  const { type: kind, coordinates } = geometry as AreaFeature['geometry'];
  return {
    feature: { type: 'Feature', properties, geometry: closeWritten({ type: kind, coordinates }) },
    geometry: normalized,
  };
}

/** Parses only the geometry of an area, by the same rules; returns it as in `Area`. */
export const parseAreaGeometry = (untrusted: unknown): MultiPolygonGeometry =>
  normalizePolygons(parsePolygons(untrusted), { mayOverlap: false });

/** Parses the geometry of a search, by the same rules, except that its polygons may overlap. */
export const parseSearchGeometry = (untrusted: unknown): MultiPolygonGeometry =>
  normalizePolygons(parsePolygons(untrusted), { mayOverlap: true });

/** The feature of a collection of one; anything that is not a collection is returned as it is. */
function takeOnlyFeature(sent: unknown): unknown {
  if (!isObject(sent) || sent.type !== 'FeatureCollection') return sent;
  const { features } = sent;
  if (!Array.isArray(features)) {
    throw badInput('area-features-missing', 'The FeatureCollection lacks its list of features.');
  }
  if (features.length !== 1) {
    throw badInput(
      'area-several-features',
      `The FeatureCollection has ${features.length} features, and an area is one of them: send each on its own, or their polygons as one MultiPolygon.`,
    );
  }
  return features[0];
}

/** The geometry as it was sent, with rings that were left open closed: what is read back is valid GeoJSON. */
function closeWritten({ type, coordinates }: AreaFeature['geometry']): AreaFeature['geometry'] {
  const close = (rings: unknown): unknown => (rings as Position[][]).map((ring) => endAtStart(ring));
  return {
    type,
    coordinates: (type === 'Polygon' ? close(coordinates) : coordinates.map(close)) as readonly unknown[],
  };
}

type Position = readonly number[];

function parseProperties(properties: unknown): AreaFeature['properties'] {
  if (properties == null) return {};
  if (!isObject(properties)) {
    throw refuseArea('malformed', 'properties', 'The properties of an area must be a JSON object.');
  }
  if (Buffer.byteLength(JSON.stringify(properties)) > areaLimits.propertiesBytes) {
    throw refuseArea(
      'too-large',
      'properties',
      `The properties of an area may take at most ${areaLimits.propertiesBytes} bytes of JSON.`,
    );
  }
  return properties;
}

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
function parsePolygons(geometry: unknown): readonly (readonly Ring[])[] {
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

/**
 * The normal form of an area: within ±180, cut along the antimeridian, outer rings counter-clockwise and holes
 * clockwise (RFC 7946 3.1.6), each starting at its smallest position, sorted. Invalid areas throw, and are not
 * repaired. Polygons that overlap are valid only where that is harmless.
 */
function normalizePolygons(
  polygons: readonly (readonly Ring[])[],
  { mayOverlap }: { readonly mayOverlap: boolean },
): MultiPolygonGeometry {
  const isOnly = polygons.length === 1;
  const parts = polygons.flatMap((written, i) => {
    const rings = unwrapPolygon(written, isOnly ? null : i);
    const fault = findPolygonFault(rings, i);
    if (fault !== null) throw refuseFault(fault, isOnly);
    return cutAtAntimeridian(rings.map((ring, k) => windRing(ring, k === 0))).map((part) => ({
      part,
      polygon: i,
    }));
  });
  const overlap = mayOverlap ? null : findOverlap(parts.map(({ part }) => part));
  if (overlap !== null) throw refuseFault({ ...overlap, polygon: parts[overlap.polygon]!.polygon }, isOnly);
  return { type: 'MultiPolygon', coordinates: sortPolygons(parts.map(({ part }) => part)) };
}

/** Polygons in the order of the normal form: each ring from its smallest position on, sorted. */
export const sortPolygons = (polygons: readonly (readonly Ring[])[]): readonly (readonly Ring[])[] =>
  polygons
    .map(([outer, ...holes]) => [startAtSmallest(outer!), ...holes.map(startAtSmallest).sort(compareRings)])
    .sort((a, b) => compareRings(a[0]!, b[0]!));

function unwrapPolygon([first, ...others]: readonly Ring[], polygon: number | null): readonly Ring[] {
  const unwrap = (ring: Ring, i: number, outer: Ring | null): Ring => {
    const whole = unwrapRing(ring, { outer });
    if (whole !== null && eastOf(whole) - westOf(whole) <= 360) return whole;
    const where = describePath({ polygon, ring: i });
    throw refuseArea(
      'invalid',
      'round-pole',
      `The area is not valid: ${where} goes round the globe. Close it along the antimeridian: with positions at longitudes 180 and -180, over the pole if it holds one.`,
    );
  };
  const outer = turnRing(unwrap(first!, 0, null), -180);
  const west = westOf(outer);
  return [outer, ...others.map((hole, i) => turnRing(unwrap(hole, i + 1, outer), west))];
}

const windRing = (ring: Ring, isOuter: boolean): Ring =>
  signedSize(ring) > 0 === isOuter ? ring : ring.toReversed();

function startAtSmallest(ring: Ring): Ring {
  const open = ring.slice(0, -1);
  const smallest = open.reduce(
    (best, position, i) => (comparePositions(position, open[best]!) < 0 ? i : best),
    0,
  );
  return [...open.slice(smallest), ...open.slice(0, smallest), open[smallest]!];
}

const comparePositions = (a: LonLat, b: LonLat): number => a[0] - b[0] || a[1] - b[1];

/** Rings that start at the same position differ at the next ones, unless they are equal. */
function compareRings(a: Ring, b: Ring): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const order = comparePositions(a[i]!, b[i]!);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/**
 * The kind of fault, in `details.kind` of the error: not a geometry, a type that is not an area, not valid, or over a
 * limit. Tasks have a code for each.
 */
type AreaErrorKind = 'malformed' | 'type' | 'invalid' | 'too-large';

/** The error for an unusable area: its `code` is `area-` and the name of the rule. */
const refuseArea = (kind: AreaErrorKind, rule: string, message: string): SwathError =>
  new SwathError('unsupported', `area-${rule}`, message, { details: { kind } });

/** "polygon 2, ring 1, position 5", counted from 1; the polygon is named where there are several. */
function describePath(path: {
  readonly polygon?: number | null | undefined;
  readonly ring?: number | undefined;
  readonly position?: number | undefined;
}): string {
  const names = [
    path.polygon == null ? '' : `polygon ${path.polygon + 1}`,
    path.ring === undefined ? '' : `ring ${path.ring + 1}`,
    path.position === undefined ? '' : `position ${path.position + 1}`,
  ];
  return names.filter((name) => name !== '').join(', ');
}

const SENTENCES: Readonly<Record<AreaRule, string>> = {
  'no-area': 'encloses nothing',
  spike: 'turns back onto itself',
  'self-crossing': 'crosses itself',
  'self-touching': 'touches itself',
  'rings-cross': 'crosses another ring of its polygon',
  'rings-share-edge': 'shares an edge with another ring of its polygon',
  'rings-part-area': 'touches other rings so that the area falls into pieces',
  'hole-outside': 'is a hole outside of its polygon; the first ring must be the outer one',
  'hole-in-hole': 'is a hole inside of another hole',
  'polygons-overlap': 'covers ground of another polygon',
  'too-intricate': 'has too many long edges side by side to be checked',
};

/** Describes a broken rule: what, which ring, and near which position. */
function refuseFault({ rule, polygon, ring, at }: AreaFault, isOnly: boolean): SwathError {
  const isOfPolygon = rule === 'polygons-overlap';
  const where = describePath({ polygon: isOnly ? null : polygon, ring: isOfPolygon ? undefined : ring });
  const kind = rule === 'too-intricate' ? 'too-large' : 'invalid';
  const sentence = `The area is not valid: ${where} ${SENTENCES[rule]}, near ${toText(at)}.`;
  return refuseArea(kind, rule, sentence);
}

const toText = ([lon, lat]: LonLat): string => `[${round(lon)}, ${round(lat)}]`;
const round = (degrees: number): number => Math.round(degrees * 1e7) / 1e7;
