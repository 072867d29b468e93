import type { LonLat, Ring } from '../geo/index.ts';
import { isOnEdge, locateInRing, signedSize, turn } from './rings.ts';

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
const toEdges = (rings: readonly Ring[], polygon: number): RingEdge[] =>
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

/** An edge of a ring, and where it belongs. */
interface RingEdge {
  readonly from: LonLat;
  readonly to: LonLat;
  readonly polygon: number;
  readonly ring: number;
  /** The position it starts from, counted from 0. */
  readonly index: number;
}

/**
 * How two edges meet: at a point inside both, at an end of one of them, or along a stretch, in the same or in opposite
 * directions.
 */
type MeetingKind = 'cross' | 'touch' | 'along' | 'against';

/** Two edges that meet, and a point that both have. */
interface Meeting {
  readonly a: RingEdge;
  readonly b: RingEdge;
  readonly kind: MeetingKind;
  readonly at: LonLat;
}

/** The max pairs of edges whose projections on an axis overlap, at a few nanoseconds each. */
const MAX_PAIRS = 10_000_000;
/** The max pairs of edges whose boxes overlap, which are tested exactly, at some 40 ns each. */
const MAX_TESTS = 2_000_000;

/**
 * Finds all edges that meet, by a sweep over their boxes along the axis on which fewer of them overlap. Returns null
 * when there are too many pairs: a drawn outline has some tens for each edge, a comb of needles thousands.
 */
function* findMeetings(edges: readonly RingEdge[]): Generator<Meeting | null> {
  const spans = [toSpans(edges, 0), toSpans(edges, 1)] as const;
  const pairs = [countPairs(spans[0]), countPairs(spans[1])] as const;
  const axis = pairs[0] <= pairs[1] ? 0 : 1;
  if (pairs[axis] > MAX_PAIRS) {
    yield null;
    return;
  }
  const { starts, ends } = spans[axis];
  const { starts: lows, ends: highs } = spans[axis === 0 ? 1 : 0];
  const order = Array.from(edges.keys()).sort((a, b) => starts[a]! - starts[b]!);
  let tests = 0;
  for (let i = 0; i < order.length; i++) {
    const a = order[i]!;
    const [end, low, high] = [ends[a]!, lows[a]!, highs[a]!];
    for (let k = i + 1; k < order.length; k++) {
      const b = order[k]!;
      if (starts[b]! > end) break;
      if (lows[b]! > high || low > highs[b]!) continue;
      tests++;
      if (tests > MAX_TESTS) {
        yield null;
        return;
      }
      const meeting = meet(edges[a]!, edges[b]!);
      if (meeting !== null) yield meeting;
    }
  }
}

/** Where edges begin and end along an axis. */
interface Spans {
  readonly starts: Float64Array;
  readonly ends: Float64Array;
}

function toSpans(edges: readonly RingEdge[], axis: 0 | 1): Spans {
  const [starts, ends] = [new Float64Array(edges.length), new Float64Array(edges.length)];
  for (let i = 0; i < edges.length; i++) {
    const { from, to } = edges[i]!;
    starts[i] = Math.min(from[axis], to[axis]);
    ends[i] = Math.max(from[axis], to[axis]);
  }
  return { starts, ends };
}

/** So many edges are compared with each other: sorting them takes longer. */
const FEW_EDGES = 48;

/** How many pairs of edges overlap along an axis. */
function countPairs({ starts, ends }: Spans): number {
  let pairs = 0;
  if (starts.length <= FEW_EDGES) {
    for (let i = 0; i < starts.length; i++)
      for (let k = i + 1; k < starts.length; k++)
        if (starts[k]! <= ends[i]! && starts[i]! <= ends[k]!) pairs++;
    return pairs;
  }
  // Those that start before another ends, minus those that end before.
  const [sortedStarts, sortedEnds] = [starts.toSorted(), ends.toSorted()];
  let started = 0;
  for (let ended = 0; ended < sortedEnds.length; ended++) {
    while (started < sortedStarts.length && sortedStarts[started]! <= sortedEnds[ended]!) started++;
    // Of those that have started by now, the ones that have not ended either.
    pairs += started - ended - 1;
  }
  return pairs;
}

function meet(a: RingEdge, b: RingEdge): Meeting | null {
  const bFrom = turn(a.from, a.to, b.from);
  const bTo = turn(a.from, a.to, b.to);
  // Both ends on the same side is by far the most frequent case.
  if ((bFrom > 0 && bTo > 0) || (bFrom < 0 && bTo < 0)) return null;
  if (bFrom === 0 && bTo === 0) return meetInLine(a, b);
  if (bFrom !== 0 && bTo !== 0) {
    const aFrom = turn(b.from, b.to, a.from);
    const aTo = turn(b.from, b.to, a.to);
    if ((aFrom > 0 && aTo < 0) || (aFrom < 0 && aTo > 0)) {
      return { a, b, kind: 'cross', at: partWay(b, bFrom / (bFrom - bTo)) };
    }
  }
  const at = sharedEnd(a, b);
  return at === undefined ? null : { a, b, kind: 'touch', at };
}

/** Only for display, so it may be rounded. */
const partWay = ({ from, to }: RingEdge, part: number): LonLat => [
  from[0] + part * (to[0] - from[0]),
  from[1] + part * (to[1] - from[1]),
];

const sharedEnd = (a: RingEdge, b: RingEdge): LonLat | undefined =>
  [b.from, b.to].find((end) => isOnEdge(end, a.from, a.to)) ??
  [a.from, a.to].find((end) => isOnEdge(end, b.from, b.to));

/** Both on one line: they have nothing, a point or a stretch in common. */
function meetInLine(a: RingEdge, b: RingEdge): Meeting | null {
  const axis = a.from[0] === a.to[0] ? 1 : 0;
  const [aLow, aHigh] = a.from[axis] < a.to[axis] ? [a.from, a.to] : [a.to, a.from];
  const [bLow, bHigh] = b.from[axis] < b.to[axis] ? [b.from, b.to] : [b.to, b.from];
  const at = aLow[axis] > bLow[axis] ? aLow : bLow;
  const end = Math.min(aHigh[axis], bHigh[axis]);
  if (at[axis] > end) return null;
  if (at[axis] === end) return { a, b, kind: 'touch', at };
  const isSameWay = a.from[axis] < a.to[axis] === b.from[axis] < b.to[axis];
  return { a, b, kind: isSameWay ? 'along' : 'against', at };
}
