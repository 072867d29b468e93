import type { LonLat, MultiPolygonGeometry, Ring } from '../geo/index.ts';
import {
  cutAtAntimeridian,
  eastOf,
  findOverlap,
  findPolygonFault,
  signedSize,
  turnRing,
  unwrapRing,
  westOf,
} from '../geo/index.ts';
import { describePath, refuseArea, refuseFault } from './refuse-area.ts';

/**
 * The normal form of an area: within ±180, cut along the antimeridian, outer rings counter-clockwise and holes
 * clockwise (RFC 7946 3.1.6), each starting at its smallest position, sorted. Invalid areas throw, and are not
 * repaired. Polygons that overlap are valid only where that is harmless.
 */
export function normalizePolygons(
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
  const coordinates = parts.map(({ part: [outer, ...holes] }) => [
    startAtSmallest(outer!),
    ...holes.map(startAtSmallest).sort(compareRings),
  ]);
  return { type: 'MultiPolygon', coordinates: coordinates.sort((a, b) => compareRings(a[0]!, b[0]!)) };
}

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
