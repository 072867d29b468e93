import type { Stretch } from '../../color/index.ts';
import { isCurved } from '../../color/index.ts';
import type { KernelPlanes } from '../../raster/index.ts';
import { joinMasks } from '../../raster/index.ts';
import type { LinearChannel } from '../pixels/compute-channels.ts';
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
  { warped, contrast }: { readonly warped: readonly WarpedInput[]; readonly contrast: readonly Stretch[] },
  { kernels, compute, allocate }: Pick<PixelWork, 'kernels' | 'compute' | 'allocate'>,
): ShownPlanes {
  const { width, height } = plan.grid;
  const asTheyAre = showInputs(plan, warped);
  const isFree = plan.color === null && plan.sharpen === undefined;
  const canShow =
    asTheyAre?.every((channel, i) => isShown(channel, isFree ? contrast[i] : undefined)) === true;
  const channels =
    asTheyAre !== null && canShow ? asTheyAre : computeChannels(plan, warped, { kernels, compute, allocate });
  const stretches = contrast.map((range, i) => {
    const { shift, scale } = (canShow ? asTheyAre?.[i] : undefined) ?? { shift: 0, scale: 1 };
    return { ...range, min: range.min / scale - shift, max: range.max / scale - shift };
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

/**
 * Whether a channel can be painted as it was read: its rule changes nothing, or the stretch can do it. Physical values
 * are left to curves only, whose thresholds are computed in double precision. Undefined: nothing is left to the stretch.
 */
function isShown({ shift, scale }: LinearChannel, stretch: Stretch | undefined): boolean {
  if (shift === 0 && scale === 1) return true;
  if (stretch === undefined) return false;
  if (scale === 1) return hidesLowest(stretch);
  return scale > 0 && isCurved(stretch) && stretch.isDecibel !== true;
}

/** Numbers without their offset are at least 1: where 1 is as black as all below it, the clamp at 1 is invisible. */
const hidesLowest = ({ min, max, gamma = 1 }: Stretch): boolean =>
  1 - min < (max - min) * (0.5 / 255) ** gamma;
