import type { TypedTree } from '../../bandmath/index.ts';
import type { Scene } from '../../catalog/index.ts';
import type { AreaOutline, LonLatBounds } from '../../geo/index.ts';
import type { ContrastRange, IntensityRule } from '../../numbers/index.ts';
import { intensityRange } from '../../numbers/index.ts';
import type { JobContext, JobType } from '../../pool/index.ts';
import type { Sensor } from '../../sensors/index.ts';
import { findBand } from '../../sensors/index.ts';
import { markedPercent } from '../clouds/cloud-mask.ts';
import type { ReadClouds } from '../clouds/read-clouds.ts';
import { unsupported } from '../errors.ts';
import { sharpenChannels } from '../pansharpening/sharpen-channels.ts';
import type { PixelTools, PixelWork } from '../pixels/read-channels.ts';
import { beginWork, readChannels } from '../pixels/read-channels.ts';
import { intersectMask, maskAreas } from '../pixels/shown-planes.ts';
import type { SampleLimits } from '../plan/plan-inputs.ts';
import { planExpressions } from '../plan/plan-inputs.ts';
import type { CloudPlan, ComparedScene, PixelPlan } from '../plan/render-plan.ts';
import { planValueSample } from '../samples/plan-sample.ts';

/** The jobs of intensity ranges. */
export type IntensityJobs = {
  /** Empty if an input does not reach the sample; null for a channel without data. */
  intensity: JobType<IntensityJob, readonly (ContrastRange | null)[]>;
  /** The percentage of clouds; null without data. */
  'cloud-cover': JobType<CloudCoverJob, number | null>;
};

/** The input of the job that finds the ranges of an expression. */
export interface IntensityJob extends SampleJob {
  readonly rule: IntensityRule;
}

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

/** The input of the job that counts clouds on pixels where the sample has data. */
interface CloudCoverJob extends SampleJob {
  readonly clouds: CloudPlan;
}

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

interface CoverRequest {
  readonly scene: ComparedScene;
  readonly sensor: Sensor;
  readonly onlyOpaque: boolean;
  /** Null for the whole scene. */
  readonly bounds: LonLatBounds | null;
  readonly outlines: readonly AreaOutline[];
  readonly limits: SampleLimits;
}

/** Plans the counting of clouds, pixel by pixel; null when scene or sensor say nothing of single pixels. */
export function planCoverJob({ scene, sensor, onlyOpaque, bounds, outlines, limits }: CoverRequest): {
  readonly job: CloudCoverJob;
  readonly bytes: number;
} | null {
  const tree = planReference(sensor, scene);
  const { sample, clouds, bytes } = planValueSample(
    tree,
    { scene, sensor, calibrated: false, bounds, limits },
    { sensor, onlyOpaque },
  );
  return clouds === null ? null : { job: { sample, outlines, clouds }, bytes };
}

/**
 * The band that says where the scene has data, among whose pixels clouds are counted: the one that clouds are read from, or,
 * where that is not a band or has no nodata value, the finest one that measures something.
 */
function planReference(sensor: Sensor, scene: Scene): TypedTree {
  const { cloudMask } = scene;
  if (cloudMask?.kind === 'classes' || cloudMask?.kind === 'quality') {
    const { band } = cloudMask;
    if (findBand(sensor, band)?.nodata !== null) {
      return planExpressions({ bands: band, sensor, isComposite: false });
    }
  }
  const [finest] = sensor.bands
    .filter(({ name, kind }) => kind !== 'quality' && Object.hasOwn(scene.assets, name))
    .sort((a, b) => a.resolutionM - b.resolutionM);
  if (finest === undefined) throw unsupported('no-data', 'This scene has no band that measures anything.');
  return planExpressions({ bands: finest.name, sensor, isComposite: false });
}

/** The pixels that a statistic is computed of. */
export interface SampleJob {
  readonly sample: PixelPlan;
  /** Pixels count that lie in all of them. */
  readonly outlines: readonly AreaOutline[];
}

/** The values of an expression on a sample, and 1 where they count; both lie in the kernels' memory. */
interface SampledValues {
  readonly values: Float32Array;
  readonly mask: Uint8Array;
}

/** Reads a sample: what each expression makes of it; empty if a band does not reach the sample. */
export async function readSample(
  { sample, outlines }: SampleJob,
  work: PixelWork,
): Promise<readonly SampledValues[]> {
  const inside = maskAreas(outlines, sample.grid);
  const channels = await readChannels(sample, work);
  if (channels === null) return [];
  await sharpenChannels(sample, { channels, details: [] }, work);
  const count = sample.grid.width * sample.grid.height;
  return channels.map(({ valuesAt, maskAt }) => {
    const mask = new Uint8Array(work.kernels.buffer(), maskAt, count);
    if (inside !== null) intersectMask(mask, inside);
    return { values: new Float32Array(work.kernels.buffer(), valuesAt, count), mask };
  });
}
