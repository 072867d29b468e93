import { internal } from './errors.ts';
import { clusterLine, clusterSpace, findNearest, sortFloats } from './lloyd.ts';
import { makeMomentSums } from './summary.ts';

/**
 * The result of a fit: plain JSON, so that it can be cached, and every tile of an area coloured by the same clusters.
 */
export interface ClusterModel {
  /** Mean and deviation by which each feature was standardized; 0 and 1 where there is only one feature. */
  readonly scales: readonly { readonly mean: number; readonly std: number }[];
  /** Centres in that scale, one number per feature, in ascending order; label 1 is the first. */
  readonly centroids: readonly (readonly number[])[];
  readonly iterations: number;
}

/**
 * The max points of a fit of several features, evenly spread over all: 1,600 for each of 20 clusters, and a second of
 * work.
 */
const MAX_POINTS = 32_768;

/** One plane per feature, and where they have data. */
export interface Features {
  readonly planes: readonly Float32Array[];
  /** 1 where there is data; null when everywhere. */
  readonly mask: Uint8Array | null;
}

/**
 * Finds at most `clusterCount` clusters of the pixels that are unmasked and finite in all features; null when there are
 * none. Fewer distinct pixels give fewer clusters. Fit once for an area or a scene, never for a tile.
 */
export function fitClusters(features: Features, clusterCount: number): ClusterModel | null {
  const { planes, mask } = features;
  const [first] = planes;
  if (first === undefined || [...planes, mask ?? first].some(({ length }) => length !== first.length))
    throw internal('feature-planes', 'Clusters need features, and as many pixels of each.');
  const valid = toValid(features);
  let count = 0;
  for (let i = 0; i < valid.length; i++) if (valid[i] !== 0) count++;
  if (count === 0) return null;
  if (planes.length === 1) {
    const sorted = takeValid(first, valid, count);
    sortFloats(sorted);
    const { centroids, iterations } = clusterLine(sorted, clusterCount);
    return { scales: [{ mean: 0, std: 1 }], centroids, iterations };
  }
  const scales = planes.map((plane) => scaleOf(plane, valid));
  const values = toPoints({ planes, scales, valid, count });
  const size = planes.length;
  const fitted = clusterSpace({ values, size, count: values.length / size }, clusterCount);
  return { scales, centroids: fitted.centroids.toSorted(byBrightness), iterations: fitted.iterations };
}

/** 1 where all features are finite and unmasked. */
function toValid({ planes, mask }: Features): Uint8Array {
  const valid = mask === null ? new Uint8Array(planes[0]!.length).fill(1) : mask.slice();
  for (const plane of planes) {
    for (let i = 0; i < plane.length; i++) if (plane[i]! - plane[i]! !== 0) valid[i] = 0;
  }
  return valid;
}

function takeValid(plane: Float32Array, valid: Uint8Array, count: number): Float32Array {
  const taken = new Float32Array(count);
  let next = 0;
  for (let i = 0; i < plane.length; i++) if (valid[i] !== 0) taken[next++] = plane[i]! + 0; // no negative zero
  return taken;
}

/** A feature that is the same everywhere carries no information, and must not cause a division by zero. */
function scaleOf(plane: Float32Array, valid: Uint8Array) {
  const sums = makeMomentSums();
  sums.add(plane, valid);
  const { mean, std } = sums.finish() ?? { mean: 0, std: 1 };
  return { mean, std: std === 0 ? 1 : std };
}

interface ScaledPixels {
  readonly planes: readonly Float32Array[];
  readonly scales: ClusterModel['scales'];
  readonly valid: Uint8Array;
  readonly count: number;
}

function toPoints({ planes, scales, valid, count }: ScaledPixels): Float64Array {
  const step = Math.ceil(count / MAX_POINTS);
  const size = planes.length;
  const points = new Float64Array(Math.ceil(count / step) * size);
  let [seen, next] = [0, 0];
  for (let i = 0; i < valid.length; i++) {
    if (valid[i] === 0 || seen++ % step !== 0) continue;
    for (let j = 0; j < size; j++) points[next++] = (planes[j]![i]! - scales[j]!.mean) / scales[j]!.std;
  }
  return points;
}

/** Several features have no natural order: sorted by their sum, as brightness; equal sums by the first that differs. */
function byBrightness(a: readonly number[], b: readonly number[]): number {
  const sum = (point: readonly number[]) => point.reduce((total, x) => total + x, 0);
  const first = a.findIndex((x, i) => x !== b[i]);
  return sum(a) - sum(b) || (first < 0 ? 0 : a[first]! - b[first]!);
}

/** The cluster of every pixel, counted from 1; 0 where a feature is masked or not finite. */
export function assignClusters(model: ClusterModel, features: Features): Uint8Array {
  const { scales, centroids } = model;
  if (features.planes.length !== scales.length)
    throw internal(
      'feature-planes',
      `The clusters have ${scales.length} features, not ${features.planes.length}.`,
    );
  const [only] = features.planes;
  return only !== undefined && features.planes.length === 1
    ? assignLine(
        centroids.map(([x]) => x!),
        only,
        features.mask,
      )
    : assignSpace(model, features);
}

/** One feature: the label is one more than the number of midpoints between centroids that lie below the value. */
function assignLine(centroids: readonly number[], plane: Float32Array, mask: Uint8Array | null): Uint8Array {
  const middles = Float64Array.from(centroids.slice(1), (x, i) => (x + centroids[i]!) / 2);
  const labels = new Uint8Array(plane.length);
  for (let i = 0; i < plane.length; i++) {
    const value = plane[i]!;
    if ((mask !== null && mask[i] === 0) || value - value !== 0) continue; // masked, NaN or infinite
    let below = 0;
    while (below < middles.length && value > middles[below]!) below++;
    labels[i] = below + 1;
  }
  return labels;
}

function assignSpace({ scales, centroids }: ClusterModel, features: Features): Uint8Array {
  const { planes } = features;
  const labels = toValid(features);
  const flat = Float64Array.from(centroids.flat());
  const point = new Float64Array(planes.length);
  for (let i = 0; i < labels.length; i++) {
    if (labels[i] === 0) continue;
    for (let j = 0; j < point.length; j++) point[j] = (planes[j]![i]! - scales[j]!.mean) / scales[j]!.std;
    labels[i] = findNearest(point, 0, flat, point.length) + 1;
  }
  return labels;
}
