import type { ApproximateGrid } from '../proj/index.ts';
import type { ResampleMethod } from './resampler.ts';
import type { WarpPlan } from './warp-plan.ts';

/** Approximating grids by the plan they were computed for. */
export type WarpGrids = ReadonlyMap<WarpPlan, ApproximateGrid>;

/**
 * Cells of a grid that is cached: most tiles have 1 to 4, tiles of radar scenes some dozens. 128 take 23 kB, and plans
 * are cached by the thousand.
 */
const MAX_CELLS = 128;

const cache = new WeakMap<WarpPlan, ApproximateGrid>();

/** Caches the grid of a plan as long as the plan itself lives, so that its warp does not compute it again. */
export function cacheGrid(plan: WarpPlan, grid: ApproximateGrid): void {
  if (grid.cellCount <= MAX_CELLS) cache.set(plan, grid);
}

/** The same warp by another method that reads no more pixels; the approximating grid is computed once for both. */
export function withMethod(plan: WarpPlan, method: ResampleMethod): WarpPlan {
  const other: WarpPlan = { ...plan, method };
  const grid = cache.get(plan);
  if (grid !== undefined) cache.set(other, grid);
  return other;
}

/** The cached grid of a plan. */
export const findGrid = (plan: WarpPlan): ApproximateGrid | undefined => cache.get(plan);

/**
 * The cached grids of plans, to be posted to another thread in one message with the plans: a message retains identity.
 */
export function packGrids(plans: Iterable<WarpPlan | null>): WarpGrids {
  const grids = new Map<WarpPlan, ApproximateGrid>();
  for (const plan of plans) {
    const grid = plan === null ? undefined : cache.get(plan);
    if (plan !== null && grid !== undefined) grids.set(plan, grid);
  }
  return grids;
}

/** The cached grids of plans in their order, to be posted to another thread with plans that are sent as text. */
export const listGrids = (plans: readonly WarpPlan[]): (ApproximateGrid | null)[] =>
  plans.map((plan) => cache.get(plan) ?? null);

/** Caches grids that came in the order of their plans from another thread. */
export function unlistGrids(plans: readonly WarpPlan[], grids: readonly (ApproximateGrid | null)[]): void {
  for (const [i, plan] of plans.entries()) {
    const grid = grids[i];
    if (grid != null) cache.set(plan, grid);
  }
}

/** Caches grids that came with their plans from another thread. */
export function unpackGrids(grids: WarpGrids): void {
  for (const [plan, grid] of grids) cache.set(plan, grid);
}
