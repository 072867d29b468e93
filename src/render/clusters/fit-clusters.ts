import { rasterizeArea } from '../../areas/index.ts';
import type { ReadWindow } from '../../blocks/index.ts';
import type { JobContext, JobType } from '../../pool/index.ts';
import type { ComputeBands, Kernels } from '../../raster/index.ts';
import { fitClusters } from '../../stats/index.ts';
import { computeChannels } from '../compute-channels.ts';
import { readGroups, warpGroups } from '../input-groups.ts';
import type { FitClustersJob, FittedClusters } from './find-clusters.ts';
import { sieveZones } from './sieve-zones.ts';

interface FitDeps {
  readonly readWindow: ReadWindow;
  readonly kernels: Kernels;
  readonly compute: ComputeBands;
}

/** The job of finding classes; null where there is nothing to divide. */
export type ClusterJobs = { 'fit-clusters': JobType<FitClustersJob, FittedClusters | null> };

/** Builds the fit of classes to what expressions compute over a scene or an area. */
export function makeFitClusters({ readWindow, kernels, compute }: FitDeps) {
  return async (
    { sample, outline, count, minAreaM2 }: FitClustersJob,
    { signal }: JobContext,
  ): Promise<FittedClusters | null> => {
    const allocate = kernels.begin();
    const inside = outline === null ? null : rasterizeArea(outline, sample.grid);
    const groups = await readGroups(sample, { readWindow, kernels, allocate, signal });
    if (groups === null) return null;
    const warped = warpGroups(groups, { kernels, allocate, plan: sample });
    const channels = computeChannels(sample, warped, { kernels, compute, allocate });
    const pixels = sample.grid.width * sample.grid.height;
    const buffer = kernels.buffer();
    const data = new Uint8Array(pixels).fill(1);
    for (const { maskAt } of channels) {
      const one = new Uint8Array(buffer, maskAt, pixels);
      for (let i = 0; i < pixels; i++) data[i] = (data[i] as number) & (one[i] as number);
    }
    const mask = inside === null ? data : data.map((one, i) => one & (inside[i] as number));
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
}
