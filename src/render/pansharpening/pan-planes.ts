import type { BandInput } from '../../bandmath/index.ts';
import { internal } from '../../errors.ts';
import type { Grid } from '../../geo/index.ts';
import type { Kernels, ResultPlane, SourcePlanes, WarpPlan } from '../../raster/index.ts';
import { joinMasks, warpPlanes } from '../../raster/index.ts';
import { toInputTree } from '../pixels/compute-channels.ts';
import type { PixelWork } from '../pixels/pixel-work.ts';
import { readSources } from '../pixels/read-inputs.ts';
import type { PixelPlan } from '../plan/pixel-plan.ts';
import type { LowPlan, SharpenPlan } from '../plan/sharpen-plan.ts';

/** The panchromatic band on the picture's grid, and its local mean where that is needed; each with its mask. */
export interface PanBand {
  readonly pan: ResultPlane;
  readonly low: ResultPlane | null;
}

const PAN_INPUT: BandInput = { band: 'pan', calibrated: true, scene: 'this' };

/** Reads the panchromatic band of a plan; null if it has no pixel on the grid. */
export async function readPan(
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
export function lowOf({ low }: PanBand): ResultPlane {
  if (low === null) throw internal('no-low', 'A picture is sharpened without the local mean.');
  return low;
}

/** Joins the masks of the band and of its mean, in the memory of the band's. */
export const joinPanMasks = (kernels: Kernels, { pan, low }: PanBand, count: number): number =>
  joinMasks(kernels, [pan.maskAt, ...(low === null ? [] : [low.maskAt])], count);
