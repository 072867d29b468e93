import type { Stretch } from '../../color/index.ts';
import type { KernelPlanes } from '../../raster/index.ts';
import { joinMasks } from '../../raster/index.ts';
import type { ContrastRange } from '../../stats/index.ts';
import { computeChannels, showInputs } from '../pixels/compute-channels.ts';
import type { PixelWork } from '../pixels/pixel-work.ts';
import type { WarpedInput } from '../pixels/read-inputs.ts';
import type { RenderPlan } from '../plan/render-plan.ts';

/** What is painted: one plane per channel, one mask for all, and the range of each from black to full brightness. */
export interface ShownPlanes {
  readonly planes: KernelPlanes;
  readonly stretches: readonly Stretch[];
}

/** The channels of a picture; a pixel has data where every channel has. */
export function toShownPlanes(
  plan: RenderPlan,
  {
    warped,
    contrast,
  }: { readonly warped: readonly WarpedInput[]; readonly contrast: readonly ContrastRange[] },
  { kernels, compute, allocate }: Pick<PixelWork, 'kernels' | 'compute' | 'allocate'>,
): ShownPlanes {
  const { width, height } = plan.grid;
  const asTheyAre = showInputs(plan, warped);
  const isStretched = plan.color === null;
  const canShift =
    asTheyAre?.every(({ shift }, i) => shift === 0 || (isStretched && hidesLowest(contrast[i]))) === true;
  const channels =
    asTheyAre !== null && canShift
      ? asTheyAre
      : computeChannels(plan, warped, { kernels, compute, allocate });
  const stretches = contrast.map(({ min, max }, i) => {
    const shift = canShift ? (asTheyAre?.[i]?.shift ?? 0) : 0;
    return { min: min - shift, max: max - shift };
  });
  const maskAt = joinMasks(
    kernels,
    channels.map((channel) => channel.maskAt),
    width * height,
  );
  return {
    planes: { width, height, bandsAt: channels.map(({ valuesAt }) => valuesAt), maskAt },
    stretches,
  };
}

/** Numbers without their offset are at least 1: where 1 is as black as all below it, the clamp at 1 is invisible. */
const hidesLowest = (range: ContrastRange | undefined): boolean =>
  range !== undefined && (1 - range.min) * 255 < 0.5 * (range.max - range.min);
