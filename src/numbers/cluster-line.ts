import type { FittedCentroids } from './lloyd.ts';
import { MAX_ITERATIONS, TOLERANCE } from './lloyd.ts';

/**
 * Lloyd's algorithm on one feature. Sorted values make it cheap: a cluster is a run of them, its ends are found by
 * bisection and its mean by prefix sums, so an iteration costs as much for a million values as for a hundred. Starts
 * are the quantiles (i + ½) / k of the values or, where many equal values would make starts coincide, of the distinct
 * values. A value exactly between two centroids belongs to the lower one.
 */
export function clusterLine(sorted: Float32Array, clusterCount: number): FittedCentroids {
  const distinct = toDistinct(sorted);
  if (distinct.length <= clusterCount) return { centroids: Array.from(distinct, (x) => [x]), iterations: 0 };
  const sums = toRunningSums(sorted);
  const limit = TOLERANCE * spreadOf(sorted);
  let centroids = toQuantiles(sorted, clusterCount);
  if (centroids.some((x, i) => x === centroids[i - 1])) centroids = toQuantiles(distinct, clusterCount);
  for (let iteration = 1; ; iteration++) {
    const ends = toEnds(sorted, centroids);
    const moved = centroids.map((x, i) => meanOf(sums, ends[i - 1] ?? 0, ends[i]!) ?? x);
    const empty = centroids.findIndex((_, i) => (ends[i - 1] ?? 0) === ends[i]);
    // There are more distinct values than clusters, so an empty cluster moves to the worst-fitting value.
    if (empty >= 0 && iteration < MAX_ITERATIONS) moved[empty] = farthest(sorted, moved, ends);
    moved.sort((a, b) => a - b);
    const isStill = moved.every((x, i) => Math.abs(x - centroids[i]!) <= limit);
    centroids = moved;
    if ((isStill && empty < 0) || iteration === MAX_ITERATIONS) {
      const used = toEnds(sorted, centroids);
      const filled = centroids.filter((_, i) => (used[i - 1] ?? 0) < used[i]!);
      return { centroids: filled.map((x) => [x]), iterations: iteration };
    }
  }
}

function toDistinct(sorted: Float32Array): Float32Array {
  const distinct = new Float32Array(sorted.length);
  let count = 0;
  for (let i = 0; i < sorted.length; i++) {
    if (i === 0 || sorted[i] !== sorted[i - 1]) distinct[count++] = sorted[i]!;
  }
  return distinct.subarray(0, count);
}

/** Quantiles (i + ½) / k, interpolated linearly. */
function toQuantiles(sorted: Float32Array, count: number): number[] {
  return Array.from({ length: count }, (_, i) => {
    const position = ((i + 0.5) / count) * (sorted.length - 1);
    const below = sorted[Math.floor(position)]!;
    return below + (position - Math.floor(position)) * (sorted[Math.ceil(position)]! - below);
  });
}

function toRunningSums(sorted: Float32Array): Float64Array {
  const sums = new Float64Array(sorted.length + 1);
  for (let i = 0; i < sorted.length; i++) sums[i + 1] = sums[i]! + sorted[i]!;
  return sums;
}

const meanOf = (sums: Float64Array, from: number, end: number): number | null =>
  from === end ? null : (sums[end]! - sums[from]!) / (end - from);

function spreadOf(sorted: Float32Array): number {
  let mean = 0;
  let squares = 0;
  for (let i = 0; i < sorted.length; i++) {
    const off = sorted[i]! - mean;
    mean += off / (i + 1);
    squares += off * (sorted[i]! - mean);
  }
  return Math.sqrt(squares / sorted.length);
}

/** The end of each cluster's run: after the last value that is not above the midpoint to the next centroid. */
function toEnds(sorted: Float32Array, centroids: readonly number[]): number[] {
  return centroids.map((x, i) => {
    const next = centroids[i + 1];
    return next === undefined ? sorted.length : countUpTo(sorted, (x + next) / 2);
  });
}

function countUpTo(sorted: Float32Array, limit: number): number {
  let [from, end] = [0, sorted.length];
  while (from < end) {
    const middle = (from + end) >>> 1;
    if (sorted[middle]! <= limit) from = middle + 1;
    else end = middle;
  }
  return from;
}

/** The value farthest from its centroid; it is at an end of a run. */
function farthest(sorted: Float32Array, centroids: readonly number[], ends: readonly number[]): number {
  let [worst, distance] = [sorted[0]!, -1];
  for (const [i, end] of ends.entries()) {
    const from = ends[i - 1] ?? 0;
    if (from === end) continue;
    for (const value of [sorted[from]!, sorted[end - 1]!]) {
      const off = Math.abs(value - centroids[i]!);
      if (off > distance) [worst, distance] = [value, off];
    }
  }
  return worst;
}
