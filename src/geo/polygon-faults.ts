import type { Meeting, RingEdge } from './edge-meetings.ts';
import { findMeetings } from './edge-meetings.ts';
import { locateInRing, signedSize, turn } from './exact.ts';
import type { LonLat, Ring } from './geometry.ts';

/** The fault of the rings of an area, by the rule that it breaks. */
export type AreaRule =
  | 'no-area'
  | 'spike'
  | 'self-crossing'
  | 'self-touching'
  | 'rings-cross'
  | 'rings-share-edge'
  | 'rings-part-area'
  | 'hole-outside'
  | 'hole-in-hole'
  | 'polygons-overlap'
  | 'too-intricate';

/** A broken rule and where: polygon and ring count from 0, `at` is a position of the fault. */
export interface AreaFault {
  readonly rule: AreaRule;
  readonly polygon: number;
  readonly ring: number;
  readonly at: LonLat;
}

/** A square centimetre, in square degrees: less is a line, even if it was meant as an area. */
const MIN_SIZE_DEG2 = 1e-14;

/**
 * Finds what makes a polygon invalid (OGC 06-103r4, 6.1.11): rings that cross or touch themselves or share edges, holes
 * outside or inside of each other, rings that touch so that the interior is not connected. Rings are closed, of snapped
 * positions, none of them repeated. Null when the polygon is valid.
 */
export function findPolygonFault(rings: readonly Ring[], polygon = 0): AreaFault | null {
  for (const [ring, positions] of rings.entries()) {
    if (Math.abs(signedSize(positions)) / 2 < MIN_SIZE_DEG2) {
      // A bow-tie may enclose a signed area of zero, but it is not a line.
      const fault = findRingFault([positions], polygon);
      if (fault?.rule === 'self-crossing') return { ...fault, ring };
      return { rule: 'no-area', polygon, ring, at: positions[0]! };
    }
  }
  return findSpike(rings, polygon) ?? findRingFault(rings, polygon) ?? findHoleFault(rings, polygon);
}

/** Searched for first: the tip of a spike also touches the ring, but that fault says less. */
function findSpike(rings: readonly Ring[], polygon: number): AreaFault | null {
  for (const [ring, positions] of rings.entries()) {
    const last = positions.length - 2;
    for (const [i, at] of positions.slice(0, -1).entries()) {
      const [before, after] = [positions[i === 0 ? last : i - 1]!, positions[i + 1]!];
      const isBack = (before[0] - at[0]) * (after[0] - at[0]) + (before[1] - at[1]) * (after[1] - at[1]) > 0;
      if (isBack && turn(before, at, after) === 0) return { rule: 'spike', polygon, ring, at };
    }
  }
  return null;
}

function findRingFault(rings: readonly Ring[], polygon: number): AreaFault | null {
  const touches = makeTouches();
  // Rings that share an edge or cross also touch somewhere, but that fault says less.
  let touching: AreaFault | null = null;
  for (const meeting of findMeetings(toEdges(rings, polygon))) {
    if (meeting === null) return { rule: 'too-intricate', polygon, ring: 0, at: rings[0]![0]! };
    const rule = ruleOf(meeting, rings, touches);
    if (rule === null) continue;
    const fault = { rule, polygon, ring: Math.max(meeting.a.ring, meeting.b.ring), at: meeting.at };
    if (rule !== 'rings-part-area' && rule !== 'self-touching') return fault;
    touching ??= fault;
  }
  return touching;
}

function ruleOf({ a, b, kind, at }: Meeting, rings: readonly Ring[], touches: Touches): AreaRule | null {
  if (a.ring !== b.ring) {
    if (kind === 'cross') return 'rings-cross';
    if (kind !== 'touch') return 'rings-share-edge';
    return touches.add(a.ring, b.ring, at) ? null : 'rings-part-area';
  }
  const last = rings[a.ring]!.length - 2;
  const apart = Math.abs(a.index - b.index);
  const areNeighbours = apart === 1 || apart === last;
  if (areNeighbours) return null;
  return kind === 'cross' ? 'self-crossing' : 'self-touching';
}

/** As no rings cross, and no two touch at more than a point, one vertex that is not on the other ring decides. */
function findHoleFault(rings: readonly Ring[], polygon: number): AreaFault | null {
  for (let ring = 1; ring < rings.length; ring++) {
    const hole = rings[ring]!;
    if (locateRing(hole, rings[0]!) === 'outside')
      return { rule: 'hole-outside', polygon, ring, at: hole[0]! };
    for (let other = 1; other < rings.length; other++) {
      if (other !== ring && locateRing(hole, rings[other]!) === 'inside') {
        return { rule: 'hole-in-hole', polygon, ring, at: hole[0]! };
      }
    }
  }
  return null;
}

function locateRing(ring: Ring, container: Ring): 'inside' | 'outside' {
  for (const position of ring) {
    const location = locateInRing(position, container);
    if (location !== 'edge') return location;
  }
  return 'outside';
}

/** The edges of the rings of a polygon. */
export const toEdges = (rings: readonly Ring[], polygon: number): RingEdge[] =>
  rings.flatMap((positions, ring) =>
    positions.slice(1).map((to, index) => ({ from: positions[index]!, to, polygon, ring, index })),
  );

interface Touches {
  /** False when rings and the points where they touch now form a cycle: it would cut the area in two. */
  add(a: number, b: number, at: LonLat): boolean;
}

function makeTouches(): Touches {
  const parents = new Map<string, string>();
  const known = new Set<string>();
  const rootOf = (name: string): string => {
    let root = name;
    for (let up = parents.get(root); up !== undefined; up = parents.get(root)) root = up;
    return root;
  };
  const link = (ring: number, point: string): boolean => {
    // A point where a ring touches is found once for each of its two edges there.
    const pair = `${ring} ${point}`;
    if (known.has(pair)) return true;
    known.add(pair);
    const [one, other] = [rootOf(`ring ${ring}`), rootOf(point)];
    if (one === other) return false;
    parents.set(one, other);
    return true;
  };
  return {
    add(a, b, at) {
      const point = at.join();
      const isFirst = link(a, point);
      return link(b, point) && isFirst;
    },
  };
}
