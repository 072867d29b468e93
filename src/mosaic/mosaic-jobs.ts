import type { JobReads, ThreadTools } from '../blocks/index.ts';
import type { JobContext, JobHandlers } from '../pool/index.ts';
import { withTransfer } from '../pool/index.ts';
import { makeComputeBands } from '../raster/index.ts';
import type { Picture } from '../render/index.ts';
import type { PixelTools } from '../render/native/index.ts';
import {
  beginWork,
  drawShown,
  listCloudReads,
  listPlanReads,
  makeFlagClouds,
} from '../render/native/index.ts';
import { makeCompose } from './compose.ts';
import type { ComposeJobs, PaintValuesJob } from './compose-job.ts';

/** The handlers of mosaics, for a thread of the pool. */
export function makeMosaicJobs({ open, readWindow, kernels }: ThreadTools): JobHandlers<ComposeJobs> {
  const tools = { readWindow, kernels, compute: makeComputeBands(kernels) };
  return {
    compose: makeCompose({ ...tools, flagClouds: makeFlagClouds({ open }) }),
    'paint-values': makePaintValues(tools),
  };
}

/** What the jobs of mosaics read of files, so that it can be fetched before they take a thread. */
export const mosaicReads: JobReads<ComposeJobs> = {
  compose: ({ scenes }) =>
    scenes.flatMap(({ pixels, by, masks }) => [
      ...masks.flatMap((mask) => listCloudReads(mask, pixels)),
      ...listPlanReads(pixels),
      ...(by === null ? [] : listPlanReads(by)),
    ]),
};

/** Builds the painting of values that were put together before, for one thread. */
const makePaintValues =
  (tools: PixelTools) =>
  async ({ channels, mask, look, contrast, outline }: PaintValuesJob, { signal }: JobContext) => {
    const startedAt = performance.now();
    const work = beginWork(tools, signal);
    const { kernels, allocate } = work;
    const bandsAt = channels.map(({ byteLength }) => allocate(byteLength));
    const maskAt = allocate(mask.length);
    for (const [i, values] of channels.entries())
      new Float32Array(kernels.buffer(), bandsAt[i]!, values.length).set(values);
    new Uint8Array(kernels.buffer(), maskAt, mask.length).set(mask);
    const { width, height } = look.grid;
    const shown = { planes: { width, height, bandsAt, maskAt }, stretches: contrast };
    const encoded = await drawShown({ plan: look, outline }, shown, work);
    const picture: Picture = { ...encoded, stagesMs: { draw: performance.now() - startedAt } };
    return withTransfer(picture, [picture.bytes.buffer]);
  };
