import type { ReadWindow } from '../../blocks/index.ts';
import type { JobContext, JobType } from '../../pool/index.ts';
import type { ComputeBands, IndexDetail, Kernels } from '../../raster/index.ts';
import { keepCommon, makeIndexDetailSums } from '../../raster/index.ts';
import { computeChannels } from '../compute-channels.ts';
import { readGroups, warpGroups } from '../input-groups.ts';
import type { PixelPlan } from '../plan.ts';
import { readPan } from './pan-planes.ts';
import { joinPanMasks, lowOf } from './sharpen-channels.ts';

/** The work of finding how channels take on detail, as a thread gets it. */
export interface DetailJob {
  readonly places: readonly PixelPlan[];
  readonly channelCount: number;
}

/** The jobs of pansharpening. */
export type DetailJobs = { 'index-detail': JobType<DetailJob, readonly IndexDetail[]> };

interface MeasureDeps {
  readonly readWindow: ReadWindow;
  readonly kernels: Kernels;
  readonly compute: ComputeBands;
}

/** Nothing is added where nothing could be measured. */
const NOTHING: IndexDetail = { amount: 0, min: 0, max: 0 };

/** Builds the measuring of how the channels of a picture take on detail, place by place. */
export function makeMeasureDetail({ readWindow, kernels, compute }: MeasureDeps) {
  return async (
    { places, channelCount }: DetailJob,
    { signal }: JobContext,
  ): Promise<readonly IndexDetail[]> => {
    const sums = Array.from({ length: channelCount }, makeIndexDetailSums);
    for (const place of places) {
      const { sharpen, grid } = place;
      const allocate = kernels.begin();
      const groups = await readGroups(place, { readWindow, kernels, allocate, signal });
      if (groups === null || sharpen === undefined) continue;
      const warped = warpGroups(groups, { kernels, allocate, plan: place });
      const channels = computeChannels(place, warped, { kernels, compute, allocate });
      const pan = await readPan(place, sharpen, { readWindow, kernels, compute, allocate, signal });
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
}
