import { internal } from '../../errors.ts';
import type { IndexDetail, Kernels, ResultPlane } from '../../raster/index.ts';
import { joinMasks, keepCommon, sharpenBand, sharpenComposite, sharpenIndex } from '../../raster/index.ts';
import type { PixelWork } from '../pixels/pixel-work.ts';
import type { PixelPlan } from '../plan/pixel-plan.ts';
import type { SharpenPlan, ValueLimits } from '../plan/sharpen-plan.ts';
import type { PanBand } from './pan-planes.ts';
import { joinPanMasks, lowOf, readPan } from './pan-planes.ts';

/** The channels of a picture, in the kernels' memory; several may be one plane, or have one mask. */
interface SharpenedPlanes {
  readonly channels: readonly ResultPlane[];
  /** By index of the channel: how computed values take on detail. */
  readonly details: readonly (IndexDetail | undefined)[];
}

/**
 * Sharpens the channels of a plan in place, if it says so. Where the panchromatic band has no data, in the gaps of a
 * broken scanner for one, the picture has none.
 */
export async function sharpenChannels(
  plan: PixelPlan,
  { channels, details }: SharpenedPlanes,
  work: PixelWork,
): Promise<void> {
  const { sharpen, grid } = plan;
  if (sharpen === undefined) return;
  const count = grid.width * grid.height;
  const pan = await readPan(plan, sharpen, work);
  const { kernels } = work;
  const masksAt = [...new Set(channels.map(({ maskAt }) => maskAt))];
  if (pan === null) {
    for (const maskAt of masksAt) new Uint8Array(kernels.buffer(), maskAt, count).fill(0);
    return;
  }
  const joined = joinPanMasks(kernels, pan, count);
  for (const maskAt of masksAt) keepCommon(kernels, { maskAt, alsoAt: joined, count });
  if (sharpen.kind === 'composite') brovey(sharpen, { channels, pan, count }, work);
  else pixelwise(sharpen, { channels, pan, count, details }, kernels);
}

/** Planes that are to be sharpened, and with what. */
interface Sharpening {
  readonly channels: readonly ResultPlane[];
  readonly pan: PanBand;
  readonly count: number;
}

function brovey(
  { weights, limits }: Extract<SharpenPlan, { readonly kind: 'composite' }>,
  { channels, pan, count }: Sharpening,
  { kernels, allocate }: PixelWork,
): void {
  const [maskAt = 0, ...othersAt] = new Set(channels.map((channel) => channel.maskAt));
  joinMasks(kernels, [maskAt, ...othersAt], count);
  // A band that is shown twice is one plane, sharpened once, and counts for both its weights.
  const weightOf = new Map<number, number>();
  for (const [i, { valuesAt }] of channels.entries()) {
    weightOf.set(valuesAt, (weightOf.get(valuesAt) ?? 0) + (weights[i] ?? 0));
  }
  sharpenComposite(kernels, allocate, {
    bandsAt: [...weightOf.keys()],
    weights: [...weightOf.values()],
    panAt: pan.pan.valuesAt,
    maskAt,
    count,
    limits,
  });
  for (const otherAt of othersAt) keepCommon(kernels, { maskAt: otherAt, alsoAt: maskAt, count });
}

function pixelwise(
  sharpen: Extract<SharpenPlan, { readonly kind: 'pixelwise' }>,
  { channels, pan, count, details }: Sharpening & SharpenedPlanes,
  kernels: Kernels,
): void {
  const done = new Set<number>();
  for (const [i, { valuesAt, maskAt }] of channels.entries()) {
    if (done.has(valuesAt)) continue;
    done.add(valuesAt);
    const planes = { panAt: pan.pan.valuesAt, lowAt: lowOf(pan).valuesAt, maskAt, count };
    const channel = sharpen.channels[i];
    if (channel?.kind === 'band') {
      sharpenBand(kernels, valuesAt, planes);
      clamp(new Float32Array(kernels.buffer(), valuesAt, count), channel.limits);
      continue;
    }
    const detail = details[i];
    if (detail === undefined) throw internal('no-detail', 'How a channel takes on detail was not measured.');
    sharpenIndex(kernels, valuesAt, { ...planes, detail });
  }
}

function clamp(values: Float32Array, limits: ValueLimits): void {
  if (limits === null) return;
  const { min, max } = limits;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (value > max) values[i] = max;
    else if (value < min) values[i] = min;
  }
}
