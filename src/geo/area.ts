/** A point as GeoJSON orders it: longitude first. */
export type LonLat = readonly [lon: number, lat: number];

/** A closed ring: the last position repeats the first. */
export type Ring = readonly LonLat[];

/** GeoJSON geometries Swath stores and compares. */
export type PointGeometry = { readonly type: 'Point'; readonly coordinates: LonLat };
export type PolygonGeometry = { readonly type: 'Polygon'; readonly coordinates: readonly Ring[] };
export type MultiPolygonGeometry = {
  readonly type: 'MultiPolygon';
  readonly coordinates: readonly (readonly Ring[])[];
};
export type AreaGeometry = PolygonGeometry | MultiPolygonGeometry;

/** A rectangle of longitudes and latitudes, edges included; `west` is never larger than `east`. */
export interface LonLatBounds {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** The ring around a rectangle. */
export const boundsRing = ({ west, south, east, north }: LonLatBounds): Ring => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];

/**
 * Two positions closer than this (in degrees) count as one: a tenth of a millimetre on the ground, far below the
 * precision of footprints and drawn areas, and far above the rounding of double precision degrees (3e-14).
 */
const SAME_POSITION_DEG = 1e-9;

/** True when the point lies on the segment, ends included. */
function isOnSegment(point: LonLat, from: LonLat, to: LonLat): boolean {
  const dx = to[0] - from[0];
  const dy = to[1] - from[1];
  const lengthSquared = dx * dx + dy * dy;
  const along = (point[0] - from[0]) * dx + (point[1] - from[1]) * dy;
  const part = lengthSquared === 0 ? 0 : Math.min(1, Math.max(0, along / lengthSquared));
  const offX = point[0] - (from[0] + part * dx);
  const offY = point[1] - (from[1] + part * dy);
  return offX * offX + offY * offY <= SAME_POSITION_DEG * SAME_POSITION_DEG;
}

/**
 * Where along `a` (0 at its start, 1 at its end) the segments meet: nothing, one crossing or touching,
 * or the two ends of a shared stretch.
 */
export function meetings(a: readonly [LonLat, LonLat], b: readonly [LonLat, LonLat]): number[] {
  const [from, to] = a;
  const dx = to[0] - from[0];
  const dy = to[1] - from[1];
  const found: number[] = [];
  // Touching is tested by distance, because an exact crossing test misses it by a rounding error.
  for (const end of b) {
    if (isOnSegment(end, from, to)) found.push(partAlong(end, from, dx, dy));
  }
  if (isOnSegment(from, b[0], b[1])) found.push(0);
  if (isOnSegment(to, b[0], b[1])) found.push(1);
  if (found.length > 0) return found;

  const bx = b[1][0] - b[0][0];
  const by = b[1][1] - b[0][1];
  const determinant = dx * by - dy * bx;
  if (determinant === 0) return found;
  const offX = b[0][0] - from[0];
  const offY = b[0][1] - from[1];
  const alongA = (offX * by - offY * bx) / determinant;
  const alongB = (offX * dy - offY * dx) / determinant;
  if (alongA >= 0 && alongA <= 1 && alongB >= 0 && alongB <= 1) found.push(alongA);
  return found;
}

/** Positions between two ends: `part` 0 is `from`, 1 is `to`. */
function between(from: LonLat, to: LonLat, part: number): LonLat {
  return [from[0] + part * (to[0] - from[0]), from[1] + part * (to[1] - from[1])];
}

function partAlong(point: LonLat, from: LonLat, dx: number, dy: number): number {
  const lengthSquared = dx * dx + dy * dy;
  if (lengthSquared === 0) return 0;
  return Math.min(1, Math.max(0, ((point[0] - from[0]) * dx + (point[1] - from[1]) * dy) / lengthSquared));
}

/*
 * Areas are closed sets of the longitude-latitude plane: their edges belong to them, edges are straight in degrees,
 * holes follow the even-odd rule. Longitudes are taken as written, never unwrapped (a box from -170 to 170 is wide, not
 * narrow), and every test is also made a turn to the east and to the west: an area that extends to 181 meets -179. An
 * area over the antimeridian is therefore written either in two parts or with longitudes beyond 180.
 */

type Edge = readonly [from: LonLat, to: LonLat];
const TURNS_DEG = [0, 360, -360] as const;

/** The rectangle that holds the geometry, longitudes as written. */
export function geometryBounds(geometry: AreaGeometry | PointGeometry): LonLatBounds {
  return boundsOf(geometry.type === 'Point' ? [geometry.coordinates] : ringsOf(geometry).flat());
}

/** True when the point lies in the area or on its edge. */
export function isPointInArea(point: LonLat, area: AreaGeometry): boolean {
  return TURNS_DEG.some((turn) => locate([point[0] + turn, point[1]], area) !== 'outside');
}

/** True when the areas share at least a point. */
export function areasIntersect(a: AreaGeometry, b: AreaGeometry): boolean {
  const boundsOfA = geometryBounds(a);
  return TURNS_DEG.some((turn) => {
    const moved = moveBy(b, turn);
    const boundsOfB = geometryBounds(moved);
    if (!boundsMeet(boundsOfA, boundsOfB)) return false;
    const edgesOfB = edgesWithin(moved, boundsOfA);
    if (edgesWithin(a, boundsOfB).some((edge) => edgesOfB.some((other) => edgesMeet(edge, other))))
      return true;
    // No edges meet, so each part lies wholly inside or wholly outside: testing one of its vertices is enough.
    return anyPartIn(a, moved) || anyPartIn(moved, a);
  });
}

/**
 * How an area relates to the shape of a search: touches it, covers it, or lies inside it. No area lies inside a point.
 * Areas are closed: a shared edge or corner counts as an intersection.
 */
export function relates(
  area: AreaGeometry,
  shape: PointGeometry | AreaGeometry,
  relation: 'intersects' | 'contains' | 'within',
): boolean {
  if (shape.type === 'Point') return relation !== 'within' && isPointInArea(shape.coordinates, area);
  switch (relation) {
    case 'intersects':
      return areasIntersect(area, shape);
    case 'contains':
      return areaContains(area, shape);
    case 'within':
      return areaContains(shape, area);
  }
}

/** True when every point of `inner` lies in `outer`; a shared edge is allowed. */
export function areaContains(outer: AreaGeometry, inner: AreaGeometry): boolean {
  // All three turns at once: an area cut at 180 is whole again, except for the seam that `isSeam` ignores.
  const everywhere = TURNS_DEG.flatMap((turn) => partsOf(moveBy(outer, turn)));
  const ground: AreaGeometry = { type: 'MultiPolygon', coordinates: everywhere };
  return partsOf(inner).every((rings) => {
    const part: AreaGeometry = { type: 'Polygon', coordinates: rings };
    const bounds = geometryBounds(part);
    return (
      // The edge of the part never leaves `outer`, and no edge of `outer` (e.g. of a hole) runs through the inside of
      // the part.
      piecesOf(edgesWithin(part, bounds), ground).every(
        ({ middle }) => locate(middle, ground) !== 'outside',
      ) &&
      piecesOf(edgesWithin(ground, bounds), part).every(
        (piece) => locate(piece.middle, part) !== 'inside' || isSeam(piece, ground),
      )
    );
  });
}

const partsOf = (area: AreaGeometry): readonly (readonly Ring[])[] =>
  area.type === 'Polygon' ? [area.coordinates] : area.coordinates;

const ringsOf = (area: AreaGeometry): readonly Ring[] => partsOf(area).flat();

function moveBy(area: AreaGeometry, degrees: number): AreaGeometry {
  if (degrees === 0) return area;
  const coordinates = partsOf(area).map((part) =>
    part.map((ring) => ring.map(([lon, lat]): LonLat => [lon + degrees, lat])),
  );
  return { type: 'MultiPolygon', coordinates };
}

type Location = 'inside' | 'edge' | 'outside';

function locate(point: LonLat, area: AreaGeometry): Location {
  let found: Location = 'outside';
  for (const part of partsOf(area)) {
    const here = locateInPart(point, part);
    if (here === 'inside') return here;
    if (here === 'edge') found = here;
  }
  return found;
}

/** By counting crossings of a ray to the east, over all rings at once, so that holes are subtracted. */
function locateInPart(point: LonLat, part: readonly Ring[]): Location {
  let inside = false;
  for (const ring of part) {
    for (let i = 1; i < ring.length; i++) {
      const from = ring[i - 1]!;
      const to = ring[i]!;
      // Most edges lie wholly above, below or west of the point, and are neither crossed nor touched.
      if (from[1] > point[1] && to[1] > point[1]) continue;
      if (from[1] < point[1] && to[1] < point[1]) continue;
      if (from[0] < point[0] && to[0] < point[0]) continue;
      if (isOnSegment(point, from, to)) return 'edge';
      if (from[1] > point[1] === to[1] > point[1]) continue;
      const crossingLon = from[0] + ((point[1] - from[1]) / (to[1] - from[1])) * (to[0] - from[0]);
      if (point[0] < crossingLon) inside = !inside;
    }
  }
  return inside ? 'inside' : 'outside';
}

function anyPartIn(area: AreaGeometry, container: AreaGeometry): boolean {
  return partsOf(area).some((part) => {
    const vertex = part[0]?.[0];
    return vertex !== undefined && locate(vertex, container) !== 'outside';
  });
}

function edgesWithin(area: AreaGeometry, bounds: LonLatBounds): Edge[] {
  const edges: Edge[] = [];
  for (const ring of ringsOf(area)) {
    for (let i = 1; i < ring.length; i++) {
      const edge: Edge = [ring[i - 1]!, ring[i]!];
      if (boundsMeet(boundsOf(edge), bounds)) edges.push(edge);
    }
  }
  return edges;
}

/** The box around some positions. */
export function boundsOf(positions: readonly LonLat[]): LonLatBounds {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [lon, lat] of positions) {
    west = Math.min(west, lon);
    south = Math.min(south, lat);
    east = Math.max(east, lon);
    north = Math.max(north, lat);
  }
  return { west, south, east, north };
}

/** Whether two boxes share a position, as tolerant as the test whether edges meet: a coarse filter for it. */
export function boundsMeet(a: LonLatBounds, b: LonLatBounds): boolean {
  return (
    a.west <= b.east + SAME_POSITION_DEG &&
    b.west <= a.east + SAME_POSITION_DEG &&
    a.south <= b.north + SAME_POSITION_DEG &&
    b.south <= a.north + SAME_POSITION_DEG
  );
}

const edgesMeet = (a: Edge, b: Edge): boolean =>
  boundsMeet(boundsOf(a), boundsOf(b)) && meetings(a, b).length > 0;

interface Piece {
  readonly middle: LonLat;
  readonly edge: Edge;
}

/** The pieces into which the edges are cut by those of `knife`: each lies on one side of it only. */
function piecesOf(edges: readonly Edge[], knife: AreaGeometry): Piece[] {
  return edges.flatMap((edge) => {
    const cuts = edgesWithin(knife, boundsOf(edge)).flatMap((other) => meetings(edge, other));
    const parts = [0, ...cuts, 1].sort((a, b) => a - b);
    const pieces: Piece[] = [];
    for (let i = 1; i < parts.length; i++) {
      const [start, end] = [parts[i - 1]!, parts[i]!];
      if (end > start) pieces.push({ middle: between(edge[0], edge[1], (start + end) / 2), edge });
    }
    return pieces;
  });
}

/** True when the area continues on both sides of the piece: two parts that lie edge to edge. */
function isSeam({ middle, edge: [from, to] }: Piece, area: AreaGeometry): boolean {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
  // A centimetre to the left and to the right.
  const stepLon = ((to[1] - from[1]) / length) * 1e-7;
  const stepLat = ((from[0] - to[0]) / length) * 1e-7;
  return [1, -1].every((side) => {
    const nearby: LonLat = [middle[0] + side * stepLon, middle[1] + side * stepLat];
    return locate(nearby, area) === 'inside';
  });
}

/** WGS 84: semi-minor axis in kilometres, and eccentricity. */
const SEMI_MINOR_KM = 6356.752314245179;
const ECCENTRICITY = 0.0818191908426215;
const RAD = Math.PI / 180;

/**
 * Edges are measured in segments no longer than this; five points per segment are then accurate to a millionth of a
 * percent.
 */
const PIECE_DEG = 2;
/** Nodes and weights of Gauss-Legendre quadrature with five points on 0..1. */
const GAUSS: readonly (readonly [node: number, weight: number])[] = [
  [0.04691007703066802, 0.11846344252809454],
  [0.23076534494715845, 0.23931433524968324],
  [0.5, 0.28444444444444444],
  [0.7692346550528415, 0.23931433524968324],
  [0.953089922969332, 0.11846344252809454],
];

/** The area on the ellipsoid, in square kilometres; edges are straight in degrees, holes are subtracted. */
export function areaKm2(area: AreaGeometry): number {
  const polygons = area.type === 'Polygon' ? [area.coordinates] : area.coordinates;
  return polygons.reduce((sum, [outer, ...holes]) => {
    const ofHoles = holes.reduce((total, hole) => total + ringKm2(hole), 0);
    return sum + ringKm2(outer!) - ofHoles;
  }, 0);
}

function ringKm2(ring: Ring): number {
  // Relative to a parallel of the ring itself: from the equator a small field would be a difference of large numbers.
  const base = belowParallel(ring[0]![1]);
  let sum = 0;
  for (let i = 1; i < ring.length; i++) sum += belowEdge(ring[i - 1]!, ring[i]!, base);
  return Math.abs(sum) * SEMI_MINOR_KM ** 2;
}

/** Signed area between an edge and the parallel of `base`, with the semi-minor axis as 1. */
function belowEdge(from: LonLat, to: LonLat, base: number): number {
  const [lon, lat] = [to[0] - from[0], to[1] - from[1]];
  const pieces = Math.max(1, Math.ceil(Math.max(Math.abs(lon), Math.abs(lat)) / PIECE_DEG));
  let mean = 0;
  for (let piece = 0; piece < pieces; piece++) {
    for (const [node, weight] of GAUSS) {
      mean += (weight * (belowParallel(from[1] + ((piece + node) / pieces) * lat) - base)) / pieces;
    }
  }
  return mean * lon * RAD;
}

/** Area between the equator and a parallel, for one radian of longitude (Snyder, Map Projections, 3-12 and 3-13). */
function belowParallel(lat: number): number {
  const sine = Math.sin(lat * RAD);
  const part = ECCENTRICITY * sine;
  return (sine / (1 - part * part) + Math.atanh(part) / ECCENTRICITY) / 2;
}
