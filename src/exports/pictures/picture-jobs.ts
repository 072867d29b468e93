import type { ThreadTools } from '../../blocks/index.ts';
import type { JobHandlers } from '../../pool/index.ts';
import { makePaintParts } from '../../render/index.ts';
import type { CogPartJobs } from './cog-part-job.ts';
import { makeCogPartJob } from './cog-part-job.ts';
import type { StripJobs } from './strip-job.ts';
import { makeStripJob } from './strip-job.ts';

/** All kinds of jobs of exported pictures. */
export type PictureJobs = StripJobs & CogPartJobs;

/** Builds their handlers, for one thread. */
export function makePictureJobs(tools: ThreadTools): JobHandlers<PictureJobs> {
  const paintParts = makePaintParts(tools);
  return {
    'picture-strip': makeStripJob(tools, paintParts),
    'picture-part': makeCogPartJob(tools, paintParts),
  };
}
