import type { Grid } from '../../geo/index.ts';
import type { WarpPlan } from '../../raster/index.ts';
import { PLANE_BYTES } from '../../raster/index.ts';
import type { InputPlan } from './input-plan.ts';
import type { PixelPlan } from './pixel-plan.ts';
import type { SharpenPlan } from './sharpen-plan.ts';

/**
 * The pixel memory of computing a plan. A pixel is a float and a mask byte: of each input before and after its warp, and
 * of each expression, with one more mask for what its inputs have in common. Each input counts the work memory of its
 * method: inputs that are warped together share it, inputs with different masks do not.
 */
export function estimatePlanes({ inputs, tree, grid, sharpen }: PixelPlan): number {
  const source = inputs.reduce((sum, input) => sum + inputBytes(input), 0);
  const warped = inputs.reduce((sum, { table }) => sum + PLANE_BYTES + (table === null ? 0 : 4), 0);
  const computed = tree.outputs.length * (PLANE_BYTES + 1);
  // The interpreter has planes of its own, at most one per node, in addition to the inputs with their rules applied.
  const interpreted = tree.needsWindow ? 4 * tree.nodes.length + inputs.length * (PLANE_BYTES + 1) : 0;
  return source + grid.width * grid.height * (warped + computed + interpreted) + sharpenBytes(sharpen, grid);
}

/** Pixels that a warp reads. */
export const countRead = (warp: WarpPlan | null): number =>
  warp === null ? 0 : warp.window.width * warp.window.height;

function inputBytes({ warp, table }: InputPlan): number {
  if (warp === null) return 0;
  return countRead(warp) * (PLANE_BYTES + (table === null ? 0 : 4)) + warp.workBytes;
}

/** Memory of sharpening: the panchromatic band as read, warped and calibrated, and the same of its local mean. */
function sharpenBytes(sharpen: SharpenPlan | undefined, { width, height }: Grid): number {
  const warp = sharpen?.pan.warp;
  if (sharpen === undefined || warp == null) return 0;
  const low = sharpen.kind === 'pixelwise' ? sharpen.low : null;
  const read = countRead(warp) * PLANE_BYTES + warp.workBytes;
  // Stored numbers are used as they are warped; calibrated ones are computed, with one more mask.
  const computed = sharpen.pan.rule === 'plain' ? 0 : PLANE_BYTES + 1;
  const shown = width * height * (PLANE_BYTES + computed);
  if (low === null) return read + shown;
  const mean = low.grid.width * low.grid.height * PLANE_BYTES;
  return read + mean + low.average.workBytes + low.warp.workBytes + 2 * shown;
}
