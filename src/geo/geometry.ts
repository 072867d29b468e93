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

/**
 * Two positions closer than this (in degrees) count as one: a tenth of a millimetre on the ground, far below the
 * precision of footprints and drawn areas, and far above the rounding of double precision degrees (3e-14).
 */
export const SAME_POSITION_DEG = 1e-9;

/** True when the point lies on the segment, ends included. */
export function isOnSegment(point: LonLat, from: LonLat, to: LonLat): boolean {
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
export function between(from: LonLat, to: LonLat, part: number): LonLat {
  return [from[0] + part * (to[0] - from[0]), from[1] + part * (to[1] - from[1])];
}

function partAlong(point: LonLat, from: LonLat, dx: number, dy: number): number {
  const lengthSquared = dx * dx + dy * dy;
  if (lengthSquared === 0) return 0;
  return Math.min(1, Math.max(0, ((point[0] - from[0]) * dx + (point[1] - from[1]) * dy) / lengthSquared));
}
