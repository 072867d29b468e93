import type { BandInput } from '../../bandmath/index.ts';
import type { Grid } from '../../geo/index.ts';
import type { JobContext, JobType } from '../../pool/index.ts';
import type { Kernels, ResultPlane, SourcePlanes, WarpPlan } from '../../raster/index.ts';
import { joinMasks, keepCommon, warpPlanes } from '../../raster/index.ts';
import { internal } from '../errors.ts';
import type { PixelTools, PixelWork } from '../pixels/read-channels.ts';
import { beginWork, readChannels, readSources, toInputTree } from '../pixels/read-channels.ts';
import type { LowPlan, PixelPlan, SharpenPlan, ValueLimits } from '../plan/render-plan.ts';
import type { IndexDetail } from './pansharpen.ts';
import { makeIndexDetailSums, sharpenBand, sharpenComposite, sharpenIndex } from './pansharpen.ts';

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

/** The input of the job that measures how channels take on detail. */
export interface DetailJob {
  readonly samples: readonly PixelPlan[];
  readonly channelCount: number;
}

/** The jobs of pansharpening. */
export type DetailJobs = { 'index-detail': JobType<DetailJob, readonly IndexDetail[]> };

/** Nothing is added where nothing could be measured. */
const NOTHING: IndexDetail = { amount: 0, min: 0, max: 0 };

/** Builds the measuring of how the channels of a picture take on detail, sample by sample. */
export const makeMeasureDetail =
  (tools: PixelTools) =>
  async ({ samples, channelCount }: DetailJob, { signal }: JobContext): Promise<readonly IndexDetail[]> => {
    const { kernels } = tools;
    const sums = Array.from({ length: channelCount }, makeIndexDetailSums);
    for (const sample of samples) {
      const { sharpen, grid } = sample;
      const work = beginWork(tools, signal);
      const channels = await readChannels(sample, work);
      if (channels === null || sharpen === undefined) continue;
      const pan = await readPan(sample, sharpen, work);
      if (pan === null) continue;
      const count = grid.width * grid.height;
      const alsoAt = joinPanMasks(kernels, pan, count);
      const view = (at: number): Float32Array => new Float32Array(kernels.buffer(), at, count);
      for (const [i, { valuesAt, maskAt }] of channels.entries()) {
        keepCommon(kernels, { maskAt, alsoAt, count });
        sums[i]?.add({
          index: view(valuesAt),
          pan: view(pan.pan.valuesAt),
          low: view(lowOf(pan).valuesAt),
          mask: new Uint8Array(kernels.buffer(), maskAt, count),
        });
      }
    }
    return sums.map((sum) => sum.finish() ?? NOTHING);
  };

/** The panchromatic band on the picture's grid, and its local mean where that is needed; each with its mask. */
interface PanBand {
  readonly pan: ResultPlane;
  readonly low: ResultPlane | null;
}

const PAN_INPUT: BandInput = { band: 'pan', calibrated: true, scene: 'this' };

/** Reads the panchromatic band of a plan; null if it has no pixel on the grid. */
async function readPan(
  { viewId, sceneVersion, grid }: PixelPlan,
  sharpen: SharpenPlan,
  work: PixelWork,
): Promise<PanBand | null> {
  const { pan } = sharpen;
  if (pan.warp === null || (sharpen.kind === 'pixelwise' && sharpen.low === null)) return null;
  const [group] = (await readSources({ viewId, sceneVersion, inputs: [pan] }, work)) ?? [];
  const [member] = group?.members ?? [];
  if (group === undefined || member === undefined) return null;
  const { valuesAt, maskAt } = member;
  const source: SourcePlanes = { valuesAt, maskAt, planeBytes: group.planeBytes, bandCount: 1 };
  const low = sharpen.kind === 'pixelwise' ? sharpen.low : null;
  const planes = [warpOne({ target: grid, plan: pan.warp, source }, work)];
  if (low !== null) planes.push(warpLow(low, { source, target: grid }, work));
  const { rule, parameters } = pan;
  const [panPlane, lowPlane] =
    rule === 'plain'
      ? planes
      : work.compute(work.allocate, {
          tree: toInputTree(planes.map(() => PAN_INPUT)),
          inputs: planes.map((at) => ({ ...at, rule, parameters, secondAt: 0 })),
          count: grid.width * grid.height,
        });
  return panPlane === undefined ? null : { pan: panPlane, low: lowPlane ?? null };
}

function warpLow(
  low: LowPlan,
  { source, target }: { readonly source: SourcePlanes; readonly target: Grid },
  work: PixelWork,
): ResultPlane {
  const mean = warpOne({ target: low.grid, plan: low.average, source }, work);
  const planeBytes = 4 * low.grid.width * low.grid.height;
  return warpOne({ target, plan: low.warp, source: { ...mean, planeBytes, bandCount: 1 } }, work);
}

function warpOne(
  job: { readonly target: Grid; readonly plan: WarpPlan; readonly source: SourcePlanes },
  { kernels, allocate }: PixelWork,
): ResultPlane {
  const { bandsAt, maskAt } = warpPlanes(kernels, allocate, job);
  return { valuesAt: bandsAt[0] as number, maskAt };
}

/** The local mean, which everything except a composite has. */
function lowOf({ low }: PanBand): ResultPlane {
  if (low === null) throw internal('no-low', 'A picture is sharpened without the local mean.');
  return low;
}

/** Joins the masks of the band and of its mean, in the memory of the band's. */
const joinPanMasks = (kernels: Kernels, { pan, low }: PanBand, count: number): number =>
  joinMasks(kernels, [pan.maskAt, ...(low === null ? [] : [low.maskAt])], count);
