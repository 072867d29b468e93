import type { ReadWindow } from '../../../blocks/index.ts';
import { loadKernels, makeComputeBands } from '../../../raster/index.ts';
import type { PixelPlan } from '../../plan/render-plan.ts';
import type { PixelTools } from '../read-channels.ts';
import { beginWork, readChannels } from '../read-channels.ts';

/** The pixels of a band's file at full resolution. */
export interface TestImage {
  readonly pixels: Uint16Array;
  readonly width: number;
  readonly height: number;
}

/** Reads windows from images in memory; files without overviews only. */
export const readFrom =
  (images: Readonly<Record<string, TestImage>>): ReadWindow =>
  async ({ band, read: { window, level } }, sink) => {
    const image = images[band];
    if (image === undefined || level !== 0) throw new Error(`no level ${level} of ${band}`);
    sink.begin();
    sink.add({ ...image, corner: { x: -window.x, y: -window.y }, mask: null });
  };

/** The tools of a pixel thread over images in memory. */
export function makeTestTools(images: Readonly<Record<string, TestImage>>): PixelTools {
  const kernels = loadKernels();
  return { readWindow: readFrom(images), kernels, compute: makeComputeBands(kernels) };
}

/** The values of a plan's expressions, pixel by pixel; null if nothing is shown. */
export async function computePlan(plan: PixelPlan, images: Readonly<Record<string, TestImage>>) {
  const tools = makeTestTools(images);
  const channels = await readChannels(plan, beginWork(tools, new AbortController().signal));
  if (channels === null) return null;
  const count = plan.grid.width * plan.grid.height;
  const buffer = tools.kernels.buffer();
  return channels.map(({ valuesAt, maskAt }) => ({
    values: new Float32Array(buffer, valuesAt, count).slice(),
    mask: new Uint8Array(buffer, maskAt, count).slice(),
  }));
}
