import type { AreaGeometry, LonLat, Ring } from '../../geo/index.ts';
import type { CrsId, Position, Projection } from '../../proj/index.ts';
import { makeProjection } from '../../proj/index.ts';
import { sourceBroken } from '../errors.ts';

/** Max error of a footprint: some 50 m, which also straightens the pixel stairs of Sentinel-2's outlines. */
const TOLERANCE_DEG = 4.5e-4;
/** The share of the tolerance for curved edges; the rest is for simplification. */
const BEND_DEG = TOLERANCE_DEG / 3;
/** An edge becomes at most 32 segments. */
const MAX_HALVINGS = 5;

/**
 * Projects an outline to a footprint in longitude and latitude, with as many points between the corners as its curved
 * edges need, cut at 180 degrees. An outline that crosses itself, leaves the Earth or runs around a pole throws
 * `no-footprint`.
 */
export function toFootprint(outline: readonly Position[], crs: CrsId): AreaGeometry {
  const projection = makeProjection(crs, 4326);
  const ring: LonLat[] = [];
  for (const [i, corner] of outline.entries()) {
    const next = outline[(i + 1) % outline.length]!;
    ring.push(...bend(projection, [corner, next], MAX_HALVINGS).slice(0, -1));
  }
  return fromLonLat([[ring]]);
}

/** Cleans a footprint in longitude and latitude and cuts it at 180 degrees. */
export function tidyFootprint(area: AreaGeometry): AreaGeometry {
  return fromLonLat(area.type === 'Polygon' ? [area.coordinates] : area.coordinates);
}

/** Points from one position to another, both included, dense enough that straight lines follow the true edge. */
function bend(projection: Projection, [from, to]: readonly [Position, Position], halvings: number): LonLat[] {
  const start = toLonLat(projection, from);
  const end = near(toLonLat(projection, to), start);
  if (halvings === 0) return [start, end];
  const middle: Position = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
  const true_ = near(toLonLat(projection, middle), start);
  const off = Math.hypot(true_[0] - (start[0] + end[0]) / 2, true_[1] - (start[1] + end[1]) / 2);
  if (off < BEND_DEG) return [start, end];
  return [
    ...bend(projection, [from, middle], halvings - 1).slice(0, -1),
    ...bend(projection, [middle, to], halvings - 1),
  ];
}

function toLonLat(projection: Projection, [x, y]: Position): LonLat {
  const [lon, lat] = projection.forward(x, y);
  if (!Number.isFinite(lon) || !Number.isFinite(lat)) throw noFootprint('it leaves the Earth');
  return [lon, lat];
}

/** The same location with the longitude nearest to that of another: longitudes then continue beyond 180. */
const near = ([lon, lat]: LonLat, [other]: LonLat): LonLat => [
  lon - 360 * Math.round((lon - other) / 360),
  lat,
];

const noFootprint = (why: string) =>
  sourceBroken('no-footprint', `The outline of this image is not a footprint: ${why}.`);

function fromLonLat(polygons: readonly (readonly Ring[])[]): AreaGeometry {
  const parts = polygons.flatMap((rings) => {
    // Holes are dropped: in footprints of providers they are single lost lines.
    const whole = unwind(rings[0] ?? []);
    const tidy = tidyWithin(whole, TOLERANCE_DEG - BEND_DEG);
    if (tidy === null) return [];
    if (!isSimple(tidy)) throw noFootprint('it crosses itself');
    return cutAtDateLine(tidy);
  });
  const [only] = parts;
  if (only === undefined) throw noFootprint('it is empty');
  return parts.length === 1
    ? { type: 'Polygon', coordinates: [only] }
    : { type: 'MultiPolygon', coordinates: parts.map((part) => [part]) };
}

/** Searches test every point of a footprint; one with more points is simplified further. */
const MAX_POINTS = 500;

function tidyWithin(ring: readonly LonLat[], toleranceDeg: number): LonLat[] | null {
  const tidy = tidyRing(ring, toleranceDeg);
  return tidy !== null && tidy.length > MAX_POINTS ? tidyWithin(ring, toleranceDeg * 2) : tidy;
}

/** A ring whose longitudes never jump; one that does not return to its start runs around a pole. */
function unwind(ring: Ring): LonLat[] {
  const smooth: LonLat[] = [];
  for (const point of ring) {
    if (Math.abs(point[1]) > 90) throw noFootprint('it leaves the Earth');
    smooth.push(near(point, smooth.at(-1) ?? point));
  }
  const first = smooth[0];
  if (first === undefined) return [];
  if (Math.abs(near(first, smooth.at(-1)!)[0] - first[0]) > 180) throw noFootprint('it runs around a pole');
  return smooth;
}

/** The ring within -180 and 180 degrees, in two parts if it crosses the antimeridian. */
function cutAtDateLine(ring: readonly LonLat[]): Ring[] {
  const lons = ring.map(([lon]) => lon);
  const [west, east] = [Math.min(...lons), Math.max(...lons)];
  const turn = -360 * Math.round((west + east) / 2 / 360);
  const shifts = [west + turn < -180 ? [-360] : [], 0, east + turn > 180 ? [360] : []].flat();
  return shifts.flatMap((shift) => {
    const moved = ring.map(([lon, lat]): LonLat => [lon + turn - shift, lat]);
    const clipped =
      shifts.length === 1
        ? moved
        : clip(clip(moved, { limit: 180, side: 'below' }), { limit: -180, side: 'above' });
    const tidy = tidyRing(clipped, 0);
    return tidy === null ? [] : [tidy.map(round)];
  });
}

/** The part of a ring on one side of a meridian (Sutherland and Hodgman). */
function clip(
  ring: readonly LonLat[],
  { limit, side }: { limit: number; side: 'above' | 'below' },
): LonLat[] {
  const isInside = ([lon]: LonLat) => (side === 'below' ? lon <= limit : lon >= limit);
  return ring.flatMap((point, i): LonLat[] => {
    const before = ring[i === 0 ? ring.length - 1 : i - 1]!;
    const inside = isInside(point) ? [point] : [];
    if (isInside(point) === isInside(before)) return inside;
    const t = (limit - before[0]) / (point[0] - before[0]);
    return [[limit, before[1] + t * (point[1] - before[1])], ...inside];
  });
}

/** A ten-millionth of a degree is a centimetre; further digits would differ between machines. */
const round = ([lon, lat]: LonLat): LonLat => [Math.round(lon * 1e7) / 1e7, Math.round(lat * 1e7) / 1e7];

/** Simplifies a line within the tolerance (Douglas and Peucker); its ends stay. */
export function simplifyLine(line: readonly LonLat[], toleranceDeg: number): LonLat[] {
  const isVertex = new Uint8Array(line.length);
  isVertex[0] = 1;
  isVertex[line.length - 1] = 1;
  const pending: [number, number][] = [[0, line.length - 1]];
  for (let span = pending.pop(); span !== undefined; span = pending.pop()) {
    const [from, to] = span;
    let farthest = -1;
    let distance = toleranceDeg;
    for (let i = from + 1; i < to; i++) {
      const here = distanceToSegment(line[i]!, line[from]!, line[to]!);
      if (here > distance) [farthest, distance] = [i, here];
    }
    if (farthest < 0) continue;
    isVertex[farthest] = 1;
    pending.push([from, farthest], [farthest, to]);
  }
  return line.filter((_, i) => isVertex[i] === 1);
}

/** A simplified ring, closed and counter-clockwise; null if no area is left. */
export function tidyRing(ring: readonly LonLat[], toleranceDeg: number): LonLat[] | null {
  const open = ring.filter((point, i) => i === 0 || !isSame(point, ring[i - 1]!));
  while (open.length > 1 && isSame(open[0]!, open.at(-1)!)) open.pop();
  if (open.length < 3) return null;
  // Split at two distant points, so that both halves of the ring are lines with fixed ends.
  const first = open[0]!;
  const opposite = open.reduce(
    (best, point, i) => (squared(point, first) > squared(open[best]!, first) ? i : best),
    0,
  );
  const halves = [
    simplifyLine(open.slice(0, opposite + 1), toleranceDeg),
    simplifyLine([...open.slice(opposite), first], toleranceDeg),
  ] as const;
  const closed = [...halves[0].slice(0, -1), ...halves[1]];
  const area = signedArea(closed);
  if (closed.length < 4 || Math.abs(area) < 1e-12) return null;
  return area < 0 ? closed.reverse() : closed;
}

/** True if no two edges of a closed ring cross or touch, except neighbours at their common corner. */
export function isSimple(ring: readonly LonLat[]): boolean {
  const edges = ring.length - 1;
  for (let i = 0; i < edges; i++) {
    for (let j = i + 2; j < edges; j++) {
      if (i === 0 && j === edges - 1) continue;
      if (cross([ring[i]!, ring[i + 1]!], [ring[j]!, ring[j + 1]!])) return false;
    }
  }
  return true;
}

/** Twice the area, positive when counter-clockwise. */
export function signedArea(ring: readonly LonLat[]): number {
  let sum = 0;
  for (let i = 1; i < ring.length; i++) {
    sum += ring[i - 1]![0] * ring[i]![1] - ring[i]![0] * ring[i - 1]![1];
  }
  return sum;
}

const isSame = (a: LonLat, b: LonLat): boolean => squared(a, b) < 1e-18;
const squared = (a: LonLat, b: LonLat): number => (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2;

function distanceToSegment(point: LonLat, from: LonLat, to: LonLat): number {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = dx * dx + dy * dy;
  const along = (point[0] - from[0]) * dx + (point[1] - from[1]) * dy;
  const t = length === 0 ? 0 : Math.min(1, Math.max(0, along / length));
  return Math.hypot(point[0] - from[0] - t * dx, point[1] - from[1] - t * dy);
}

type Edge = readonly [LonLat, LonLat];

const side = ([from, to]: Edge, point: LonLat): number =>
  Math.sign((to[0] - from[0]) * (point[1] - from[1]) - (to[1] - from[1]) * (point[0] - from[0]));

function cross(a: Edge, b: Edge): boolean {
  const [b0, b1, a0, a1] = [side(a, b[0]), side(a, b[1]), side(b, a[0]), side(b, a[1])];
  if (b0 !== b1 && a0 !== a1) return true;
  return (
    (b0 === 0 && isWithin(a, b[0])) ||
    (b1 === 0 && isWithin(a, b[1])) ||
    (a0 === 0 && isWithin(b, a[0])) ||
    (a1 === 0 && isWithin(b, a[1]))
  );
}

const isWithin = ([from, to]: Edge, [lon, lat]: LonLat): boolean =>
  Math.min(from[0], to[0]) <= lon &&
  lon <= Math.max(from[0], to[0]) &&
  Math.min(from[1], to[1]) <= lat &&
  lat <= Math.max(from[1], to[1]);
