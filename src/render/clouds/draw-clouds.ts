import type { PaintedIndexes, PaintedPlanes } from '../../color/index.ts';
import type { Kernels } from '../../raster/index.ts';
import { intersectMask } from '../pixels/area-mask.ts';
import type { PixelWork } from '../pixels/pixel-work.ts';
import type { WarpedInput } from '../pixels/read-inputs.ts';
import type { RenderPlan } from '../plan/render-plan.ts';
import { coverClouds } from './cover-clouds.ts';
import type { ReadClouds } from './read-clouds.ts';

/** 1 where all inputs of a picture have data, in memory of its own: later steps change the masks of the inputs. */
export function toGround(inputs: readonly WarpedInput[], kernels: Kernels, count: number): Uint8Array {
  const ground = new Uint8Array(count).fill(1);
  for (const maskAt of new Set(inputs.map((input) => input.maskAt)))
    intersectMask(ground, new Uint8Array(kernels.buffer(), maskAt, count));
  return ground;
}

/**
 * Covers a picture with the plan's clouds: where the bands have data, whatever the picture shows there, and inside the
 * area. A mask may say "cloud" beyond the scene's edge; nothing is painted there.
 */
export async function drawClouds(
  painted: PaintedIndexes | PaintedPlanes,
  { plan, ground, inside }: { plan: RenderPlan; ground: Uint8Array; inside: Uint8Array | null },
  work: PixelWork & { readonly readClouds: ReadClouds },
): Promise<PaintedIndexes | PaintedPlanes> {
  const { clouds } = plan;
  if (clouds === undefined || !ground.includes(1)) return painted;
  const marks = await work.readClouds({ ...plan, plan: clouds.plan }, work);
  intersectMask(marks, ground);
  if (inside !== null) intersectMask(marks, inside);
  return coverClouds(painted, { marks, color: clouds.color }, work);
}
