import type { Grid } from '../../geo/index.ts';
import { moveOrigin } from '../../geo/index.ts';

/** A grid with so many more pixels on each side. */
export const widenGrid = (grid: Grid, byPx: number): Grid => ({
  ...grid,
  transform: moveOrigin(grid.transform, { x: -byPx, y: -byPx }),
  width: grid.width + 2 * byPx,
  height: grid.height + 2 * byPx,
});
