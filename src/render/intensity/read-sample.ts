import type { AreaOutline } from '../../geo/index.ts';
import { sharpenChannels } from '../pansharpening/sharpen-channels.ts';
import { intersectMask, maskAreas } from '../pixels/area-mask.ts';
import { readChannels } from '../pixels/compute-channels.ts';
import type { PixelWork } from '../pixels/pixel-work.ts';
import type { PixelPlan } from '../plan/pixel-plan.ts';

/** The pixels that a statistic is computed of. */
export interface SampleJob {
  readonly sample: PixelPlan;
  /** Pixels count that lie in all of them. */
  readonly outlines: readonly AreaOutline[];
}

/** The values of an expression on a sample, and 1 where they count; both lie in the kernels' memory. */
export interface SampledValues {
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
