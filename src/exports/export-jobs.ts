import type { ThreadTools } from '../blocks/index.ts';
import type { JobHandlers } from '../pool/index.ts';
import { makeComputeBands } from '../raster/index.ts';
import type { PixelTools } from '../render/index.ts';
import type { BandsJobs } from './bands/bands-jobs.ts';
import { makeBandsJobs } from './bands/bands-jobs.ts';
import type { TopJobs } from './cog/encode-top.ts';
import { topJobs } from './cog/encode-top.ts';
import type { IndexPartJobs } from './index-files/encode-index-part.ts';
import { makeIndexPartJobs } from './index-files/encode-index-part.ts';
import type { PictureJobs } from './pictures/picture-jobs.ts';
import { makePictureJobs } from './pictures/picture-jobs.ts';

/** All kinds of jobs of exports: what each is given and gives. */
export type ExportJobs = BandsJobs & IndexPartJobs & PictureJobs & TopJobs;

/** The handlers of exports, for a thread of the pool. */
export function makeExportJobs(tools: ThreadTools): JobHandlers<ExportJobs> {
  const { readWindow, kernels } = tools;
  const pixelTools: PixelTools = { readWindow, kernels, compute: makeComputeBands(kernels) };
  return {
    ...topJobs,
    ...makeBandsJobs(tools),
    ...makeIndexPartJobs(pixelTools),
    ...makePictureJobs(tools),
  };
}
