import { rasterizeArea } from '../../areas/index.ts';
import type { ReadWindow } from '../../blocks/index.ts';
import type { AreaOutline, Grid } from '../../geo/index.ts';
import type { JobContext, JobType } from '../../pool/index.ts';
import type { Allocate, ComputeBands, Kernels } from '../../raster/index.ts';
import { markedPercent } from '../../raster/index.ts';
import type { ContrastRange, IntensityRule } from '../../stats/index.ts';
import { intensityRange } from '../../stats/index.ts';
import type { CloudPlan, ReadClouds } from '../clouds/index.ts';
import { computeChannels } from '../compute-channels.ts';
import { readGroups, warpGroups } from '../input-groups.ts';
import { sharpenChannels } from '../pansharpening/index.ts';
import type { PixelPlan } from '../plan.ts';

interface MeasureDeps {
  readonly readWindow: ReadWindow;
  readonly readClouds: ReadClouds;
  readonly kernels: Kernels;
  readonly compute: ComputeBands;
}

/** The work of finding the ranges of an expression, as a thread gets it. */
export interface IntensityJob {
  readonly sample: PixelPlan;
  /** What counts lies in all of them. */
  readonly outlines: readonly AreaOutline[];
  readonly rule: IntensityRule;
}

/** The work of counting clouds, as a thread gets it: those on pixels where the sample has data. */
export interface CloudCoverJob extends Omit<IntensityJob, 'rule'> {
  readonly clouds: CloudPlan;
}

/** The jobs of intensity ranges. */
export type IntensityJobs = {
  /** None when an input does not reach the sample; null for a channel without data. */
  intensity: JobType<IntensityJob, readonly (ContrastRange | null)[]>;
  /** The percentage of clouds; null without data. */
  'cloud-cover': JobType<CloudCoverJob, number | null>;
};

/** Builds both kinds of work for one thread; null is the answer where there is no data. */
export function makeMeasureIntensity({ readWindow, readClouds, kernels, compute }: MeasureDeps) {
  return {
    async ranges(
      { sample, outlines, rule }: IntensityJob,
      { signal }: JobContext,
    ): Promise<readonly (ContrastRange | null)[]> {
      const channels = await readChannels({ sample, outlines }, kernels.begin(), signal);
      return channels.map((channel) => intensityRange(channel, rule));
    },

    async cloudPercent(
      { sample, outlines, clouds }: CloudCoverJob,
      { signal }: JobContext,
    ): Promise<number | null> {
      const allocate = kernels.begin();
      const [channel] = await readChannels({ sample, outlines }, allocate, signal);
      if (channel === undefined) return null;
      const mask = channel.mask.slice();
      const marks = await readClouds({ ...sample, plan: clouds }, { allocate, signal });
      return markedPercent(marks, mask);
    },
  };

  /** Values and mask of each expression, in the kernels' memory; none when a band does not reach the sample. */
  async function readChannels(
    { sample, outlines }: Pick<IntensityJob, 'sample' | 'outlines'>,
    allocate: Allocate,
    signal: AbortSignal,
  ) {
    const inside = toInside(outlines, sample.grid);
    const groups = await readGroups(sample, { readWindow, kernels, allocate, signal });
    if (groups === null) return [];
    const warped = warpGroups(groups, { kernels, allocate, plan: sample });
    const results = computeChannels(sample, warped, { kernels, compute, allocate });
    await sharpenChannels(
      sample,
      { channels: results, details: [] },
      { readWindow, kernels, compute, allocate, signal },
    );
    const count = sample.grid.width * sample.grid.height;
    return results.map(({ valuesAt, maskAt }) => {
      const mask = new Uint8Array(kernels.buffer(), maskAt, count);
      if (inside !== null) {
        for (let i = 0; i < count; i += 1) mask[i] = (mask[i] as number) & (inside[i] as number);
      }
      return { values: new Float32Array(kernels.buffer(), valuesAt, count), mask };
    });
  }
}

/** 1 where a pixel's centre lies in all outlines; null without any. */
function toInside(outlines: readonly AreaOutline[], grid: Grid): Uint8Array | null {
  let inside: Uint8Array | null = null;
  for (const outline of outlines) {
    const mask = rasterizeArea(outline, grid);
    if (inside === null) inside = mask;
    else for (let i = 0; i < mask.length; i += 1) inside[i] = (inside[i] as number) & (mask[i] as number);
  }
  return inside;
}
