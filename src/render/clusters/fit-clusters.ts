import { rasterizeArea } from '../../areas/index.ts';
import type { ComputeBands, Kernels } from '../../raster/index.ts';
import { fitClusters } from '../../stats/index.ts';
import type { ReadWindow } from '../band-reader.ts';
import { computeChannels } from '../compute-channels.ts';
import { readGroups, warpGroups } from '../input-groups.ts';
import type { JobContext } from '../pool/index.ts';
import type { FitClustersJob, FittedClusters } from './find-clusters.ts';
import { sieveZones } from './sieve-zones.ts';

interface FitDeps {
  readonly readWindow: ReadWindow;
  readonly kernels: Kernels;
  readonly compute: ComputeBands;
}

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
    const masks = channels.map(({ maskAt }) => new Uint8Array(buffer, maskAt, pixels));
    const mask = inside ?? new Uint8Array(pixels).fill(1);
    for (const one of masks) {
      for (let i = 0; i < pixels; i++) mask[i] = (mask[i] as number) & (one[i] as number);
    }
    const planes = channels.map(({ valuesAt }) => new Float32Array(buffer, valuesAt, pixels));
    const features = { planes, mask };
    const model = fitClusters(features, count);
    if (model === null) return null;
    const zones = minAreaM2 > 0 ? sieveZones({ model, grid: sample.grid, features, minAreaM2 }) : null;
    return { model, zones };
  };
}
