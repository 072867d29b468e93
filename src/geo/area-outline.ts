import type { AreaGeometry, LonLat, LonLatBounds, Ring } from './area.ts';
import { boundsMeet, boundsOf, meetings } from './area.ts';

/**
 * The edges of an area, four numbers each: longitude and latitude of the southern and of the northern end, so that an
 * edge shared by two polygons is the same in both. Flat, and in shared memory, so that it is passed to a thread at no
 * cost.
 */
export type AreaOutline = Float64Array;

const shareNumbers = (count: number): Float64Array =>
  new Float64Array(new SharedArrayBuffer(count * Float64Array.BYTES_PER_ELEMENT));

/**
 * The outline of an area; its inside is where a ray to the east crosses an odd number of edges. `allocate` gives other memory
 * than shared one, which is slow to make, for outlines that stay on a thread.
 */
export function toOutline(
  area: AreaGeometry,
  allocate: (count: number) => Float64Array = shareNumbers,
): AreaOutline {
  const rings = area.type === 'Polygon' ? area.coordinates : area.coordinates.flat();
  const count = rings.reduce((sum, ring) => sum + ring.length - 1, 0);
  const outline = allocate(4 * count);
  let end = 0;
  for (const ring of rings) {
    for (let i = 1; i < ring.length; i++) {
      const [from, to] = [ring[i - 1]!, ring[i]!];
      const isUp = from[1] < to[1] || (from[1] === to[1] && from[0] < to[0]);
      const [lower, upper] = isUp ? [from, to] : [to, from];
      outline[end] = lower[0];
      outline[end + 1] = lower[1];
      outline[end + 2] = upper[0];
      outline[end + 3] = upper[1];
      end += 4;
    }
  }
  return outline;
}

/**
 * The narrowest rectangle that holds an outline: all longitudes but the widest gap between its edges. If that gap does
 * not lie at the antimeridian, the eastern edge lies beyond 180.
 */
export function outlineBounds(outline: AreaOutline): LonLatBounds {
  let [west, south, east, north] = [outline[0]!, outline[1]!, outline[0]!, outline[1]!];
  for (let i = 0; i < outline.length; i += 2) {
    west = Math.min(west, outline[i]!);
    east = Math.max(east, outline[i]!);
    south = Math.min(south, outline[i + 1]!);
    north = Math.max(north, outline[i + 1]!);
  }
  // No gap inside of it can be wider than the one around the antimeridian.
  if (east - west <= 180) return { west, south, east, north };
  return { ...findNarrowest(outline), south, north };
}

/** The longitudes of an outline without the widest gap between its edges. */
function findNarrowest(outline: AreaOutline): Pick<LonLatBounds, 'west' | 'east'> {
  const spans = Array.from({ length: outline.length / 4 }, (_, i) => {
    const [from, to] = [outline[4 * i]!, outline[4 * i + 2]!];
    return [Math.min(from, to), Math.max(from, to)] as const;
  }).toSorted(([one], [other]) => one - other);
  const [west, first] = spans[0]!;
  let gap = { from: 180, width: 0 };
  let end = first;
  for (const [from, to] of spans) {
    if (from - end > gap.width) gap = { from: end, width: from - end };
    end = Math.max(end, to);
  }
  // The gap around the antimeridian.
  if (west + 360 - end >= gap.width) return { west, east: end };
  return { west: gap.from + gap.width, east: gap.from + 360 };
}

/**
 * The narrowest rectangle that holds an area within ±180. An area on both sides of the antimeridian has its eastern
 * edge beyond 180.
 */
export function areaBounds(area: AreaGeometry): LonLatBounds {
  const parts = area.type === 'Polygon' ? [area.coordinates] : area.coordinates;
  const boxes = parts.map(([outer]) => boundsOf(outer!));
  // Most footprints, of which a page has hundreds.
  if (boxes.length === 1) return boxes[0]!;
  const [south, north] = [min(boxes.map((box) => box.south)), max(boxes.map((box) => box.north))];
  // The rectangle begins at the western edge of some part; the other parts are moved by a turn if necessary.
  const spans = boxes.map(({ west }) => ({
    west,
    east: max(boxes.map((box) => (box.west < west ? box.east + 360 : box.east))),
  }));
  const narrowest = spans.reduce((best, span) =>
    span.east - span.west < best.east - best.west ? span : best,
  );
  return { ...narrowest, south, north };
}

const min = (values: ArrayLike<number>): number => pick(values, Math.min);
const max = (values: ArrayLike<number>): number => pick(values, Math.max);

function pick(values: ArrayLike<number>, choose: (one: number, other: number) => number): number {
  let picked = values[0]!;
  for (let i = 1; i < values.length; i++) picked = choose(picked, values[i]!);
  return picked;
}

/** A raster of which each column has a longitude and each row a latitude. */
interface LonLatLattice {
  /** Longitudes of the pixel centres, ascending. */
  readonly lons: Float64Array;
  /** Latitudes of the pixel centres, descending. */
  readonly lats: Float64Array;
}

/**
 * Marks the pixels whose centre lies in the area with 1. Exact except for rounding where an edge crosses a row. The
 * crossing depends only on the edge and the latitude, so tiles have no seams.
 */
export function fillOutline(mask: Uint8Array, outline: AreaOutline, { lons, lats }: LonLatLattice): void {
  const width = lons.length;
  const [west, east] = [lons[0]!, lons[width - 1]!];
  const [north, south] = [lats[0]!, lats[lats.length - 1]!];
  const columnsPerDeg = width > 1 ? (width - 1) / (east - west) : 0;
  for (let i = 0; i < outline.length; i += 4) {
    const lowLon = outline[i]!;
    const low = outline[i + 1]!;
    const highLon = outline[i + 2]!;
    const high = outline[i + 3]!;
    // The lower end belongs to the edge, the upper one to the next (the same rule as in `isPointInArea`).
    if (low > north || high <= south || (lowLon > east && highLon > east)) continue;
    const slope = (highLon - lowLon) / (high - low);
    const end = firstBelow(lats, low);
    for (let row = firstBelow(lats, high); row < end; row++) {
      const crossing = lowLon + (lats[row]! - low) * slope;
      if (crossing > east) continue;
      // The estimate is off by rounding at most; the comparison with the centres themselves decides.
      let column = crossing <= west ? 0 : Math.ceil((crossing - west) * columnsPerDeg);
      while (column > 0 && lons[column - 1]! >= crossing) column--;
      while (lons[column]! < crossing) column++;
      const at = row * width + column;
      mask[at] = mask[at]! ^ 1;
    }
  }
  fillBetween(mask, width);
}

/** Marks what lies between the first and the second 1 of a row, the third and the fourth, … or the end of the row. */
function fillBetween(mask: Uint8Array, width: number): void {
  let start = mask.indexOf(1);
  while (start >= 0) {
    const rowEnd = (Math.floor(start / width) + 1) * width;
    const next = mask.indexOf(1, start + 1);
    const end = next < 0 ? rowEnd : Math.min(next, rowEnd);
    mask.fill(1, start, end);
    if (end < rowEnd) mask[end] = 0;
    start = mask.indexOf(1, end);
  }
}

/** The first row that lies below the latitude. */
function firstBelow(lats: Float64Array, lat: number): number {
  let [low, high] = [0, lats.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lats[middle]! < lat) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** 1 where a position is inside, else 0: a ray to the east crosses an odd number of edges (of all, or of some). */
export function sideOf(
  outline: AreaOutline,
  some: readonly number[] | null,
  [lon, lat]: readonly [lon: number, lat: number],
): number {
  let side = 0;
  const count = some === null ? outline.length / 4 : some.length;
  for (let i = 0; i < count; i++) {
    const at = some === null ? i * 4 : some[i]!;
    const [fromLon, fromLat] = [outline[at]!, outline[at + 1]!];
    if (fromLat > lat || outline[at + 3]! <= lat) continue;
    const slope = (outline[at + 2]! - fromLon) / (outline[at + 3]! - fromLat);
    if (lon < fromLon + (lat - fromLat) * slope) side ^= 1;
  }
  return side;
}

const TURNS_DEG = [0, 360, -360] as const;

/** True when an area and a ring without holes share at least a point; a turn to the east or west does not matter. */
export function outlineMeets(outline: AreaOutline, ring: Ring): boolean {
  return TURNS_DEG.some((turn) => {
    const moved = ring.map(([lon, lat]): LonLat => [lon + turn, lat]);
    const bounds = boundsOf(moved);
    for (let i = 0; i < outline.length; i += 4) {
      const edge = [toPosition(outline, i), toPosition(outline, i + 2)] as const;
      if (!boundsMeet(boundsOf(edge), bounds)) continue;
      if (isInRing(edge[0], moved)) return true;
      for (let k = 1; k < moved.length; k++) {
        if (meetings(edge, [moved[k - 1]!, moved[k]!]).length > 0) return true;
      }
    }
    // No edges meet and no end lies in the ring, so the ring lies wholly inside the area or wholly outside.
    return moved[0] !== undefined && sideOf(outline, null, moved[0]) === 1;
  });
}

const toPosition = (outline: AreaOutline, at: number): LonLat => [outline[at]!, outline[at + 1]!];

/** Whether a ray to the east crosses the edge from one position to another. */
function isCrossed([lon, lat]: LonLat, from: LonLat, to: LonLat): boolean {
  if (from[1] > lat === to[1] > lat) return false;
  return lon < from[0] + ((lat - from[1]) / (to[1] - from[1])) * (to[0] - from[0]);
}

function isInRing(point: LonLat, ring: Ring): boolean {
  let isInside = false;
  for (let i = 1; i < ring.length; i++) {
    if (isCrossed(point, ring[i - 1]!, ring[i]!)) isInside = !isInside;
  }
  return isInside;
}
