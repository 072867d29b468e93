import { unsupported } from '../../errors.ts';
import type { AreaOutline, LonLatBounds } from '../../geo/index.ts';
import type { JobRunner, Ticket } from '../../pool/index.ts';
import { packGrids } from '../../raster/index.ts';
import { warpsOf } from '../plan/warps-of.ts';
import { widenGrid } from '../plan/widen-grid.ts';
import { toAreaGrid } from './area-grid.ts';
import type { AreaStatistics, AreaStatisticsJobs } from './measure-area.ts';
import { HALO_PX } from './measure-area.ts';
import type { PlanDeps } from './read-grid.ts';
import { onHeights } from './read-grid.ts';

/** An area to measure. */
export interface AreaRequest {
  readonly outline: AreaOutline;
  readonly bounds: LonLatBounds;
  readonly slopeBounds: readonly number[];
  readonly isFiltered: boolean;
}

/** Measures heights and slopes of an area. */
export type ReadAreaStatistics = (request: AreaRequest, ticket: Ticket) => Promise<AreaStatistics>;

/** Mask, slope and heights without halo. */
const PIXEL_BYTES = 16;

/** Builds the measuring of areas: plans here, pixels on the pool. */
export const makeReadAreaStatistics =
  (deps: PlanDeps & { readonly pool: JobRunner<AreaStatisticsJobs> }): ReadAreaStatistics =>
  async ({ outline, bounds, slopeBounds, isFiltered }, ticket) => {
    const grid = toAreaGrid(bounds);
    return onHeights({ grid: widenGrid(grid, HALO_PX), isFiltered }, deps, async (plan) => {
      const job = { plan, grids: packGrids(warpsOf(plan)), grid, outline, slopeBounds };
      const bytes = plan.bytes + PIXEL_BYTES * grid.width * grid.height;
      const { output } = await deps.pool.run('terrain-statistics', job, { ...ticket, bytes });
      if (output.areaM2 > 0) return output;
      throw unsupported(
        'area-too-small',
        'The area is too small: it contains no pixel centre at zoom 16, where a pixel is some metres wide. Request a point instead.',
      );
    });
  };
