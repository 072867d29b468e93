import { internal } from '../errors.ts';
import { clusterLine } from './cluster-line.ts';
import { clusterSpace } from './cluster-space.ts';
import { sortFloats } from './float-keys.ts';
import { makeMomentSums } from './moments.ts';

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
export function toValid({ planes, mask }: Features): Uint8Array {
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
