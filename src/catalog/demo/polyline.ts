import { clamp } from './easing.ts';

/** A place in local metres: x east, y south of the crop's upper left corner. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

/** A line with a width. */
export interface Stroke {
  readonly points: readonly Place[];
  readonly halfWidthM: number;
}

const between = (a: Place, b: Place, t: number): Place => ({
  x: a.x + (b.x - a.x) * t,
  y: a.y + (b.y - a.y) * t,
});

/** Distance between two places. */
export function distanceM(a: Place, b: Place): number {
  return Math.sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
}

/** Chaikin's corner cutting; end points stay. */
export function smoothLine(points: readonly Place[], rounds: number): readonly Place[] {
  let line = points;
  for (let round = 0; round < rounds && line.length > 2; round++) {
    const cut: Place[] = [line[0]!];
    for (let i = 0; i + 1 < line.length; i++) {
      cut.push(between(line[i]!, line[i + 1]!, 0.25), between(line[i]!, line[i + 1]!, 0.75));
    }
    cut.push(line.at(-1)!);
    line = cut;
  }
  return line;
}

/** The same line with points about `spacingM` apart; end points stay. */
export function resampleLine(points: readonly Place[], spacingM: number): Place[] {
  const result: Place[] = [points[0]!];
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

/** Answers how far a place is from the nearest edge of a set of strokes. */
export interface StrokeIndex {
  /** Metres to the nearest stroke's edge, negative inside it; `reachM` when none is that close. */
  edgeDistanceM(x: number, y: number): number;
}

const bucketM = 128;
// Buckets cover the crop and a little around it; queries outside answer with the nearest bucket's strokes.
const originM = -1280;
const bucketsPerSide = 180;

const bucketOf = (metres: number): number =>
  clamp(Math.floor((metres - originM) / bucketM), 0, bucketsPerSide - 1);

/** Sorts the segments of all strokes into buckets, each segment into every bucket it may matter to. */
export function makeStrokeIndex(strokes: readonly Stroke[], reachM: number): StrokeIndex {
  const segments: number[] = [];
  const buckets: number[][] = Array.from({ length: bucketsPerSide * bucketsPerSide }, () => []);
  for (const { points, halfWidthM } of strokes) {
    const margin = reachM + halfWidthM;
    for (let i = 0; i + 1 < points.length; i++) {
      const a = points[i]!;
      const b = points[i + 1]!;
      const segment = segments.length;
      segments.push(a.x, a.y, b.x - a.x, b.y - a.y, halfWidthM);
      const right = bucketOf(Math.max(a.x, b.x) + margin);
      const bottom = bucketOf(Math.max(a.y, b.y) + margin);
      for (let row = bucketOf(Math.min(a.y, b.y) - margin); row <= bottom; row++) {
        for (let col = bucketOf(Math.min(a.x, b.x) - margin); col <= right; col++) {
          buckets[row * bucketsPerSide + col]!.push(segment);
        }
      }
    }
  }
  const packed = Float64Array.from(segments);
  return {
    edgeDistanceM(x, y) {
      let nearest = reachM;
      for (const segment of buckets[bucketOf(y) * bucketsPerSide + bucketOf(x)]!) {
        const px = x - packed[segment]!;
        const py = y - packed[segment + 1]!;
        const dx = packed[segment + 2]!;
        const dy = packed[segment + 3]!;
        const length2 = dx * dx + dy * dy;
        const t = length2 > 0 ? clamp((px * dx + py * dy) / length2, 0, 1) : 0;
        const ex = px - t * dx;
        const ey = py - t * dy;
        const distance = Math.sqrt(ex * ex + ey * ey) - packed[segment + 4]!;
        if (distance < nearest) nearest = distance;
      }
      return nearest;
    },
  };
}
