import { isSwathError } from '../../errors.ts';
import type { Grid } from '../../geo/index.ts';
import type { JobContext, JobRunner, JobType, Ticket } from '../../pool/index.ts';
import { withTransfer } from '../../pool/index.ts';
import type { PlannedGrids } from '../../proj/index.ts';
import { packGrids, unpackGrids } from '../../proj/index.ts';
import type { ResampleMethod } from '../../raster/index.ts';
import type { HeightTools } from '../heights/height-plane.ts';
import { beginHeights, copyHeights } from '../heights/height-plane.ts';
import { readHeights } from '../heights/read-heights.ts';
import type { FindModels } from '../plan/find-models.ts';
import type { HeightsPlan } from '../plan/plan-heights.ts';
import { planHeights, warpsOf } from '../plan/plan-heights.ts';

/** Heights that are wanted on a grid in degrees or in Web Mercator. */
interface GridRequest {
  readonly grid: Grid;
  readonly method?: ResampleMethod | undefined;
  readonly isFiltered: boolean;
}

/** Dependencies of height plans. */
export interface PlanDeps {
  readonly findModels: FindModels;
  /** Estimated pixel memory of one job. */
  readonly maxBytes: number;
}

/** Runs work on the heights of a grid; once more if files were replaced since it was planned. */
export async function onHeights<Result>(
  { grid, method, isFiltered }: GridRequest,
  { findModels, maxBytes }: PlanDeps,
  run: (plan: HeightsPlan) => Promise<Result>,
): Promise<Result> {
  const plan = async (isRenewed: boolean): Promise<HeightsPlan> => {
    const { models, options } = await findModels({ grid, isFiltered, isRenewed });
    return planHeights(grid, models, { ...options, method, maxBytes });
  };
  try {
    return await run(await plan(false));
  } catch (error) {
    if (!isSwathError(error) || error.code !== 'source-changed') throw error;
    return run(await plan(true));
  }
}

/** Reads the heights of a grid, row by row; NaN where they are not known. */
export type ReadGrid = (request: GridRequest, ticket: Ticket) => Promise<Float32Array>;

/** Builds the reading of heights on grids. */
export const makeReadGrid =
  (deps: PlanDeps & { readonly pool: JobRunner<HeightsJobs> }): ReadGrid =>
  (request, ticket) =>
    onHeights(request, deps, async (plan) => {
      if (plan.models.length === 0)
        return new Float32Array(plan.grid.width * plan.grid.height).fill(Number.NaN);
      const job = { plan, grids: packGrids(warpsOf(plan)) };
      return (await deps.pool.run('heights', job, { ...ticket, bytes: plan.bytes })).output;
    });

/** The input of the job that reads heights. */
interface HeightsJob {
  readonly plan: HeightsPlan;
  readonly grids: PlannedGrids;
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
