import type { WarpPlan } from '../../raster/index.ts';
import type { HeightsPlan } from './heights-plan.ts';

/** All warps of a plan. */
export const warpsOf = ({ models }: HeightsPlan): readonly WarpPlan[] =>
  models.flatMap(({ mosaics }) =>
    mosaics.flatMap(({ warp, around }) => [warp, ...around.map((other) => other.warp)]),
  );
