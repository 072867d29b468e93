import type { Scene } from '../catalog/index.ts';
import type { Tile } from '../geo/index.ts';
import { tileGrid } from '../geo/index.ts';
import type { RenderPlan } from './plan.ts';
import type { PlanExpressions } from './plan-expressions.ts';
import type { PictureRequest } from './plan-picture.ts';
import { planPicture } from './plan-picture.ts';

/** A tile as it is asked for. */
export interface TileRequest extends Omit<PictureRequest, 'grid'> {
  readonly viewId: string;
  /** The view id without its sensor: products have several names, of which the catalog's view id holds one. */
  readonly sceneName: string;
  readonly tile: Tile;
}

/** Decides everything about a tile without reading a pixel. Pure. */
export const planTile = (
  { sensor, bands, tile, options }: Omit<TileRequest, 'viewId' | 'sceneName'>,
  scene: Scene,
  readExpressions?: PlanExpressions,
): RenderPlan => planPicture({ sensor, bands, options, grid: tileGrid(tile) }, scene, readExpressions);
