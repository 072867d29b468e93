import type { Allocate, Kernels } from './kernels.ts';
import type { MaskedPlane } from './padded-plane.ts';
import { allocateColumns, allocatePadded, PAD_PX } from './padded-plane.ts';

/**
 * Replaces each known value by the median of the 3 × 3 pixels around it. Beyond an edge the edge is repeated. Unknown
 * pixels do not count and stay unknown; of an even number of known ones it is the mean of the middle two.
 */
export function medianOf9(kernels: Kernels, allocate: Allocate, plane: MaskedPlane): void {
  const { width, height } = plane;
  const fromAt = padPlane(kernels, allocate, plane);
  const toAt = allocatePadded(allocate, plane, PAD_PX);
  kernels.run.medianOf9(fromAt, toAt, width, height);
  kernels.run.unpadHeights(toAt, width, height, plane.valuesAt, plane.maskAt);
}

/** Replaces each known value by the median of the 5 × 5 pixels around it, in the same way. */
export function medianOf25(kernels: Kernels, allocate: Allocate, plane: MaskedPlane): void {
  const { width, height } = plane;
  const fromAt = padPlane(kernels, allocate, plane);
  const toAt = allocatePadded(allocate, plane, PAD_PX);
  kernels.run.medianOf25(fromAt, toAt, width, height, allocateColumns(allocate, width));
  kernels.run.unpadHeights(toAt, width, height, plane.valuesAt, plane.maskAt);
}

function padPlane(kernels: Kernels, allocate: Allocate, plane: MaskedPlane): number {
  const { valuesAt, maskAt, width, height } = plane;
  const fromAt = allocatePadded(allocate, plane, PAD_PX);
  kernels.run.padHeights(valuesAt, maskAt, width, height, fromAt, PAD_PX);
  kernels.run.repeatEdges(fromAt, width, height);
  return fromAt;
}
