/**
 * One warp: a window of source pixels and a target to fill. src/raster/warp.ts writes it in this order, 32 bits per
 * field. Planes are float32, one band after the other; masks are bytes whose lowest bit means "data".
 */
@unmanaged
export class WarpJob {
  /** Position of the window's upper left pixel in the source image. */
  windowCol: i32;
  windowRow: i32;
  windowWidth: i32;
  windowHeight: i32;
  source: usize;
  sourcePlaneBytes: usize;
  /** Zero when every pixel is data. */
  sourceMask: usize;
  bandCount: i32;
  targetWidth: i32;
  targetHeight: i32;
  /** Pixels that get no value are left as they are. */
  target: usize;
  targetPlaneBytes: usize;
  /** Must be zeroed; set to 1 for each pixel that gets a value. */
  targetMask: usize;
  cellCount: i32;
  /** Int32 column, row and side of each cell. */
  cells: usize;
  /** 18 float64 per cell: see src/proj/approximate-grid.ts. */
  patches: usize;
  /** Two float64 per cell: half the width of the kernel in source pixels, x and y. */
  supports: usize;
  /** Scratch memory for one row of a cell, see row-positions.ts. */
  scratch: usize;
  /** Memory for the values of the largest footprint, for the methods that need it: see src/raster/plan-warp.ts. */
  work: usize;
  /** A byte per target pixel, 0 where no value is wanted: such a pixel may stay empty. Zero when all are wanted. */
  wanted: usize;
}

/** The pixels of one cell that lie in the target. */
@unmanaged
export class CellPart {
  patch: usize;
  size: i32;
  minCol: i32;
  maxCol: i32;
  minRow: i32;
  maxRow: i32;
  col: i32;
  row: i32;
}

/** Whether a pixel of a target row that lies in the cell is wanted. */
export function isRowWanted(job: WarpJob, part: CellPart, row: i32): bool {
  const wanted = job.wanted;
  if (wanted == 0) return true;
  const at = wanted + <usize>(row * job.targetWidth + part.minCol);
  const end = at + <usize>(part.maxCol - part.minCol);
  for (let from = at; from < end; from += 16) if (v128.any_true(v128.load(from))) return true;
  return false;
}

/** Whether one of four neighbouring target pixels is wanted. */
// @ts-ignore: decorator
@inline export function areWanted(wanted: usize, to: usize): bool {
  return wanted == 0 || load<u32>(wanted + to) != 0;
}

/** Clips cell `i` to the target; the result is in static memory until the next call. */
const clipped = changetype<CellPart>(memory.data(32));
export function cellPart(job: WarpJob, i: i32): CellPart {
  const cell = job.cells + <usize>i * 12;
  clipped.patch = job.patches + <usize>i * 144;
  clipped.col = load<i32>(cell);
  clipped.row = load<i32>(cell, 4);
  clipped.size = load<i32>(cell, 8);
  clipped.minCol = max(0, clipped.col);
  clipped.minRow = max(0, clipped.row);
  clipped.maxCol = min(job.targetWidth, clipped.col + clipped.size);
  clipped.maxRow = min(job.targetHeight, clipped.row + clipped.size);
  return clipped;
}

/** Whether the cells cover the whole target: cells without a position are left out. */
export function areCellsWhole(job: WarpJob): bool {
  let covered = 0;
  for (let i = 0; i < job.cellCount; i++) {
    const part = cellPart(job, i);
    covered += max(0, part.maxCol - part.minCol) * max(0, part.maxRow - part.minRow);
  }
  return covered == job.targetWidth * job.targetHeight;
}
