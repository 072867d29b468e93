import type { JobContext, JobType } from '../../pool/index.ts';
import { withTransfer } from '../../pool/index.ts';
import type { WarpGrids } from '../../raster/index.ts';
import { unpackGrids } from '../../raster/index.ts';
import type { HeightTools } from '../heights/height-work.ts';
import { beginHeights, viewPlane } from '../heights/height-work.ts';
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
    const { values, mask } = viewPlane(work.kernels, await readHeights(plan, work));
    const heights = values.slice() as Float32Array<ArrayBuffer>;
    if (mask !== null) for (let i = 0; i < heights.length; i++) if (mask[i] === 0) heights[i] = Number.NaN;
    return withTransfer(heights, [heights.buffer]);
  };
