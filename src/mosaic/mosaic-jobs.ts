import type { JobReads, ThreadTools } from '../blocks/index.ts';
import type { JobHandlers } from '../pool/index.ts';
import { makeComputeBands } from '../raster/index.ts';
import { listCloudReads, listPlanReads, makeReadClouds } from '../render/native/index.ts';
import { makeCompose } from './compose.ts';
import type { ComposeJobs } from './compose-job.ts';
import { makePaintValues } from './paint-values.ts';

/** The handlers of mosaics, for a thread of the pool. */
export function makeMosaicJobs({ open, readWindow, kernels }: ThreadTools): JobHandlers<ComposeJobs> {
  const tools = { readWindow, kernels, compute: makeComputeBands(kernels) };
  return {
    compose: makeCompose({ ...tools, readClouds: makeReadClouds({ open }) }),
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
