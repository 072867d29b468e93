import { fromKey, toKey } from './summary.ts';

/** Centroids in the order in which they were found: one number per feature. */
interface FittedCentroids {
  readonly centroids: readonly (readonly number[])[];
  readonly iterations: number;
}

/** A fit ends when no centroid moves by more than this fraction of a standard deviation. */
const TOLERANCE = 1e-4;

/** A fit ends after this many iterations at the latest. */
const MAX_ITERATIONS = 100;

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

/** Points one after another, `size` numbers each. */
interface Points {
  readonly values: Float64Array;
  readonly count: number;
  readonly size: number;
}

/** The seed of the random numbers; any fixed number would do. */
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

const SORT_BINS = 1 << 11;

/** Sorts numbers in place in linear time: a radix sort by 11, 11 and 10 bits of their keys. */
export function sortFloats(values: Float32Array): void {
  const given = new Uint32Array(values.buffer, values.byteOffset, values.length);
  const counts = [0, 1, 2].map(() => new Uint32Array(SORT_BINS)) as [Uint32Array, Uint32Array, Uint32Array];
  const [lower, middle, upper] = counts;
  for (let i = 0; i < given.length; i++) {
    const key = toKey(given[i]!);
    given[i] = key;
    lower[key & (SORT_BINS - 1)]!++;
    middle[(key >>> 11) & (SORT_BINS - 1)]!++;
    upper[key >>> 22]!++;
  }
  let from: Uint32Array = given;
  let to: Uint32Array = new Uint32Array(given.length);
  for (const [round, ends] of counts.entries()) {
    let next = 0;
    for (let bin = 0; bin < SORT_BINS; bin++) {
      const count = ends[bin]!;
      ends[bin] = next;
      next += count;
    }
    const shift = 11 * round;
    for (let i = 0; i < from.length; i++) {
      const key = from[i]!;
      to[ends[(key >>> shift) & (SORT_BINS - 1)]!++] = key;
    }
    [from, to] = [to, from];
  }
  for (let i = 0; i < given.length; i++) given[i] = fromKey(from[i]!);
}
