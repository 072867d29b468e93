import { hash } from 'node:crypto';
import type { Grid } from '../../geo/index.ts';
import { JOIN_REACH_PX } from '../heights/join-models.ts';
import type { HeightsOptions, ModelFiles } from '../plan/plan-heights.ts';
import { planHeights } from '../plan/plan-heights.ts';
import { widenGrid } from '../plan/widen-grid.ts';
import type { TerrainPlan, TerrainProduct } from './terrain-plan.ts';

/** Raised whenever equal plans begin to give other pixels: it invalidates ETags. */
const TERRAIN_VERSION = 2;

/** Pixels around a tile that a product looks at: the eight neighbours of a pixel, or the cells of lines that leave the tile. */
const PRODUCT_HALO_PX: Readonly<Record<TerrainProduct['kind'], number>> = {
  hillshade: 1,
  slope: 1,
  aspect: 1,
  geotiff: 0,
  terrarium: 0,
  terrainrgb: 0,
  // The buffer of a vector tile, and a pixel for the corners of its outermost cells.
  contours: 5,
};

/** Pixels of heights around a tile: more where models join, because their border is smoothed. */
export const haloOf = (product: TerrainProduct, models: number): number =>
  PRODUCT_HALO_PX[product.kind] + (models > 1 ? JOIN_REACH_PX : 0);

/** Decides everything about a tile but reads no pixel. */
export function planTerrain(
  request: { readonly grid: Grid; readonly product: TerrainProduct },
  models: readonly ModelFiles[],
  options: HeightsOptions,
): TerrainPlan {
  const { grid, product } = request;
  const haloPx = haloOf(product, models.length);
  const heights = planHeights(widenGrid(grid, haloPx), models, options);
  return { grid, product, heights, haloPx };
}

/** The strong ETag of a plan's tile, from the plan as JSON; equal renders share one computation under this name. */
export const toTerrainEtag = (planJson: string): string =>
  hash('sha256', `terrain ${TERRAIN_VERSION} ${planJson}`, 'hex').slice(0, 32);
