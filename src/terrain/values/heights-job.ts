import type { JobContext, JobType } from '../../pool/index.ts';
import { withTransfer } from '../../pool/index.ts';
import type { WarpGrids } from '../../raster/index.ts';
import { unpackGrids } from '../../raster/index.ts';
import type { HeightTools } from '../heights/height-work.ts';
import { beginHeights, copyHeights } from '../heights/height-work.ts';
import { readHeights } from '../heights/read-heights.ts';
import type { HeightsPlan } from '../plan/heights-plan.ts';

/** The input of the job that reads heights. */
export interface HeightsJob {
  readonly plan: HeightsPlan;
  readonly grids: WarpGrids;
}

/** The job of reading heights: metres row by row, NaN where they are not known. */
export type HeightsJobs = { heights: JobType<HeightsJob, Float32Array<ArrayBuffer>> };

/** Builds the reading of heights, for one thread. */
export const makeHeightsJob =
  (tools: HeightTools) =>
  async ({ plan, grids }: HeightsJob, { signal }: JobContext) => {
    unpackGrids(grids);
    const work = beginHeights(tools, signal);
    const heights = copyHeights(await readHeights(plan, work), work);
    return withTransfer(heights, [heights.buffer]);
  };
