import { shapeWeights, TRIANGLE } from "./kernel-shape";
import { colPartsOf, rowPartsOf } from "./row-positions";
import { column, firstTap, totals } from "./sixteen-taps";
import { carefulPixel, total } from "./taps";
import { CellPart, WarpJob } from "./warp-job";

/**
 * The triangle kernel while target pixels span at most two source pixels, as they do wherever there are overviews: four
 * by four taps. The weights of four neighbouring target pixels are computed at once, one tap per vector, and
 * transposed.
 */
export function fourRow(job: WarpJob, part: CellPart, row: i32, supportX: f32, supportY: f32): void {
  // In locals: the compiler must assume that every store of a pixel changes the job.
  const bandCount = job.bandCount;
  const sourcePlaneBytes = job.sourcePlaneBytes;
  const targetPlaneBytes = job.targetPlaneBytes;
  const firstSource = job.source;
  const firstTarget = job.target;
  const targetMask = job.targetMask;
  const colParts = colPartsOf(job);
  const rowParts = rowPartsOf(job);
  const rowBytes = <usize>job.windowWidth << 2;
  const steepX: f32 = <f32>1.0 / supportX;
  const steepY: f32 = <f32>1.0 / supportY;
  const count = part.maxCol - part.minCol;
  let to = <usize>(row * job.targetWidth + part.minCol);
  let j = 0;
  for (; j + 4 <= count; j += 4, to += 4) {
    const from0 = firstTap(job, j);
    const from1 = firstTap(job, j + 1);
    const from2 = firstTap(job, j + 2);
    const from3 = firstTap(job, j + 3);
    if ((from0 | from1 | from2 | from3) < 0) {
      for (let lane = 0; lane < 4; lane++) onePixel(job, j + lane, to + lane, supportX, supportY);
      continue;
    }
    const x = v128.load(colParts + (<usize>j << 2));
    const x0 = tap(-1.0, x, steepX);
    const x1 = tap(0.0, x, steepX);
    const x2 = tap(1.0, x, steepX);
    const x3 = tap(2.0, x, steepX);
    const y = v128.load(rowParts + (<usize>j << 2));
    const y0 = tap(-1.0, y, steepY);
    const y1 = tap(0.0, y, steepY);
    const y2 = tap(1.0, y, steepY);
    const y3 = tap(2.0, y, steepY);
    const sumX = f32x4.add(f32x4.add(x0, x2), f32x4.add(x1, x3));
    const sumY = f32x4.add(f32x4.add(y0, y2), f32x4.add(y1, y3));
    const scale = f32x4.div(f32x4.splat(1.0), f32x4.mul(sumX, sumY));
    const xLow01 = v128.shuffle<f32>(x0, x1, 0, 4, 1, 5);
    const xLow23 = v128.shuffle<f32>(x2, x3, 0, 4, 1, 5);
    const xHigh01 = v128.shuffle<f32>(x0, x1, 2, 6, 3, 7);
    const xHigh23 = v128.shuffle<f32>(x2, x3, 2, 6, 3, 7);
    const yLow01 = v128.shuffle<f32>(y0, y1, 0, 4, 1, 5);
    const yLow23 = v128.shuffle<f32>(y2, y3, 0, 4, 1, 5);
    const yHigh01 = v128.shuffle<f32>(y0, y1, 2, 6, 3, 7);
    const yHigh23 = v128.shuffle<f32>(y2, y3, 2, 6, 3, 7);
    let source = firstSource;
    let target = firstTarget + (to << 2);
    let isNumber = true;
    for (let band = 0; band < bandCount; band++, source += sourcePlaneBytes, target += targetPlaneBytes) {
      const values = f32x4.mul(
        totals(
          f32x4.mul(column(source + (<usize>from0 << 2), rowBytes, lower(yLow01, yLow23)), lower(xLow01, xLow23)),
          f32x4.mul(column(source + (<usize>from1 << 2), rowBytes, upper(yLow01, yLow23)), upper(xLow01, xLow23)),
          f32x4.mul(column(source + (<usize>from2 << 2), rowBytes, lower(yHigh01, yHigh23)), lower(xHigh01, xHigh23)),
          f32x4.mul(column(source + (<usize>from3 << 2), rowBytes, upper(yHigh01, yHigh23)), upper(xHigh01, xHigh23)),
        ),
        scale,
      );
      isNumber = isNumber && i32x4.all_true(f32x4.eq(values, values));
      v128.store(target, values);
    }
    store<u32>(targetMask + to, 0x01010101);
    if (!isNumber) for (let lane = 0; lane < 4; lane++) onePixel(job, j + lane, to + lane, supportX, supportY);
  }
  for (; j < count; j++, to++) onePixel(job, j, to, supportX, supportY);
}

/** Weights of one tap for four target pixels. */
// @ts-ignore: decorator
@inline function tap(offset: f32, parts: v128, steep: f32): v128 {
  return shapeWeights(f32x4.sub(f32x4.splat(offset), parts), steep, TRIANGLE);
}

// @ts-ignore: decorator
@inline function lower(taps01: v128, taps23: v128): v128 {
  return v128.shuffle<f32>(taps01, taps23, 0, 1, 4, 5);
}

// @ts-ignore: decorator
@inline function upper(taps01: v128, taps23: v128): v128 {
  return v128.shuffle<f32>(taps01, taps23, 2, 3, 6, 7);
}

/**
 * Computes the same as the lanes, in the same order; with missing taps it uses the checked version. The same where the
 * sum is not a number, because an infinity met a weight of zero.
 */
function onePixel(job: WarpJob, j: i32, to: usize, supportX: f32, supportY: f32): void {
  const from = firstTap(job, j);
  if (from < 0) {
    carefulPixel(job, j, to, supportX, supportY, TRIANGLE);
    return;
  }
  const offset = <usize>j << 2;
  const offsets = f32x4(-1.0, 0.0, 1.0, 2.0);
  const x = shapeWeights(f32x4.sub(offsets, v128.load32_splat(colPartsOf(job) + offset)), <f32>1.0 / supportX, TRIANGLE);
  const y = shapeWeights(f32x4.sub(offsets, v128.load32_splat(rowPartsOf(job) + offset)), <f32>1.0 / supportY, TRIANGLE);
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
