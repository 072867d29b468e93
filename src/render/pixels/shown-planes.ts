/** What a picture shows: the planes of its channels with the stretch of each, and masks of areas. */

import { rasterizeArea } from '../../areas/index.ts';
import type { Stretch } from '../../color/index.ts';
import { isCurved } from '../../color/index.ts';
import type { AreaOutline, Grid } from '../../geo/index.ts';
import type { KernelPlanes } from '../../raster/index.ts';
import { joinMasks } from '../../raster/index.ts';
import { shownInput } from '../plan/plan-inputs.ts';
import type { InputPlan, PixelPlan, RenderPlan } from '../plan/render-plan.ts';
import type { PixelWork, WarpedInput } from './read-channels.ts';
import { computeChannels } from './read-channels.ts';

/** A channel that shows an input as it was read: its values are (read + shift) * scale. */
interface LinearChannel {
  /** The number of the input. */
  readonly input: number;
  readonly shift: number;
  /** 1 for numbers that stay whole, which are at least 1 without their offset. */
  readonly scale: number;
}

/**
 * The channels of a plan whose expressions are all bands with linear rules; null for others. They need no computing:
 * linear pixels warp to linear pixels with every method, so the contrast can be changed instead.
 */
function showInputs({ tree, inputs }: PixelPlan): readonly LinearChannel[] | null {
  const channels: LinearChannel[] = [];
  for (const output of tree.outputs.keys()) {
    const shown = shownInput(tree, output);
    if (shown === null) return null;
    const { rule, parameters } = inputs[shown] as InputPlan;
    if (rule !== 'plain' && rule !== 'shifted' && rule !== 'linear') return null;
    const [shift = 0, scale = 1] = parameters;
    channels.push({ input: shown, shift, scale });
  }
  return channels;
}

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
  const asTheyAre = showAsRead(plan, contrast);
  const channels =
    asTheyAre?.inputs.map((input) => warped[input] as WarpedInput) ??
    computeChannels(plan, warped, { kernels, compute, allocate });
  const stretches = asTheyAre?.stretches ?? contrast;
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

/** Inputs that are painted as they were read, one for each channel, and the stretches that do what their rules say. */
interface AsRead {
  readonly inputs: readonly number[];
  readonly stretches: readonly Stretch[];
}

/** The inputs that a picture shows; null if something must be computed. */
export function showAsRead(plan: RenderPlan, contrast: readonly Stretch[]): AsRead | null {
  const channels = showInputs(plan);
  const isFree = plan.color === null && plan.sharpen === undefined;
  if (channels?.every((channel, i) => isShown(channel, isFree ? contrast[i] : undefined)) !== true)
    return null;
  const stretches = contrast.map((range, i) => {
    const { shift, scale } = channels[i] ?? { shift: 0, scale: 1 };
    return { ...range, min: range.min / scale - shift, max: range.max / scale - shift };
  });
  return { inputs: channels.map(({ input }) => input), stretches };
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

/** 1 where a pixel's centre lies in all outlines; null without any outline. */
export function maskAreas(outlines: readonly AreaOutline[], grid: Grid): Uint8Array | null {
  const [first, ...others] = outlines.map((outline) => rasterizeArea(outline, grid));
  if (first === undefined) return null;
  for (const other of others) intersectMask(first, other);
  return first;
}

/** Clears a mask where another one is clear. */
export function intersectMask(mask: Uint8Array, other: Uint8Array): void {
  for (let i = 0; i < mask.length; i += 1) mask[i] = (mask[i] as number) & (other[i] as number);
}
