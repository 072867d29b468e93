import { narrowPixel } from "./bilinear";
import { SPLINE } from "./kernel-shape";
import { colPartsOf, colsOf, rowPartsOf, rowsOf, weightsOf } from "./row-positions";
import { column, columnBy, firstTap, hasAllTaps, totals } from "./sixteen-taps";
import { carefulPixel, total } from "./taps";
import { areWanted, CellPart, WarpJob } from "./warp-job";

/** Cubic convolution and the B-spline without downsampling: four by four taps. */
export function cubicFourRow(job: WarpJob, part: CellPart, row: i32, shape: i32): void {
  // In locals: the compiler must assume that every store of a pixel changes the job.
  const width = job.windowWidth;
  const bandCount = job.bandCount;
  const sourcePlaneBytes = job.sourcePlaneBytes;
  const targetPlaneBytes = job.targetPlaneBytes;
  const firstSource = job.source;
  const firstTarget = job.target;
  const colParts = colPartsOf(job);
  const rowParts = rowPartsOf(job);
  const height = job.windowHeight;
  const wanted = job.wanted;
  const isMasked = job.sourceMask != 0;
  const cols = colsOf(job);
  const rows = rowsOf(job);
  const ones = i32x4.splat(1);
  const lastCol = i32x4.splat(width - 4);
  const lastRow = i32x4.splat(height - 4);
  const stride = i32x4.splat(width);
  const table = tableOf(shape);
  const rowWeights = weightsOf(job);
  const rowBytes = <usize>width << 2;
  const count = part.maxCol - part.minCol;
  let to = <usize>(row * job.targetWidth + part.minCol);
  let j = 0;
  // In a window of fewer than four rows or columns no pixel has all taps.
  const whole = min(width, height) < 4 ? 0 : count;
  for (; j + 4 <= whole; j += 4, to += 4) {
    if (!areWanted(wanted, to)) continue;
    const offset = <usize>j << 2;
    const firstCols = i32x4.sub(v128.load(cols + offset), ones);
    const firstRows = i32x4.sub(v128.load(rows + offset), ones);
    const isInside = v128.and(i32x4.le_u(firstCols, lastCol), i32x4.le_u(firstRows, lastRow));
    const from = i32x4.add(i32x4.mul(firstRows, stride), firstCols);
    if (!i32x4.all_true(isInside) || (isMasked && !hasAllTaps(job, from))) {
      for (let lane = 0; lane < 4; lane++) onePixel(job, j + lane, to + lane, shape);
      continue;
    }
    const from0 = <usize>i32x4.extract_lane(from, 0) << 2;
    const from1 = <usize>i32x4.extract_lane(from, 1) << 2;
    const from2 = <usize>i32x4.extract_lane(from, 2) << 2;
    const from3 = <usize>i32x4.extract_lane(from, 3) << 2;
    const x = v128.load(colParts + offset);
    const tap0 = tapWeights(x, 0, table);
    const tap1 = tapWeights(x, 1, table);
    const tap2 = tapWeights(x, 2, table);
    const tap3 = tapWeights(x, 3, table);
    const low01 = v128.shuffle<f32>(tap0, tap1, 0, 4, 1, 5);
    const low23 = v128.shuffle<f32>(tap2, tap3, 0, 4, 1, 5);
    const high01 = v128.shuffle<f32>(tap0, tap1, 2, 6, 3, 7);
    const high23 = v128.shuffle<f32>(tap2, tap3, 2, 6, 3, 7);
    const x0 = v128.shuffle<f32>(low01, low23, 0, 1, 4, 5);
    const x1 = v128.shuffle<f32>(low01, low23, 2, 3, 6, 7);
    const x2 = v128.shuffle<f32>(high01, high23, 0, 1, 4, 5);
    const x3 = v128.shuffle<f32>(high01, high23, 2, 3, 6, 7);
    const y = v128.load(rowParts + offset);
    v128.store(rowWeights, tapWeights(y, 0, table));
    v128.store(rowWeights, tapWeights(y, 1, table), 16);
    v128.store(rowWeights, tapWeights(y, 2, table), 32);
    v128.store(rowWeights, tapWeights(y, 3, table), 48);
    let source = firstSource;
    let target = firstTarget + (to << 2);
    for (let band = 0; band < bandCount; band++, source += sourcePlaneBytes, target += targetPlaneBytes) {
      const a = f32x4.mul(columnBy(source + from0, rowBytes, rowWeights), x0);
      const b = f32x4.mul(columnBy(source + from1, rowBytes, rowWeights + 4), x1);
      const c = f32x4.mul(columnBy(source + from2, rowBytes, rowWeights + 8), x2);
      const d = f32x4.mul(columnBy(source + from3, rowBytes, rowWeights + 12), x3);
      v128.store(target, totals(a, b, c, d));
    }
    store<u32>(job.targetMask + to, 0x01010101);
  }
  for (; j < count; j++, to++) onePixel(job, j, to, shape);
}

/** Computes the same as the lanes, in the same order; with missing taps it uses the checked version. */
export function onePixel(job: WarpJob, j: i32, to: usize, shape: i32): void {
  const from = firstTap(job, j);
  if (from < 0) {
    // As in GDAL: the B-spline gives the weights of missing taps to the others, cubic convolution becomes bilinear.
    if (shape == SPLINE) carefulPixel(job, j, to, 2.0, 2.0, shape);
    else narrowPixel(job, j, to);
    return;
  }
  const offset = <usize>j << 2;
  const table = tableOf(shape);
  const x = weights(load<f32>(colPartsOf(job) + offset), table);
  const y = weights(load<f32>(rowPartsOf(job) + offset), table);
  const rowBytes = <usize>job.windowWidth << 2;
  let source = job.source + (<usize>from << 2);
  let target = job.target + (to << 2);
  for (let band = 0; band < job.bandCount; band++) {
    store<f32>(target, total(f32x4.mul(column(source, rowBytes, y), x)));
    source += job.sourcePlaneBytes;
    target += job.targetPlaneBytes;
  }
  store<u8>(job.targetMask + to, 1);
}

/**
 * The weights of the taps at -1, 0, 1 and 2 are polynomials of the position between 0 and 1: coefficients of the third
 * power for each tap, then of the second, the first and none. In memory, because V8 rebuilds a constant of 128 bits
 * wherever it is used.
 */
const CUBIC_TABLE = memory.data<f32>([
  -0.5, 1.5, -1.5, 0.5,
  1.0, -2.5, 2.0, -0.5,
  -0.5, 0.0, 0.5, 0.0,
  0.0, 1.0, 0.0, 0.0,
], 16);
const SPLINE_TABLE = memory.data<f32>([
  -0.16666667, 0.5, -0.5, 0.16666667,
  0.5, -1.0, 0.5, 0.0,
  -0.5, 0.0, 0.5, 0.0,
  0.16666667, 0.6666667, 0.16666667, 0.0,
], 16);

// @ts-ignore: decorator
@inline export function tableOf(shape: i32): usize {
  return shape == SPLINE ? SPLINE_TABLE : CUBIC_TABLE;
}

/** Weights of all taps for one position, one per lane. */
// @ts-ignore: decorator
@inline export function weights(position: f32, table: usize): v128 {
  const t = f32x4.splat(position);
  let sum = f32x4.mul(v128.load(table), t);
  sum = f32x4.mul(f32x4.add(sum, v128.load(table, 16)), t);
  sum = f32x4.mul(f32x4.add(sum, v128.load(table, 32)), t);
  return f32x4.add(sum, v128.load(table, 48));
}

/** Weights of one tap for four positions: the same numbers. */
// @ts-ignore: decorator
@inline export function tapWeights(t: v128, tap: usize, table: usize): v128 {
  const at = table + (tap << 2);
  let sum = f32x4.mul(v128.load32_splat(at), t);
  sum = f32x4.mul(f32x4.add(sum, v128.load32_splat(at, 16)), t);
  sum = f32x4.mul(f32x4.add(sum, v128.load32_splat(at, 32)), t);
  return f32x4.add(sum, v128.load32_splat(at, 48));
}
