import type { ThreadTools } from '../blocks/index.ts';
import type { JobHandlers } from '../pool/index.ts';
import type { BandsJobs } from './bands/bands-jobs.ts';
import { makeBandsJobs } from './bands/bands-jobs.ts';
import type { TopJobs } from './cog/encode-top.ts';
import { topJobs } from './cog/encode-top.ts';

/** All kinds of jobs of exports: what each is given and gives. */
export type ExportJobs = BandsJobs & TopJobs;

/** The handlers of exports, for a thread of the pool. */
export function makeExportJobs(tools: ThreadTools): JobHandlers<ExportJobs> {
  return { ...makeBandsJobs(tools), ...topJobs };
}
