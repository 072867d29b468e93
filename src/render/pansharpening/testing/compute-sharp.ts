import { beginWork, readChannels } from '../../pixels/read-channels.ts';
import type { TestImage } from '../../pixels/testing/compute-plan.ts';
import { makeTestTools } from '../../pixels/testing/compute-plan.ts';
import type { PixelPlan } from '../../plan/render-plan.ts';
import type { IndexDetail } from '../pansharpen.ts';
import { sharpenChannels } from '../sharpen-channels.ts';

/** The channels of a plan with their masks, sharpened if it says so. */
export async function computeSharp(
  plan: PixelPlan,
  images: Readonly<Record<string, TestImage>>,
  details: readonly IndexDetail[] = [],
) {
  const work = beginWork(makeTestTools(images), new AbortController().signal);
  const channels = await readChannels(plan, work);
  if (channels === null) return [];
  await sharpenChannels(plan, { channels, details }, work);
  const count = plan.grid.width * plan.grid.height;
  return channels.map(({ valuesAt, maskAt }) => ({
    values: new Float32Array(work.kernels.buffer(), valuesAt, count).slice(),
    mask: new Uint8Array(work.kernels.buffer(), maskAt, count).slice(),
  }));
}
