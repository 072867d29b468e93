import type { Meeting, RingEdge } from './edge-meetings.ts';
import { findMeetings } from './edge-meetings.ts';
import { locateInRing, turn } from './exact.ts';
import type { LonLat, Ring } from './geometry.ts';
import type { AreaFault } from './polygon-faults.ts';
import { toEdges } from './polygon-faults.ts';

type Polygons = readonly (readonly Ring[])[];

/**
 * Finds two polygons that cover the same ground. Each is valid, with the area to the left of its rings. They may share
 * edges, as neighbouring fields do, if they lie on different sides of them.
 */
export function findOverlap(polygons: Polygons): AreaFault | null {
  if (polygons.length < 2) return null;
  const edges = polygons.flatMap((rings, polygon) => toEdges(rings, polygon));
  /** Edges of outer rings that meet another polygon, by the pair of polygons. */
  const met = new Map<string, Set<number>>();
  for (const meeting of findMeetings(edges)) {
    if (meeting === null) return { rule: 'too-intricate', polygon: 0, ring: 0, at: polygons[0]![0]![0]! };
    const { a, b, at } = meeting;
    if (a.polygon === b.polygon) continue;
    if (isEntering(meeting, polygons)) return toFault(Math.max(a.polygon, b.polygon), at);
    remember(met, a, b.polygon);
    remember(met, b, a.polygon);
  }
  return findNested(polygons, met);
}

const toFault = (polygon: number, at: LonLat): AreaFault => ({
  rule: 'polygons-overlap',
  polygon,
  ring: 0,
  at,
});

function remember(met: Map<string, Set<number>>, { polygon, ring, index }: RingEdge, other: number): void {
  if (ring !== 0) return;
  const pair = `${polygon} ${other}`;
  const known = met.get(pair);
  if (known === undefined) met.set(pair, new Set([index]));
  else known.add(index);
}

/** Whether one of the edges leads from the meeting into the inside of the other's polygon. */
function isEntering({ a, b, kind, at }: Meeting, polygons: Polygons): boolean {
  if (kind === 'cross' || kind === 'along') return true;
  if (kind === 'against') return false;
  return leadsInto(a, b, at, polygons) || leadsInto(b, a, at, polygons);
}

// Four parameters: both edges are the meeting's, in either order.
function leadsInto(edge: RingEdge, into: RingEdge, at: LonLat, polygons: Polygons): boolean {
  const ring = polygons[into.polygon]![into.ring]!;
  const last = ring.length - 2;
  const isAt = ([lon, lat]: LonLat): boolean => lon === at[0] && lat === at[1];
  // The edges of the ring before and after the meeting.
  const before = isAt(into.from) ? ring[into.index === 0 ? last : into.index - 1]! : into.from;
  const after = isAt(into.to) ? ring[into.index === last ? 1 : into.index + 2]! : into.to;
  const bend = turn(before, at, after);
  return [edge.from, edge.to].some((end) => {
    if (isAt(end)) return false;
    const [leftOfBefore, leftOfAfter] = [turn(before, at, end) > 0, turn(at, after, end) > 0];
    return bend > 0 ? leftOfBefore && leftOfAfter : leftOfBefore || leftOfAfter;
  });
}

/**
 * Where polygons meet, no edge enters the other. So testing one vertex that is not on the other's edge tells whether
 * the whole polygon lies inside.
 */
function findNested(polygons: Polygons, met: ReadonlyMap<string, ReadonlySet<number>>): AreaFault | null {
  for (const [i, [outer]] of polygons.entries()) {
    for (const [k, other] of polygons.entries()) {
      if (i === k) continue;
      const meeting = met.get(`${i} ${k}`);
      // Where all edges meet the other one, they have all been tested.
      const vertex = outer!.find((_, index) => index < outer!.length - 1 && !meeting?.has(index));
      if (vertex !== undefined && isInside(vertex, other)) return toFault(Math.max(i, k), vertex);
    }
  }
  return null;
}

const isInside = (point: LonLat, [outer, ...holes]: readonly Ring[]): boolean =>
  locateInRing(point, outer!) === 'inside' && holes.every((hole) => locateInRing(point, hole) === 'outside');
