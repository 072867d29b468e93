import { internal } from '../errors.ts';
import { findNearest } from './cluster-space.ts';
import type { ClusterModel, Features } from './k-means.ts';
import { toValid } from './k-means.ts';

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
