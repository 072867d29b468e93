import type { AreaOutline } from '../../geo/index.ts';
import type { ClusterModel } from '../../numbers/index.ts';
import { fitClusters } from '../../numbers/index.ts';
import type { JobContext, JobType } from '../../pool/index.ts';
import { intersectMask, maskAreas } from '../pixels/area-mask.ts';
import { readChannels } from '../pixels/compute-channels.ts';
import type { PixelTools } from '../pixels/pixel-work.ts';
import { beginWork } from '../pixels/pixel-work.ts';
import type { PixelPlan } from '../plan/pixel-plan.ts';
import type { Zones } from './sieve-zones.ts';
import { sieveZones } from './sieve-zones.ts';

/** The input of the job that finds classes. */
export interface FitClustersJob {
  readonly sample: PixelPlan;
  /** Only pixels inside count; null for all. */
  readonly outline: AreaOutline | null;
  readonly count: number;
  /** Smaller patches of an area are removed; 0 retains all. */
  readonly minAreaM2: number;
}

/** Classes, and their zones once small patches are removed; null where none are removed. */
export interface FittedClusters {
  readonly model: ClusterModel;
  readonly zones: Zones | null;
}

/** The job that finds classes; null if there is nothing to divide. */
export type ClusterJobs = { 'fit-clusters': JobType<FitClustersJob, FittedClusters | null> };

/** Builds the fit of classes to the values of expressions over a scene or an area. */
export const makeFitClusters =
  (tools: PixelTools) =>
  async (
    { sample, outline, count, minAreaM2 }: FitClustersJob,
    { signal }: JobContext,
  ): Promise<FittedClusters | null> => {
    const inside = maskAreas(outline === null ? [] : [outline], sample.grid);
    const channels = await readChannels(sample, beginWork(tools, signal));
    if (channels === null) return null;
    const pixels = sample.grid.width * sample.grid.height;
    const buffer = tools.kernels.buffer();
    const data = new Uint8Array(pixels).fill(1);
    for (const { maskAt } of channels) intersectMask(data, new Uint8Array(buffer, maskAt, pixels));
    const mask = data.slice();
    if (inside !== null) intersectMask(mask, inside);
    const planes = channels.map(({ valuesAt }) => new Float32Array(buffer, valuesAt, pixels));
    const features = { planes, mask };
    const model = fitClusters(features, count);
    if (model === null) return null;
    const zones =
      minAreaM2 > 0 && inside !== null
        ? sieveZones({ model, grid: sample.grid, features, data, inside, minAreaM2 })
        : null;
    return { model, zones };
  };
