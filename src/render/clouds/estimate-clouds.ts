import type { Size } from '../../geo/index.ts';
import { PLANE_BYTES } from '../../raster/index.ts';
import type { CloudPlan } from '../plan/cloud-plan.ts';
import { countRead } from '../plan/estimate-planes.ts';

/** A polygon file of some megabytes as text, and as edges of which one feature after the other is made. */
const POLYGONS_BYTES = 16 * 2 ** 20;

/** The memory of reading clouds: windows of the mask, the same on the grid, and a byte a pixel for the marks. */
export function estimateClouds({ source }: CloudPlan, { width, height }: Size): number {
  const warps = source.kind === 'polygons' ? [source.warp] : source.inputs.map(({ warp }) => warp);
  const windows = warps.reduce((sum, warp) => {
    if (warp === null) return sum;
    return sum + countRead(warp) * PLANE_BYTES + warp.workBytes;
  }, 0);
  const parsed = source.kind === 'polygons' ? POLYGONS_BYTES : 0;
  return windows + parsed + width * height * (warps.length * PLANE_BYTES + 1);
}
