import { narrowPixel } from "./bilinear";
import { SPLINE } from "./kernel-shape";
import { colPartsOf, rowPartsOf } from "./row-positions";
import { column, firstTap, totals } from "./sixteen-taps";
import { carefulPixel, total } from "./taps";
import { CellPart, WarpJob } from "./warp-job";

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
  const rowBytes = <usize>width << 2;
  const count = part.maxCol - part.minCol;
  let to = <usize>(row * job.targetWidth + part.minCol);
  let j = 0;
  for (; j + 4 <= count; j += 4, to += 4) {
    const from0 = firstTap(job, j);
    const from1 = firstTap(job, j + 1);
    const from2 = firstTap(job, j + 2);
    const from3 = firstTap(job, j + 3);
    if ((from0 | from1 | from2 | from3) < 0) {
      for (let lane = 0; lane < 4; lane++) onePixel(job, j + lane, to + lane, shape);
      continue;
    }
    const offset = <usize>j << 2;
    const x0 = weights(load<f32>(colParts + offset), shape);
    const x1 = weights(load<f32>(colParts + offset, 4), shape);
    const x2 = weights(load<f32>(colParts + offset, 8), shape);
    const x3 = weights(load<f32>(colParts + offset, 12), shape);
    const y0 = weights(load<f32>(rowParts + offset), shape);
    const y1 = weights(load<f32>(rowParts + offset, 4), shape);
    const y2 = weights(load<f32>(rowParts + offset, 8), shape);
    const y3 = weights(load<f32>(rowParts + offset, 12), shape);
    let source = firstSource;
    let target = firstTarget + (to << 2);
    for (let band = 0; band < bandCount; band++, source += sourcePlaneBytes, target += targetPlaneBytes) {
      const a = f32x4.mul(column(source + (<usize>from0 << 2), rowBytes, y0), x0);
      const b = f32x4.mul(column(source + (<usize>from1 << 2), rowBytes, y1), x1);
      const c = f32x4.mul(column(source + (<usize>from2 << 2), rowBytes, y2), x2);
      const d = f32x4.mul(column(source + (<usize>from3 << 2), rowBytes, y3), x3);
      v128.store(target, totals(a, b, c, d));
    }
    store<u32>(job.targetMask + to, 0x01010101);
  }
  for (; j < count; j++, to++) onePixel(job, j, to, shape);
}

/** Computes the same as the lanes, in the same order; with missing taps it uses the checked version. */
function onePixel(job: WarpJob, j: i32, to: usize, shape: i32): void {
  const from = firstTap(job, j);
  if (from < 0) {
    // As in GDAL: the B-spline gives the weights of missing taps to the others, cubic convolution becomes bilinear.
    if (shape == SPLINE) carefulPixel(job, j, to, 2.0, 2.0, shape);
    else narrowPixel(job, j, to);
    return;
  }
  const offset = <usize>j << 2;
  const x = weights(load<f32>(colPartsOf(job) + offset), shape);
  const y = weights(load<f32>(rowPartsOf(job) + offset), shape);
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

/** Weights of the taps at -1, 0, 1 and 2 for a position between 0 and 1: polynomials, one per lane. */
// @ts-ignore: decorator
@inline function weights(position: f32, shape: i32): v128 {
  const t = f32x4.splat(position);
  if (shape == SPLINE) {
    const sixth: f32 = <f32>(1.0 / 6.0);
    let sum = f32x4.mul(f32x4(-sixth, 0.5, -0.5, sixth), t);
    sum = f32x4.mul(f32x4.add(sum, f32x4(0.5, -1.0, 0.5, 0.0)), t);
    sum = f32x4.mul(f32x4.add(sum, f32x4(-0.5, 0.0, 0.5, 0.0)), t);
    return f32x4.add(sum, f32x4(sixth, <f32>(2.0 / 3.0), sixth, 0.0));
  }
  let sum = f32x4.mul(f32x4(-0.5, 1.5, -1.5, 0.5), t);
  sum = f32x4.mul(f32x4.add(sum, f32x4(1.0, -2.5, 2.0, -0.5)), t);
  sum = f32x4.mul(f32x4.add(sum, f32x4(-0.5, 0.0, 0.5, 0.0)), t);
  return f32x4.add(sum, f32x4(0.0, 1.0, 0.0, 0.0));
}
