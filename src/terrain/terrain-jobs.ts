import type { ThreadTools } from '../blocks/index.ts';
import type { JobHandlers, JobType } from '../pool/index.ts';
import type { DemFile } from './dems/dem.ts';
import type { HeightTools } from './heights/height-work.ts';
import { makeReadPyramid } from './heights/read-pyramid.ts';
import { checkDemFile } from './ingest/record/check-dem-file.ts';
import { renewDemFile } from './ingest/record/renew-dem-file.ts';
import type { TerrainDrawJobs } from './tiles/draw-terrain.ts';
import { makeDrawTerrain } from './tiles/draw-terrain.ts';
import type { PatchJobs } from './values/height-patches.ts';
import { makePatchJob } from './values/height-patches.ts';
import type { HeightsJobs } from './values/heights-job.ts';
import { makeHeightsJob } from './values/heights-job.ts';
import type { AreaStatisticsJobs } from './values/measure-area.ts';
import { makeAreaStatisticsJob } from './values/measure-area.ts';

/** Jobs of whole files: reading every block, and reading a header again, which may be made to take long. */
type FileJobs = { 'check-dem': JobType<DemFile, null>; 'renew-dem': JobType<DemFile, DemFile> };

/** All kinds of jobs of terrain: what each is given and gives. */
export type TerrainJobs = TerrainDrawJobs & HeightsJobs & PatchJobs & AreaStatisticsJobs & FileJobs;

/** The handlers of terrain, for a thread of the pool. */
export function makeTerrainJobs({
  open,
  jp2Decoder,
  readWindow,
  kernels,
}: ThreadTools): JobHandlers<TerrainJobs> {
  const tools: HeightTools = { readWindow, kernels, readPyramid: makeReadPyramid(open) };
  return {
    terrain: makeDrawTerrain(tools),
    heights: makeHeightsJob(tools),
    'height-patch': makePatchJob(tools),
    'terrain-statistics': makeAreaStatisticsJob(tools),
    'check-dem': async (file, { signal }) => {
      await checkDemFile({ open, jp2Decoder, signal }, file);
      return null;
    },
    'renew-dem': (file, { signal }) => renewDemFile({ open, jp2Decoder, signal }, file),
  };
}
