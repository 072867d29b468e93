import { rasterizeArea } from '../../areas/index.ts';
import type { TypedTree } from '../../bandmath/index.ts';
import { interpretTree } from '../../bandmath/index.ts';
import type { Stretch } from '../../color/index.ts';
import { isCurved } from '../../color/index.ts';
import type { AreaOutline, Grid } from '../../geo/index.ts';
import type { Allocate, BandPlane, KernelPlanes, Kernels, ResultPlane } from '../../raster/index.ts';
import { joinMasks } from '../../raster/index.ts';
import { shownInput } from '../plan/plan-inputs.ts';
import type { InputPlan, PixelPlan, RenderPlan } from '../plan/render-plan.ts';
import type { PixelWork, WarpedInput } from './read-inputs.ts';
import { readInputs } from './read-inputs.ts';

/** The one way from files to values: reads the inputs of a plan, warps them onto its grid and computes its expressions. */
export async function readChannels(plan: PixelPlan, work: PixelWork): Promise<readonly ResultPlane[] | null> {
  const warped = await readInputs(plan, work);
  return warped === null ? null : computeChannels(plan, warped, work);
}

/**
 * The same for scenes that are put together: bands that are shown as they are read are not copied, and lie where
 * `allocateTarget` says. Then they may share a mask, and what is not a number is not masked.
 */
export async function readPlanes(
  plan: PixelPlan,
  { allocateTarget, ...work }: PixelWork,
): Promise<readonly ResultPlane[] | null> {
  return isAsRead(plan) ? readInputs(plan, { ...work, allocateTarget }) : readChannels(plan, work);
}

/** Whether the channels of a plan are its inputs in their order, warped and not computed. */
const isAsRead = ({ tree, inputs }: PixelPlan): boolean =>
  inputs.length === tree.outputs.length &&
  inputs.every(({ rule, table, warp }) => rule === 'plain' && table === null && warp?.isCopy !== true) &&
  tree.outputs.every((_, output) => shownInput(tree, output) === output);

/** Computes the expressions of a plan from its inputs on one grid, each with a mask of its own. */
function computeChannels(
  { tree, inputs, grid }: PixelPlan,
  warped: readonly WarpedInput[],
  { kernels, compute, allocate }: Pick<PixelWork, 'kernels' | 'compute' | 'allocate'>,
): readonly ResultPlane[] {
  const planes = inputs.map(
    ({ rule, parameters }, i): BandPlane => ({ ...(warped[i] as WarpedInput), rule, parameters }),
  );
  const count = grid.width * grid.height;
  if (!tree.needsWindow) return compute(allocate, { tree, inputs: planes, count });
  // The rules of the inputs are compiled in any case: they are written in one place only.
  const values = compute(allocate, { tree: toInputTree(tree.inputs), inputs: planes, count });
  return interpret({ tree, grid, values }, kernels, allocate);
}

/** The tree whose expressions are the inputs themselves: applies the rules of inputs and nothing else. */
export const toInputTree = (inputs: TypedTree['inputs']): TypedTree => ({
  nodes: inputs.map((_, input) => ({ op: 'input', type: 'float', input })),
  inputs,
  outputs: inputs.map((_, input) => ({ value: input, absent: null, uses: [input], type: 'band' })),
  key: `inputs ${inputs.length}`,
  costPerPixel: inputs.length,
  needsWindow: false,
});

function interpret(
  { tree, grid, values }: { tree: TypedTree; grid: Grid; values: readonly ResultPlane[] },
  kernels: Kernels,
  allocate: Allocate,
): readonly ResultPlane[] {
  const { width, height } = grid;
  const count = width * height;
  const results = tree.outputs.map(() => ({ valuesAt: allocate(4 * count), maskAt: allocate(count) }));
  const buffer = kernels.buffer();
  const planes = interpretTree(tree, {
    width,
    height,
    bands: values.map(({ valuesAt }) => new Float32Array(buffer, valuesAt, count)),
    masks: values.map(({ maskAt }) => new Uint8Array(buffer, maskAt, count)),
  });
  for (const [i, { valuesAt, maskAt }] of results.entries()) {
    const plane = planes[i];
    if (plane === undefined) continue;
    new Float32Array(buffer, valuesAt, count).set(plane.values);
    new Uint8Array(buffer, maskAt, count).set(plane.mask);
  }
  return results;
}

/** A channel that shows an input as it was read: its values are (read + shift) * scale. */
interface LinearChannel extends ResultPlane {
  readonly shift: number;
  /** 1 for numbers that stay whole, which are at least 1 without their offset. */
  readonly scale: number;
}

/**
 * The channels of a plan whose expressions are all bands with linear rules; null for others. They need no computing:
 * linear pixels warp to linear pixels with every method, so the contrast can be changed instead.
 */
function showInputs(
  { tree, inputs }: PixelPlan,
  warped: readonly WarpedInput[],
): readonly LinearChannel[] | null {
  const channels: LinearChannel[] = [];
  for (const output of tree.outputs.keys()) {
    const shown = shownInput(tree, output);
    if (shown === null) return null;
    const { rule, parameters } = inputs[shown] as InputPlan;
    if (rule !== 'plain' && rule !== 'shifted' && rule !== 'linear') return null;
    const [shift = 0, scale = 1] = parameters;
    channels.push({ ...(warped[shown] as WarpedInput), shift, scale });
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
