import { isOnEdge, turn } from './exact.ts';
import type { LonLat } from './geometry.ts';

/** An edge of a ring, and where it belongs. */
export interface RingEdge {
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
export type MeetingKind = 'cross' | 'touch' | 'along' | 'against';

/** Two edges that meet, and a point that both have. */
export interface Meeting {
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
export function* findMeetings(edges: readonly RingEdge[]): Generator<Meeting | null> {
  const pairs = [countPairs(edges, 0), countPairs(edges, 1)] as const;
  const axis = pairs[0] <= pairs[1] ? 0 : 1;
  if (pairs[axis] > MAX_PAIRS) {
    yield null;
    return;
  }
  const sorted = edges.toSorted((a, b) => startOf(a, axis) - startOf(b, axis));
  const across = axis === 0 ? 1 : 0;
  const start = Float64Array.from(sorted, (edge) => startOf(edge, axis));
  const end = Float64Array.from(sorted, (edge) => endOf(edge, axis));
  const low = Float64Array.from(sorted, (edge) => startOf(edge, across));
  const high = Float64Array.from(sorted, (edge) => endOf(edge, across));
  let tests = 0;
  for (let i = 0; i < sorted.length; i++) {
    for (let k = i + 1; k < sorted.length && start[k]! <= end[i]!; k++) {
      if (low[k]! > high[i]! || low[i]! > high[k]!) continue;
      tests++;
      if (tests > MAX_TESTS) {
        yield null;
        return;
      }
      const meeting = meet(sorted[i]!, sorted[k]!);
      if (meeting !== null) yield meeting;
    }
  }
}

const startOf = ({ from, to }: RingEdge, axis: 0 | 1): number => Math.min(from[axis], to[axis]);
const endOf = ({ from, to }: RingEdge, axis: 0 | 1): number => Math.max(from[axis], to[axis]);

/** How many pairs of edges overlap along an axis: those that start before another ends, minus those that end before. */
function countPairs(edges: readonly RingEdge[], axis: 0 | 1): number {
  const starts = Float64Array.from(edges, (edge) => startOf(edge, axis)).sort();
  const ends = Float64Array.from(edges, (edge) => endOf(edge, axis)).sort();
  let [pairs, started] = [0, 0];
  for (const [ended, end] of ends.entries()) {
    while (started < starts.length && starts[started]! <= end) started++;
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
