import { clamp } from '../../numbers/easing.ts';
import { sharedFloats, sharedInts } from './grid.ts';

/** A point in local metres. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

const between = (a: Point, b: Point, t: number): Point => ({
  x: a.x + (b.x - a.x) * t,
  y: a.y + (b.y - a.y) * t,
});

/** Distance between two locations. */
export function distanceM(a: Point, b: Point): number {
  return Math.sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
}

/** Chaikin's corner cutting; end points stay. */
export function smoothLine(points: readonly Point[], rounds: number): readonly Point[] {
  let line = points;
  for (let round = 0; round < rounds && line.length > 2; round++) {
    const cut: Point[] = [line[0]!];
    for (let i = 0; i + 1 < line.length; i++) {
      cut.push(between(line[i]!, line[i + 1]!, 0.25), between(line[i]!, line[i + 1]!, 0.75));
    }
    cut.push(line.at(-1)!);
    line = cut;
  }
  return line;
}

/** The same line with points about `spacingM` apart; end points stay. */
export function resampleLine(points: readonly Point[], spacingM: number): Point[] {
  const result: Point[] = [points[0]!];
  let missing = spacingM;
  for (let i = 0; i + 1 < points.length; i++) {
    let from = points[i]!;
    const to = points[i + 1]!;
    let left = distanceM(from, to);
    while (left >= missing) {
      from = between(from, to, missing / left);
      result.push(from);
      left = distanceM(from, to);
      missing = spacingM;
    }
    missing -= left;
  }
  const last = points.at(-1)!;
  if (distanceM(result.at(-1)!, last) < spacingM / 2 && result.length > 1) result.pop();
  result.push(last);
  return result;
}

/** A line with a width, and a value along it (a river's level). */
export interface Stroke {
  readonly points: readonly Point[];
  readonly halfWidthM: readonly number[];
  readonly valueAt: readonly number[];
}

/** Segments of strokes sorted into square buckets, in memory that threads share. */
export interface StrokeIndex {
  /** Per segment: x, y, dx, dy, half widths at both ends, values at both ends. */
  readonly segments: Float32Array;
  /** First entry of each bucket in `entries`, and one past the last. */
  readonly starts: Int32Array;
  readonly entries: Int32Array;
  readonly reachM: number;
}

/** What a search found; reused by callers. */
export interface NearestStroke {
  /** Metres to the nearest stroke's edge, negative inside it; `reachM` when none is that close. */
  edgeM: number;
  halfWidthM: number;
  value: number;
}

const bucketM = 400;
const originM = -1600;
const bucketsPerSide = 283;
const bucketOf = (metres: number): number =>
  clamp(Math.floor((metres - originM) / bucketM), 0, bucketsPerSide - 1);
const fields = 8;

/** Sorts the segments of all strokes into buckets, each segment into every bucket it may matter to. */
export function makeStrokeIndex(strokes: readonly Stroke[], reachM: number): StrokeIndex {
  const packed: number[] = [];
  for (const { points, halfWidthM, valueAt } of strokes) {
    for (let i = 0; i + 1 < points.length; i++) {
      const a = points[i]!;
      const b = points[i + 1]!;
      packed.push(a.x, a.y, b.x - a.x, b.y - a.y);
      packed.push(halfWidthM[i]!, halfWidthM[i + 1]!, valueAt[i]!, valueAt[i + 1]!);
    }
  }
  const segments = sharedFloats(packed.length);
  segments.set(packed);
  const counts = new Int32Array(bucketsPerSide * bucketsPerSide + 1);
  forEachEntry(segments, reachM, (bucket) => counts[bucket + 1]!++);
  const starts = sharedInts(counts.length);
  for (let i = 1; i < counts.length; i++) starts[i] = starts[i - 1]! + counts[i]!;
  const entries = sharedInts(starts.at(-1)!);
  const filled = starts.slice();
  forEachEntry(segments, reachM, (bucket, segment) => {
    entries[filled[bucket]!++] = segment;
  });
  return { segments, starts, entries, reachM };
}

function forEachEntry(
  segments: Float32Array,
  reachM: number,
  visit: (bucket: number, segment: number) => void,
): void {
  for (let at = 0; at < segments.length; at += fields) {
    const x = segments[at]!;
    const y = segments[at + 1]!;
    const toX = x + segments[at + 2]!;
    const toY = y + segments[at + 3]!;
    const margin = reachM + Math.max(segments[at + 4]!, segments[at + 5]!);
    const right = bucketOf(Math.max(x, toX) + margin);
    const bottom = bucketOf(Math.max(y, toY) + margin);
    for (let row = bucketOf(Math.min(y, toY) - margin); row <= bottom; row++) {
      for (let col = bucketOf(Math.min(x, toX) - margin); col <= right; col++) {
        visit(row * bucketsPerSide + col, at);
      }
    }
  }
}

/** Makes a search of an index; it writes into `out` and says whether any stroke is within reach. */
export function makeStrokeFinder(index: StrokeIndex): (x: number, y: number, out: NearestStroke) => boolean {
  const { segments, starts, entries, reachM } = index;
  return (x, y, out) => {
    out.edgeM = reachM;
    const bucket = bucketOf(y) * bucketsPerSide + bucketOf(x);
    const end = starts[bucket + 1]!;
    let found = false;
    for (let entry = starts[bucket]!; entry < end; entry++) {
      const at = entries[entry]!;
      const px = x - segments[at]!;
      const py = y - segments[at + 1]!;
      const dx = segments[at + 2]!;
      const dy = segments[at + 3]!;
      const length2 = dx * dx + dy * dy;
      const t = length2 > 0 ? clamp((px * dx + py * dy) / length2, 0, 1) : 0;
      const ex = px - t * dx;
      const ey = py - t * dy;
      const halfWidthM = segments[at + 4]! + (segments[at + 5]! - segments[at + 4]!) * t;
      const edgeM = Math.sqrt(ex * ex + ey * ey) - halfWidthM;
      if (edgeM < out.edgeM) {
        out.edgeM = edgeM;
        out.halfWidthM = halfWidthM;
        out.value = segments[at + 6]! + (segments[at + 7]! - segments[at + 6]!) * t;
        found = true;
      }
    }
    return found;
  };
}
