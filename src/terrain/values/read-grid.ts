import { isSwathError } from '../../errors.ts';
import type { Grid } from '../../geo/index.ts';
import type { JobRunner, Ticket } from '../../pool/index.ts';
import type { ResampleMethod } from '../../raster/index.ts';
import { packGrids } from '../../raster/index.ts';
import type { FindModels } from '../plan/find-models.ts';
import type { HeightsPlan } from '../plan/heights-plan.ts';
import { planHeights } from '../plan/plan-heights.ts';
import { warpsOf } from '../plan/warps-of.ts';
import type { HeightsJobs } from './heights-job.ts';

/** Heights that are wanted on a grid in degrees or in Web Mercator. */
export interface GridRequest {
  readonly grid: Grid;
  readonly method?: ResampleMethod;
  readonly isFiltered: boolean;
}

/** What heights are planned with. */
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
    return planHeights(grid, models, {
      ...options,
      ...(method === undefined ? {} : { method }),
      maxBytes,
    });
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
