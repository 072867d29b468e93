import type { Grid } from '../../geo/index.ts';
import { makeApproximateGrid, makePixelMapping } from '../../proj/index.ts';
import type { Raster } from '../raster.ts';
import { kernelSupport, resamplers } from '../resampler.ts';
import type { WarpRequest } from '../warp.ts';

/**
 * What `warp` must compute, written plainly: every position projected exactly, every sum in double precision, no lanes
 * and no special cases. For tests only.
 */
export function warpReference({ target, plan, bands, mask }: WarpRequest): Raster {
  const { window } = plan;
  const length = target.width * target.height;
  const level: Grid = { epsg: plan.epsg, transform: plan.levelTransform, ...plan.levelSize };
  const { toSource } = makePixelMapping(target, level);
  const supports = supportsOf(target, level, plan.method);
  const result = {
    ...target,
    bands: bands.map(() => new Float32Array(length)),
    mask: new Uint8Array(length),
  };
  const hasData = (col: number, row: number): boolean =>
    col >= 0 &&
    row >= 0 &&
    col < window.width &&
    row < window.height &&
    mask?.[row * window.width + col] !== 0;

  for (let i = 0; i < length; i++) {
    const position = toSource((i % target.width) + 0.5, Math.floor(i / target.width) + 0.5);
    const x = position[0] - window.x;
    const y = position[1] - window.y;
    const support = supports(i);
    const col = Math.floor(x + 1e-10);
    const row = Math.floor(y + 1e-10);
    if (!hasData(col, row) || support === undefined) continue;
    result.mask[i] = 1;
    for (const [b, band] of bands.entries()) {
      if (plan.method === 'near') {
        result.bands[b]![i] = band[row * window.width + col]!;
        continue;
      }
      let [sum, weights] = [0, 0];
      for (let r = Math.floor(y - 0.5 - support[1]); r <= Math.ceil(y - 0.5 + support[1]); r++) {
        for (let c = Math.floor(x - 0.5 - support[0]); c <= Math.ceil(x - 0.5 + support[0]); c++) {
          const weightX = Math.max(0, 1 - Math.abs(c + 0.5 - x) / support[0]);
          const weightY = Math.max(0, 1 - Math.abs(r + 0.5 - y) / support[1]);
          if (weightX * weightY === 0 || !hasData(c, r)) continue;
          sum += weightX * weightY * band[r * window.width + c]!;
          weights += weightX * weightY;
        }
      }
      result.bands[b]![i] = sum / weights;
    }
  }
  return result;
}

/** Kernel widths are a matter of cells, so they come from the same grid; by pixel index. */
function supportsOf(
  target: Grid,
  level: Grid,
  method: WarpRequest['plan']['method'],
): (index: number) => readonly [number, number] | undefined {
  const grid = makeApproximateGrid(target, level);
  return (index) => {
    const [x, y] = [index % target.width, Math.floor(index / target.width)];
    for (let i = 0; i < grid.cellCount; i++) {
      const [col, row, size] = grid.cells.subarray(3 * i) as unknown as [number, number, number];
      if (x < col || y < row || x >= col + size || y >= row + size) continue;
      return kernelSupport(resamplers[method], grid.ratios[2 * i]!, grid.ratios[2 * i + 1]!);
    }
    return undefined;
  };
}
