import type { ReadWindow } from '../../blocks/index.ts';
import { loadKernels, makeComputeBands } from '../../raster/index.ts';
import { computeChannels } from '../compute-channels.ts';
import { readGroups, warpGroups } from '../input-groups.ts';
import type { PixelPlan } from '../plan.ts';

/** The pixels of a band's file at full resolution. */
export interface TestImage {
  readonly pixels: Uint16Array;
  readonly width: number;
  readonly height: number;
}

/** Reads windows from images in memory; files without smaller copies only. */
export const readFrom =
  (images: Readonly<Record<string, TestImage>>): ReadWindow =>
  async ({ band, read: { window, level } }, sink) => {
    const image = images[band];
    if (image === undefined || level !== 0) throw new Error(`no level ${level} of ${band}`);
    sink.begin();
    sink.add({ ...image, corner: { x: -window.x, y: -window.y }, mask: null });
  };

/** What the expressions of a plan are, pixel by pixel; null when nothing is to be seen. */
export async function computePlan(plan: PixelPlan, images: Readonly<Record<string, TestImage>>) {
  const kernels = loadKernels();
  const compute = makeComputeBands(kernels);
  const allocate = kernels.begin();
  const { signal } = new AbortController();
  const groups = await readGroups(plan, { readWindow: readFrom(images), kernels, allocate, signal });
  if (groups === null) return null;
  const warped = warpGroups(groups, { kernels, allocate, plan });
  const count = plan.grid.width * plan.grid.height;
  return computeChannels(plan, warped, { kernels, compute, allocate }).map(({ valuesAt, maskAt }) => ({
    values: new Float32Array(kernels.buffer(), valuesAt, count).slice(),
    mask: new Uint8Array(kernels.buffer(), maskAt, count).slice(),
  }));
}
