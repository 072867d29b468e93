import type { ReadWindow } from '../blocks/index.ts';
import type { JobHandlers } from '../pool/index.ts';
import type { Kernels } from '../raster/index.ts';
import type { OpenSource } from '../storage/index.ts';
import type { HeightTools } from './heights/height-work.ts';
import { makeReadPyramid } from './heights/read-pyramid.ts';
import type { TerrainDrawJobs } from './tiles/draw-terrain.ts';
import { makeDrawTerrain } from './tiles/draw-terrain.ts';
import type { AreaStatisticsJobs } from './values/area-statistics.ts';
import { makeAreaStatisticsJob } from './values/area-statistics.ts';
import type { HeightsJobs } from './values/heights-job.ts';
import { makeHeightsJob } from './values/heights-job.ts';

/** All kinds of jobs of terrain: what each is given and gives. */
export type TerrainJobs = TerrainDrawJobs & HeightsJobs & AreaStatisticsJobs;

/** What a thread works with; shared with the jobs of rendering. */
export interface TerrainJobTools {
  readonly open: OpenSource;
  readonly readWindow: ReadWindow;
  readonly kernels: Kernels;
}

/** The handlers of terrain, for a thread of the pool. */
export function makeTerrainJobs({ open, readWindow, kernels }: TerrainJobTools): JobHandlers<TerrainJobs> {
  const tools: HeightTools = { readWindow, kernels, readPyramid: makeReadPyramid(open) };
  return {
    terrain: makeDrawTerrain(tools),
    heights: makeHeightsJob(tools),
    'terrain-statistics': makeAreaStatisticsJob(tools),
  };
}
