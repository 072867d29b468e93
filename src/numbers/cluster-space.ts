import type { FittedCentroids } from './lloyd.ts';
import { MAX_ITERATIONS, TOLERANCE } from './lloyd.ts';

/** Points one after another, `size` numbers each. */
export interface Points {
  readonly values: Float64Array;
  readonly count: number;
  readonly size: number;
}

/** Any fixed number would do. */
const SEED = 0x5eed;

/**
 * Lloyd's algorithm on several standardized features (mean 0, deviation 1). Starts are chosen as in k-means++, by
 * random numbers from a fixed seed, so that equal points always give equal clusters. A point at equal distance from two
 * centroids goes to the first.
 */
export function clusterSpace(points: Points, clusterCount: number): FittedCentroids {
  let centroids = chooseStarts(points, clusterCount);
  for (let iteration = 1; ; iteration++) {
    const means = meansOfNearest(points, centroids);
    const filled = means.filter((mean) => mean !== null);
    const isLast = iteration === MAX_ITERATIONS;
    const isFull = filled.length === means.length;
    // An empty cluster moves to the worst-fitting point.
    const worst = isLast || isFull ? null : findWorst(points, centroids);
    const moved = worst === null ? filled : means.map((mean) => mean ?? worst);
    const isStill = moved.every((mean, i) => distance2(mean, centroids[i]!) <= TOLERANCE ** 2);
    centroids = moved;
    if (isLast || (isStill && isFull)) return { centroids, iterations: iteration };
  }
}

/** Fewer starts than requested when there are fewer distinct points. */
function chooseStarts({ values, count, size }: Points, clusterCount: number): number[][] {
  const random = makeRandom(SEED);
  const pointAt = (i: number) => Array.from(values.subarray(i * size, (i + 1) * size));
  const starts = [pointAt(Math.floor(random() * count))];
  const nearest = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  while (starts.length < clusterCount) {
    const latest = starts.at(-1)!;
    let total = 0;
    for (let i = 0; i < count; i++) {
      nearest[i] = Math.min(nearest[i]!, distance2At(values, i * size, latest));
      total += nearest[i]!;
    }
    if (total === 0) break;
    // The next point is drawn with a probability proportional to its squared distance to the nearest start.
    let rest = random() * total;
    let chosen = -1;
    for (let i = 0; i < count && rest >= 0; i++) {
      if (nearest[i] === 0) continue;
      chosen = i;
      rest -= nearest[i]!;
    }
    starts.push(pointAt(chosen));
  }
  return starts;
}

/** The mean of the points nearest to each centroid; null where there are none. */
function meansOfNearest({ values, count, size }: Points, centroids: readonly (readonly number[])[]) {
  const flat = Float64Array.from(centroids.flat());
  const sums = new Float64Array(flat.length);
  const counts = new Float64Array(centroids.length);
  for (let i = 0; i < count; i++) {
    const cluster = findNearest(values, i * size, flat, size);
    for (let j = 0; j < size; j++) sums[cluster * size + j]! += values[i * size + j]!;
    counts[cluster]!++;
  }
  return centroids.map((_, c) =>
    counts[c] === 0 ? null : Array.from(sums.subarray(c * size, (c + 1) * size), (sum) => sum / counts[c]!),
  );
}

function findWorst({ values, count, size }: Points, centroids: readonly (readonly number[])[]): number[] {
  const flat = Float64Array.from(centroids.flat());
  let [worstAt, worstDistance] = [0, -1];
  for (let at = 0; at < count * size; at += size) {
    const distance = distance2At(values, at, centroids[findNearest(values, at, flat, size)]!);
    if (distance > worstDistance) [worstAt, worstDistance] = [at, distance];
  }
  return Array.from(values.subarray(worstAt, worstAt + size));
}

/** Which of the centroids, stored one after another, is nearest to the point that begins at `at`. */
export function findNearest(values: Float64Array, at: number, centroids: Float64Array, size: number): number {
  let nearest = 0;
  let distance = Number.POSITIVE_INFINITY;
  for (let c = 0, from = 0; from < centroids.length; c++, from += size) {
    let sum = 0;
    for (let j = 0; j < size; j++) {
      const off = values[at + j]! - centroids[from + j]!;
      sum += off * off;
    }
    if (sum < distance) {
      distance = sum;
      nearest = c;
    }
  }
  return nearest;
}

function distance2At(values: Float64Array, at: number, point: readonly number[]): number {
  let sum = 0;
  for (let j = 0; j < point.length; j++) sum += (values[at + j]! - point[j]!) ** 2;
  return sum;
}

const distance2 = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, x, i) => sum + (x - b[i]!) ** 2, 0);

/** Pseudo-random numbers in [0, 1): a Weyl sequence, mixed as in MurmurHash. */
function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
  };
}
