import type { Grid } from '../../geo/index.ts';
import { applyAffine, invertAffine } from '../../geo/index.ts';
import type { RepeatedPixels, WarpPlan } from '../../raster/index.ts';

/** Positions that differ by less, in pixels of the file, are the same: transforms are stored with some fifteen digits. */
const SAME_PX = 1e-3;
/** Pixels of 10 m in one of 160 m; centres of finer ones could come close to the edge of a coarser one. */
const MAX_TIMES = 16;

/**
 * How nearest neighbours on a grid repeat the pixels of a file whose pixels are a whole multiple of it; null where they do
 * not, or where the file does not cover the grid. Pure.
 */
export function planRepeated(target: Grid, warp: WarpPlan): RepeatedPixels | null {
  const { method, epsg, proj = null, lattice = null, levelTransform, levelSize } = warp;
  if (method !== 'near' || lattice !== null || epsg !== target.epsg || proj !== (target.proj ?? null))
    return null;
  const toPixel = invertAffine(levelTransform);
  const positionOf = (col: number, row: number) =>
    applyAffine(toPixel, ...applyAffine(target.transform, col, row));
  const { width, height } = target;
  const [left, top] = positionOf(0, 0);
  const times = Math.round(width / (positionOf(width, 0)[0] - left));
  if (!(times >= 1 && times <= MAX_TIMES)) return null;
  const [firstCol, firstRow] = [Math.round(left * times), Math.round(top * times)];
  const isSame = (col: number, row: number): boolean => {
    const [x, y] = positionOf(col, row);
    return (
      Math.abs(x - (firstCol + col) / times) < SAME_PX && Math.abs(y - (firstRow + row) / times) < SAME_PX
    );
  };
  if (!isSame(0, 0) || !isSame(width, 0) || !isSame(0, height)) return null;
  const [x, y] = [Math.floor(firstCol / times), Math.floor(firstRow / times)];
  const window = {
    x,
    y,
    width: Math.ceil((firstCol + width) / times) - x,
    height: Math.ceil((firstRow + height) / times) - y,
  };
  if (x < 0 || y < 0 || x + window.width > levelSize.width || y + window.height > levelSize.height)
    return null;
  return { window, times, startCol: firstCol - x * times, startRow: firstRow - y * times };
}
