import type { JobContext, JobType } from '../../pool/index.ts';
import type { IndexDetail } from '../../raster/index.ts';
import { keepCommon, makeIndexDetailSums } from '../../raster/index.ts';
import { readChannels } from '../pixels/compute-channels.ts';
import type { PixelTools } from '../pixels/pixel-work.ts';
import { beginWork } from '../pixels/pixel-work.ts';
import type { PixelPlan } from '../plan/pixel-plan.ts';
import { joinPanMasks, lowOf, readPan } from './pan-planes.ts';

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
