import type { Size } from '../../geo/index.ts';
import type { CloudPlan } from './cloud-plan.ts';

/** A float and a byte of mask. */
const PLANE_BYTES = 4 + 1;
/** A polygon file of some megabytes as text and as a tree of elements, until it is edges. */
const POLYGONS_BYTES = 16 * 2 ** 20;

/** The memory of reading clouds: windows of the mask, the same on the grid, and a byte a pixel for the marks. */
export function estimateClouds({ source }: CloudPlan, { width, height }: Size): number {
  const warps = source.kind === 'polygons' ? [source.warp] : source.inputs.map(({ warp }) => warp);
  const windows = warps.reduce((sum, warp) => {
    if (warp === null) return sum;
    return sum + warp.window.width * warp.window.height * PLANE_BYTES + warp.workBytes;
  }, 0);
  const parsed = source.kind === 'polygons' ? POLYGONS_BYTES : 0;
  return windows + parsed + width * height * (warps.length * PLANE_BYTES + 1);
}
