import { shapeWeights, TRIANGLE } from "./kernel-shape";
import { colPartsOf, colsOf, rowPartsOf, rowsOf, weightsOf } from "./row-positions";
import { column, firstTap, hasAllTaps, isUnknown, totals } from "./sixteen-taps";
import { carefulPixel, total } from "./taps";
import { areWanted, CellPart, WarpJob } from "./warp-job";

/**
 * The triangle kernel while target pixels span at most two source pixels, as they do wherever there are overviews: four
 * by four taps. The weights of four neighbouring target pixels are computed at once, one tap per vector. Those of
 * columns are transposed, those of rows go through memory.
 */
export function fourRow(job: WarpJob, part: CellPart, row: i32, supportX: f32, supportY: f32): void {
  // In locals: the compiler must assume that every store of a pixel changes the job.
  const width = job.windowWidth;
  const height = job.windowHeight;
  const bandCount = job.bandCount;
  const sourcePlaneBytes = job.sourcePlaneBytes;
  const targetPlaneBytes = job.targetPlaneBytes;
  const firstSource = job.source;
  const firstTarget = job.target;
  const targetMask = job.targetMask;
  const wanted = job.wanted;
  const isMasked = job.sourceMask != 0;
  const colParts = colPartsOf(job);
  const rowParts = rowPartsOf(job);
  const cols = colsOf(job);
  const rows = rowsOf(job);
  const rowWeights = weightsOf(job);
  const ones = i32x4.splat(1);
  const lastCol = i32x4.splat(width - 4);
  const lastRow = i32x4.splat(height - 4);
  const stride = i32x4.splat(width);
  const rowBytes = <usize>width << 2;
  const steepX: f32 = <f32>1.0 / supportX;
  const steepY: f32 = <f32>1.0 / supportY;
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
    const isInside = i32x4.all_true(v128.and(i32x4.le_u(firstCols, lastCol), i32x4.le_u(firstRows, lastRow)));
    const from = i32x4.add(i32x4.mul(firstRows, stride), firstCols);
    const x = v128.load(colParts + offset);
    const y = v128.load(rowParts + offset);
    if (!isInside || (isMasked && !hasAllTaps(job, from))) {
      if (isInside && isUnknown(job, from, x, y)) continue;
      for (let lane = 0; lane < 4; lane++) onePixel(job, j + lane, to + lane, supportX, supportY);
      continue;
    }
    const from0 = <usize>i32x4.extract_lane(from, 0) << 2;
    const from1 = <usize>i32x4.extract_lane(from, 1) << 2;
    const from2 = <usize>i32x4.extract_lane(from, 2) << 2;
    const from3 = <usize>i32x4.extract_lane(from, 3) << 2;
    const x0 = tap(-1.0, x, steepX);
    const x1 = tap(0.0, x, steepX);
    const x2 = tap(1.0, x, steepX);
    const x3 = tap(2.0, x, steepX);
    const y0 = tap(-1.0, y, steepY);
    const y1 = tap(0.0, y, steepY);
    const y2 = tap(1.0, y, steepY);
    const y3 = tap(2.0, y, steepY);
    const sumX = sumOf(x0, x1, x2, x3);
    const sumY = sumOf(y0, y1, y2, y3);
    const scale = f32x4.div(f32x4.splat(1.0), f32x4.mul(sumX, sumY));
    v128.store(rowWeights, y0);
    v128.store(rowWeights, y1, 16);
    v128.store(rowWeights, y2, 32);
    v128.store(rowWeights, y3, 48);
    const low01 = v128.shuffle<f32>(x0, x1, 0, 4, 1, 5);
    const low23 = v128.shuffle<f32>(x2, x3, 0, 4, 1, 5);
    const high01 = v128.shuffle<f32>(x0, x1, 2, 6, 3, 7);
    const high23 = v128.shuffle<f32>(x2, x3, 2, 6, 3, 7);
    const xs0 = v128.shuffle<f32>(low01, low23, 0, 1, 4, 5);
    const xs1 = v128.shuffle<f32>(low01, low23, 2, 3, 6, 7);
    const xs2 = v128.shuffle<f32>(high01, high23, 0, 1, 4, 5);
    const xs3 = v128.shuffle<f32>(high01, high23, 2, 3, 6, 7);
    // Of four rows of taps one or two have no weight while a target pixel spans at most one and a half.
    const hasFirst = v128.any_true(y0);
    const hasLast = v128.any_true(y3);
    let source = firstSource;
    let target = firstTarget + (to << 2);
    let numbers = i32x4.splat(-1);
    for (let band = 0; band < bandCount; band++, source += sourcePlaneBytes, target += targetPlaneBytes) {
      let values: v128;
      if (hasFirst) {
        values = hasLast
          ? fourTotals(source, from0, from1, from2, from3, rowBytes, rowWeights, xs0, xs1, xs2, xs3, true, true)
          : fourTotals(source, from0, from1, from2, from3, rowBytes, rowWeights, xs0, xs1, xs2, xs3, true, false);
      } else {
        values = hasLast
          ? fourTotals(source, from0, from1, from2, from3, rowBytes, rowWeights, xs0, xs1, xs2, xs3, false, true)
          : fourTotals(source, from0, from1, from2, from3, rowBytes, rowWeights, xs0, xs1, xs2, xs3, false, false);
      }
      values = f32x4.mul(values, scale);
      numbers = v128.and(numbers, f32x4.eq(values, values));
      v128.store(target, values);
    }
    store<u32>(targetMask + to, 0x01010101);
    if (!i32x4.all_true(numbers))
      for (let lane = 0; lane < 4; lane++) onePixel(job, j + lane, to + lane, supportX, supportY);
  }
  for (; j < count; j++, to++) onePixel(job, j, to, supportX, supportY);
}

/** The weighted sums of four target pixels in one band. */
// @ts-ignore: decorator
@inline function fourTotals(
  source: usize, from0: usize, from1: usize, from2: usize, from3: usize, rowBytes: usize, rowWeights: usize,
  x0: v128, x1: v128, x2: v128, x3: v128, hasFirst: bool, hasLast: bool,
): v128 {
  return totals(
    f32x4.mul(columnOf(source + from0, rowBytes, rowWeights, hasFirst, hasLast), x0),
    f32x4.mul(columnOf(source + from1, rowBytes, rowWeights + 4, hasFirst, hasLast), x1),
    f32x4.mul(columnOf(source + from2, rowBytes, rowWeights + 8, hasFirst, hasLast), x2),
    f32x4.mul(columnOf(source + from3, rowBytes, rowWeights + 12, hasFirst, hasLast), x3),
  );
}

/** Four columns summed with the weights of the rows, without the first or the last row where those have no weight. */
// @ts-ignore: decorator
@inline function columnOf(source: usize, rowBytes: usize, weights: usize, hasFirst: bool, hasLast: bool): v128 {
  let upper = f32x4.mul(v128.load(source + rowBytes), v128.load32_splat(weights, 16));
  if (hasFirst) upper = f32x4.add(f32x4.mul(v128.load(source), v128.load32_splat(weights)), upper);
  let lower = f32x4.mul(v128.load(source + 2 * rowBytes), v128.load32_splat(weights, 32));
  if (hasLast) {
    lower = f32x4.add(lower, f32x4.mul(v128.load(source + 3 * rowBytes), v128.load32_splat(weights, 48)));
  }
  return f32x4.add(upper, lower);
}

/** The sum of the weights of four taps, in the order of `total`. */
// @ts-ignore: decorator
@inline export function sumOf(tap0: v128, tap1: v128, tap2: v128, tap3: v128): v128 {
  return f32x4.add(f32x4.add(tap0, tap2), f32x4.add(tap1, tap3));
}

/** Weights of one tap for four target pixels. */
// @ts-ignore: decorator
@inline export function tap(offset: f32, parts: v128, steep: f32): v128 {
  return shapeWeights(f32x4.sub(f32x4.splat(offset), parts), steep, TRIANGLE);
}

/** Weights of all taps for one target pixel: the same numbers. */
// @ts-ignore: decorator
@inline export function tapsOf(part: v128, steep: f32): v128 {
  return shapeWeights(f32x4.sub(f32x4(-1.0, 0.0, 1.0, 2.0), part), steep, TRIANGLE);
}

/**
 * Computes the same as the lanes, in the same order; with missing taps it uses the checked version. The same where the
 * sum is not a number, because an infinity met a weight of zero.
 */
export function onePixel(job: WarpJob, j: i32, to: usize, supportX: f32, supportY: f32): void {
  const from = firstTap(job, j);
  if (from < 0) {
    carefulPixel(job, j, to, supportX, supportY, TRIANGLE);
    return;
  }
  const offset = <usize>j << 2;
  const x = tapsOf(v128.load32_splat(colPartsOf(job) + offset), <f32>1.0 / supportX);
  const y = tapsOf(v128.load32_splat(rowPartsOf(job) + offset), <f32>1.0 / supportY);
  const scale: f32 = <f32>1.0 / (total(x) * total(y));
  const rowBytes = <usize>job.windowWidth << 2;
  let source = job.source + (<usize>from << 2);
  let target = job.target + (to << 2);
  for (let band = 0; band < job.bandCount; band++) {
    const value = total(f32x4.mul(column(source, rowBytes, y), x)) * scale;
    if (value != value) {
      carefulPixel(job, j, to, supportX, supportY, TRIANGLE);
      return;
    }
    store<f32>(target, value);
    source += job.sourcePlaneBytes;
    target += job.targetPlaneBytes;
  }
  store<u8>(job.targetMask + to, 1);
}
