import type { ContrastRange, IntensityRule } from '../../numbers/index.ts';
import { intensityRange } from '../../numbers/index.ts';
import type { JobContext, JobType } from '../../pool/index.ts';
import { markedPercent } from '../../raster/index.ts';
import type { ReadClouds } from '../clouds/read-clouds.ts';
import type { PixelTools } from '../pixels/pixel-work.ts';
import { beginWork } from '../pixels/pixel-work.ts';
import type { CloudPlan } from '../plan/cloud-plan.ts';
import type { SampleJob } from './read-sample.ts';
import { readSample } from './read-sample.ts';

/** The input of the job that finds the ranges of an expression. */
export interface IntensityJob extends SampleJob {
  readonly rule: IntensityRule;
}

/** The input of the job that counts clouds on pixels where the sample has data. */
export interface CloudCoverJob extends SampleJob {
  readonly clouds: CloudPlan;
}

/** The jobs of intensity ranges. */
export type IntensityJobs = {
  /** Empty if an input does not reach the sample; null for a channel without data. */
  intensity: JobType<IntensityJob, readonly (ContrastRange | null)[]>;
  /** The percentage of clouds; null without data. */
  'cloud-cover': JobType<CloudCoverJob, number | null>;
};

/** Builds the measuring of ranges, for one thread. */
export const makeMeasureIntensity =
  (tools: PixelTools) =>
  async (
    { sample, outlines, rule }: IntensityJob,
    { signal }: JobContext,
  ): Promise<readonly (ContrastRange | null)[]> => {
    const channels = await readSample({ sample, outlines }, beginWork(tools, signal));
    return channels.map((channel) => intensityRange(channel, rule));
  };

/** Builds the counting of clouds, for one thread. */
export const makeCountClouds =
  ({ readClouds, ...tools }: PixelTools & { readonly readClouds: ReadClouds }) =>
  async ({ sample, outlines, clouds }: CloudCoverJob, { signal }: JobContext): Promise<number | null> => {
    const work = beginWork(tools, signal);
    const [channel] = await readSample({ sample, outlines }, work);
    if (channel === undefined) return null;
    const mask = channel.mask.slice();
    return markedPercent(await readClouds({ ...sample, plan: clouds }, work), mask);
  };
