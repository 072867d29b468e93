import type { Scene } from '../../../catalog/index.ts';
import type { Tile } from '../../../geo/index.ts';
import { tileGrid } from '../../../geo/index.ts';
import type { RenderPlan } from '../../plan/render-plan.ts';
import type { PictureRequest } from '../plan-picture.ts';
import { planPicture } from '../plan-picture.ts';

/** A tile as tests ask for it. */
export interface TileRequest extends Omit<PictureRequest, 'grid'> {
  readonly tile: Tile;
}

/** Plans the picture of a tile. */
export const planTile = ({ tile, ...request }: TileRequest, scene: Scene): RenderPlan =>
  planPicture({ ...request, grid: tileGrid(tile) }, scene);
