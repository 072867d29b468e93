import type { PaintedIndexes, PaintedPlanes } from '../../color/index.ts';
import { internal } from '../../errors.ts';
import type { Allocate, Kernels } from '../../raster/index.ts';
import type { WarpedInput } from '../input-groups.ts';
import type { RenderPlan } from '../plan.ts';
import { coverClouds } from './cover-clouds.ts';
import type { ReadClouds } from './read-clouds.ts';

interface DrawCloudsDeps {
  readonly kernels: Kernels;
  readonly allocate: Allocate;
  readonly readClouds: ReadClouds | undefined;
  readonly signal: AbortSignal;
}

/** 1 where all inputs of a picture have data, as memory of its own: what is done to the picture does not change it. */
export function toGround(warped: readonly WarpedInput[], kernels: Kernels, count: number): Uint8Array {
  const ground = new Uint8Array(count).fill(1);
  for (const maskAt of new Set(warped.map((input) => input.maskAt))) {
    const mask = new Uint8Array(kernels.buffer(), maskAt, count);
    for (let i = 0; i < count; i += 1) ground[i] = (ground[i] as number) & (mask[i] as number);
  }
  return ground;
}

/**
 * Covers a picture with the plan's clouds: where the bands have data, whatever the picture makes of them, and inside of
 * the area. A mask may say "cloud" beyond the scene's edge; nothing is painted there.
 */
export async function drawClouds(
  painted: PaintedIndexes | PaintedPlanes,
  { plan, ground, inside }: { plan: RenderPlan; ground: Uint8Array; inside: Uint8Array | null },
  { kernels, allocate, readClouds, signal }: DrawCloudsDeps,
): Promise<PaintedIndexes | PaintedPlanes> {
  const { clouds } = plan;
  if (clouds === undefined || !ground.includes(1)) return painted;
  if (readClouds === undefined)
    throw internal('no-cloud-reader', 'Clouds are planned that nothing can read.');
  const marks = await readClouds({ ...plan, plan: clouds.plan }, { allocate, signal });
  for (let i = 0; i < marks.length; i += 1) {
    if (ground[i] === 0 || inside?.[i] === 0) marks[i] = 0;
  }
  return coverClouds(painted, { marks, color: clouds.color }, { kernels, allocate });
}
