import type { ThreadTools } from '../blocks/index.ts';
import type { JobHandlers } from '../pool/index.ts';
import { makeComputeBands } from '../raster/index.ts';
import { makePaintParts } from '../render/index.ts';
import type { PixelTools } from '../render/native/index.ts';
import type { BandsJobs } from './bands/bands-jobs.ts';
import { makeBandsJobs } from './bands/bands-jobs.ts';
import type { CoverageJobs } from './coverages/read-coverage.ts';
import { coverageJobs } from './coverages/read-coverage.ts';
import type { IndexPartJobs } from './index-files/encode-index-part.ts';
import { makeIndexPartJobs } from './index-files/encode-index-part.ts';
import type { MosaicPartJobs } from './mosaics/encode-mosaic-part.ts';
import { mosaicPartJobs } from './mosaics/encode-mosaic-part.ts';
import type { MosaicStripJobs } from './mosaics/write-mosaic.ts';
import { makeMosaicStripJobs } from './mosaics/write-mosaic.ts';
import type { CogPartJobs } from './pictures/picture-cog.ts';
import { makeCogPartJob } from './pictures/picture-cog.ts';
import type { StripJobs } from './pictures/picture-strips.ts';
import { makeStripJob } from './pictures/picture-strips.ts';
import type { TopJobs } from './write-cog.ts';
import { topJobs } from './write-cog.ts';

/** All kinds of jobs of exports: what each is given and gives. */
export type ExportJobs = BandsJobs &
  CoverageJobs &
  IndexPartJobs &
  MosaicPartJobs &
  MosaicStripJobs &
  PictureJobs &
  TopJobs;

/** The handlers of exports, for a thread of the pool. */
export function makeExportJobs(tools: ThreadTools): JobHandlers<ExportJobs> {
  const { readWindow, kernels } = tools;
  const pixelTools: PixelTools = { readWindow, kernels, compute: makeComputeBands(kernels) };
  return {
    ...topJobs,
    ...coverageJobs,
    ...makeBandsJobs(tools),
    ...makeIndexPartJobs(pixelTools),
    ...makePictureJobs(tools),
    ...mosaicPartJobs,
    ...makeMosaicStripJobs(tools),
  };
}

/** All kinds of jobs of exported pictures. */
export type PictureJobs = StripJobs & CogPartJobs;

/** Builds their handlers, for one thread. */
function makePictureJobs(tools: ThreadTools): JobHandlers<PictureJobs> {
  const paintParts = makePaintParts(tools);
  return {
    'picture-strip': makeStripJob(tools, paintParts),
    'picture-part': makeCogPartJob(tools, paintParts),
  };
}
