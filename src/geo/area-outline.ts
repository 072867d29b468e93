import type { AreaGeometry, LonLatBounds } from './geometry.ts';

/**
 * The edges of an area, four numbers each: longitude and latitude of the southern and of the northern end, so that an
 * edge shared by two polygons is the same in both. Flat, and in shared memory, so that it is passed to a thread at no
 * cost.
 */
export type AreaOutline = Float64Array;

/** The outline of an area; its inside is where a ray to the east crosses an odd number of edges. */
export function toOutline(area: AreaGeometry): AreaOutline {
  const rings = area.type === 'Polygon' ? area.coordinates : area.coordinates.flat();
  const count = rings.reduce((sum, ring) => sum + ring.length - 1, 0);
  const outline = new Float64Array(new SharedArrayBuffer(count * 4 * Float64Array.BYTES_PER_ELEMENT));
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
  const boxes = parts.map(([outer]) => {
    const lons = outer!.map(([lon]) => lon);
    const lats = outer!.map(([, lat]) => lat);
    return { west: min(lons), east: max(lons), south: min(lats), north: max(lats) };
  });
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
