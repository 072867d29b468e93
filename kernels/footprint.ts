import { weightsOf } from "./row-positions";
import { CellPart, WarpJob } from "./warp-job";

/**
 * The source pixels under one target pixel: as in GDAL the rectangle between the source positions of its upper left and
 * lower right corners, however the pixel is rotated. It is in static memory.
 */
@unmanaged
export class Footprint {
  /** Index of the upper left source pixel in the window. */
  from: i32;
  cols: i32;
  rows: i32;
  /** Columns in groups of four, the last one padded with columns of weight zero. */
  groups: i32;
  /** Share of each column and of each row that lies under the target pixel, as float32. */
  colWeights: usize;
  rowWeights: usize;
}
export const footprint = changetype<Footprint>(memory.data(32));

/** Coefficients of x and y along the upper and the lower edge of a row: twelve float64. */
const edges: usize = memory.data(96);

/** Prepares the upper and lower edge of the pixels of target row `row`. */
export function beginRow(part: CellPart, row: i32): void {
  const step = 1.0 / <f64>part.size;
  for (let edge = 0; edge < 2; edge++) {
    const v = <f64>(row + edge - part.row) * step;
    for (let i = 0; i < 6; i++) {
      const c = part.patch + <usize>i * 24;
      store<f64>(edges + <usize>(edge * 6 + i) * 8, load<f64>(c) + v * (load<f64>(c, 8) + v * load<f64>(c, 16)));
    }
  }
}

/** Rounding noise of an exactly aligned grid (GDAL's value). */
const NOISE: f64 = 1e-10;

/** Finds the footprint of target column `col` of the current row; false when no source pixel lies in it. */
export function findFootprint(job: WarpJob, part: CellPart, col: i32): bool {
  const step = 1.0 / <f64>part.size;
  const u0 = <f64>(col - part.col) * step;
  const u1 = <f64>(col + 1 - part.col) * step;
  const f = footprint;
  f.colWeights = weightsOf(job);
  const firstCol = writeShares(at(edges, u0), at(edges + 48, u1), job.windowCol, job.windowWidth, f.colWeights);
  if (firstCol < 0) return false;
  f.cols = found;
  f.groups = (found + 3) >> 2;
  for (let k = f.cols; k < f.groups << 2; k++) store<f32>(f.colWeights + (<usize>k << 2), 0.0);
  f.rowWeights = f.colWeights + (<usize>f.groups << 4);
  const firstRow = writeShares(at(edges + 24, u0), at(edges + 72, u1), job.windowRow, job.windowHeight, f.rowWeights);
  if (firstRow < 0) return false;
  f.rows = found;
  f.from = firstRow * job.windowWidth + firstCol;
  return true;
}

// @ts-ignore: decorator
@inline function at(edge: usize, u: f64): f64 {
  return load<f64>(edge) + u * (load<f64>(edge, 8) + u * load<f64>(edge, 16));
}

/** How many pixels `writeShares` found. */
let found: i32 = 0;

/** Writes the shares of the pixels between two positions; returns the first of them in the window, or -1 for none. */
function writeShares(one: f64, other: f64, origin: i32, length: i32, shares: usize): i32 {
  const low = min(one, other);
  const high = max(one, other);
  const begin = <f64>origin;
  const end = <f64>(origin + length);
  // Written so that NaN fails. GDAL 3.6 would smear the first column and row over pixels just before the image.
  if (!((high > begin + NOISE || low >= begin - NOISE) && low < end + NOISE)) return -1;
  const first = <i32>max(floor(low + NOISE), begin);
  let past = <i32>min(ceil(high - NOISE), end);
  if (past == first && past < origin + length) past++;
  found = past - first;
  if (found <= 0) return -1;
  for (let k = 0; k < found; k++) store<f32>(shares + (<usize>k << 2), 1.0);
  if (found > 1) {
    // Where the image ends within the pixel, its outermost pixels also count for the part beyond, as in GDAL.
    store<f32>(shares, <f32>(1.0 - (low - <f64>first)));
    store<f32>(shares + (<usize>(found - 1) << 2), <f32>(1.0 - (<f64>past - high)));
  }
  return first - origin;
}
