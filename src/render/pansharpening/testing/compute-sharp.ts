import type { IndexDetail } from '../../../raster/index.ts';
import { loadKernels, makeComputeBands } from '../../../raster/index.ts';
import { computeChannels } from '../../compute-channels.ts';
import { readGroups, warpGroups } from '../../input-groups.ts';
import type { PixelPlan } from '../../plan.ts';
import type { TestImage } from '../../testing/compute-plan.ts';
import { readFrom } from '../../testing/compute-plan.ts';
import { sharpenChannels } from '../sharpen-channels.ts';

const kernels = loadKernels();
const compute = makeComputeBands(kernels);

/** The channels of a plan with their masks, sharpened if it says so. */
export async function computeSharp(
  plan: PixelPlan,
  images: Readonly<Record<string, TestImage>>,
  details: readonly IndexDetail[] = [],
) {
  const allocate = kernels.begin();
  const { signal } = new AbortController();
  const readWindow = readFrom(images);
  const groups = await readGroups(plan, { readWindow, kernels, allocate, signal });
  if (groups === null) return [];
  const warped = warpGroups(groups, { kernels, allocate, plan });
  const channels = computeChannels(plan, warped, { kernels, compute, allocate });
  await sharpenChannels(plan, { channels, details }, { readWindow, kernels, compute, allocate, signal });
  const count = plan.grid.width * plan.grid.height;
  return channels.map(({ valuesAt, maskAt }) => ({
    values: new Float32Array(kernels.buffer(), valuesAt, count).slice(),
    mask: new Uint8Array(kernels.buffer(), maskAt, count).slice(),
  }));
}
