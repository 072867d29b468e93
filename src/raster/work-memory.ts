import type { Size } from '../geo/index.ts';
import type { ApproximateGrid } from '../proj/index.ts';
import { PATCH_LENGTH } from '../proj/index.ts';
import type { Resampler } from './resampler.ts';
import { kernelSupport } from './resampler.ts';

/** Upper bounds of the source pixels under one target pixel, in x and y. */
export interface LargestFootprint {
  readonly cols: number;
  readonly rows: number;
}

/** The max size of the footprints of a warp: bounded by the window, and by the slope of the patches. */
export function largestFootprint(grid: ApproximateGrid, window: Size): LargestFootprint {
  let [cols, rows] = [1, 1];
  for (let i = 0; i < grid.cellCount; i++) {
    const sizePx = grid.cells[3 * i + 2]!;
    cols = Math.max(cols, steepness(grid.patches, i * PATCH_LENGTH) / sizePx);
    rows = Math.max(rows, steepness(grid.patches, i * PATCH_LENGTH + 9) / sizePx);
  }
  // Two more: a footprint begins and ends within pixels.
  return {
    cols: Math.min(window.width, Math.ceil(cols) + 2),
    rows: Math.min(window.height, Math.ceil(rows) + 2),
  };
}

/** The max change between opposite corners of the cell: the sum of all slopes where they are steepest. */
function steepness(patches: Float64Array, offset: number): number {
  let sum = 0;
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) sum += (i + j) * Math.abs(patches[offset + 3 * i + j]!);
  }
  return sum;
}

/** Bytes of an entry of the table in kernels/mode.ts. */
const ENTRY_BYTES = 16;

/** Bytes of work memory a method needs for its footprints. */
export function workBytes({ work }: Resampler, { cols, rows }: LargestFootprint): number {
  if (work === 'none') return 0;
  // Slightly more: kernels/gather.ts and kernels/quantile.ts write whole groups of four.
  if (work === 'values') return 4 * (cols * rows + 4);
  // As in kernels/mode.ts: the power of two above twice the values.
  return ENTRY_BYTES * 2 ** (33 - Math.clz32(cols * rows));
}

/** The fixed memory of a warp: positions of a row, its job, and gaps before multiples of 16 bytes. */
const FIXED_BYTES = 5_000;

/**
 * Memory of a warp in addition to its pixels: the grid, here and in the kernels' memory, weights, and its work memory.
 */
export function warpWorkBytes(grid: ApproximateGrid, resampler: Resampler, window: Size): number {
  const gridBytes = grid.cells.byteLength + grid.patches.byteLength + grid.ratios.byteLength;
  const footprint = resampler.isArea ? largestFootprint(grid, window) : { cols: 0, rows: 0 };
  let widestPx = 1;
  for (let i = 0; i < grid.cellCount; i++) {
    const support = kernelSupport(resampler, grid.ratios[2 * i]!, grid.ratios[2 * i + 1]!);
    widestPx = Math.max(widestPx, ...support);
  }
  const weightBytes = 8 * (2 * Math.ceil(widestPx) + footprint.cols + footprint.rows);
  return FIXED_BYTES + 2 * gridBytes + weightBytes + workBytes(resampler, footprint);
}
