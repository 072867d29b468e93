import type { Grid } from '../../geo/index.ts';
import { PLANE_BYTES } from '../../raster/index.ts';
import type { SharpenPlan } from './sharpen-plan.ts';

/** Pixel memory of sharpening: the panchromatic band as read, warped and made physical, and the same of its mean. */
export function sharpenBytes(sharpen: SharpenPlan | undefined, { width, height }: Grid): number {
  const warp = sharpen?.pan.warp;
  if (sharpen === undefined || warp == null) return 0;
  const low = sharpen.kind === 'pixelwise' ? sharpen.low : null;
  const read = warp.window.width * warp.window.height * PLANE_BYTES + warp.workBytes;
  // Stored numbers are used as they are warped; physical ones are computed, with one mask more (`estimatePlanes`).
  const computed = sharpen.pan.rule === 'plain' ? 0 : PLANE_BYTES + 1;
  const shown = width * height * (PLANE_BYTES + computed);
  if (low === null) return read + shown;
  const mean = low.grid.width * low.grid.height * PLANE_BYTES;
  return read + mean + low.average.workBytes + low.warp.workBytes + 2 * shown;
}
