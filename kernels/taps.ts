import { LANCZOS, writeWeights } from "./kernel-shape";
import { colPartsOf, colsOf, rowPartsOf, rowsOf, weightsOf } from "./row-positions";
import { WarpJob } from "./warp-job";

/** Whether the window has data at this pixel. */
// @ts-ignore: decorator
@inline export function hasData(job: WarpJob, col: i32, row: i32): bool {
  if (<u32>col >= <u32>job.windowWidth || <u32>row >= <u32>job.windowHeight) return false;
  return job.sourceMask == 0 || (load<u8>(job.sourceMask + <usize>(row * job.windowWidth + col)) & 1) != 0;
}

/** Weighted values; with weight zero even infinity counts as zero. */
// @ts-ignore: decorator
@inline export function weighed(values: v128, weights: v128): v128 {
  return f32x4.mul(v128.and(values, f32x4.ne(weights, f32x4.splat(0.0))), weights);
}

/** The sum of four lanes. */
// @ts-ignore: decorator
@inline export function total(v: v128): f32 {
  const half = f32x4.add(v, v128.shuffle<f32>(v, v, 2, 3, 0, 1));
  return f32x4.extract_lane(half, 0) + f32x4.extract_lane(half, 1);
}

/** Lanes of ones where four bytes of a mask are data. */
// @ts-ignore: decorator
@inline export function dataLanes(mask: usize): v128 {
  const bytes = i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(mask)));
  return i32x4.ne(v128.and(bytes, i32x4.splat(1)), i32x4.splat(0));
}

/** Whether all source pixels with a weight are data. */
export function isComplete(mask: usize, width: i32, rows: i32, groups: i32, colWeights: usize): bool {
  const zero = f32x4.splat(0.0);
  let missing = i32x4.splat(0);
  for (let i = 0; i < rows; i++, mask += width) {
    for (let g = 0; g < groups; g++) {
      const counts = f32x4.ne(v128.load(colWeights + (<usize>g << 4)), zero);
      missing = v128.or(missing, v128.andnot(counts, dataLanes(mask + (<usize>g << 2))));
    }
  }
  return !v128.any_true(missing);
}

/** Negative weights can leave less than this of the others: then there is no value (from GDAL). */
const MIN_WEIGHT: f64 = 1e-6;

/**
 * One pixel of a convolution with every check: the weights of taps that are missing or outside the image go to the
 * others, and without data under its centre the pixel stays empty.
 */
export function carefulPixel(job: WarpJob, j: i32, to: usize, supportX: f32, supportY: f32, shape: i32): void {
  const offset = <usize>j << 2;
  const x = load<f32>(colPartsOf(job) + offset);
  const y = load<f32>(rowPartsOf(job) + offset);
  const centreCol = load<i32>(colsOf(job) + offset);
  const centreRow = load<i32>(rowsOf(job) + offset);
  if (!hasData(job, centreCol + i32(x >= 0.5), centreRow + i32(y >= 0.5))) return;
  const before = <i32>ceil(supportX) - 1;
  const above = <i32>ceil(supportY) - 1;
  const colWeights = weightsOf(job);
  const rowWeights = colWeights + (<usize>((before + 2) >> 1) << 4);
  writeWeights(colWeights, x, supportX, shape);
  writeWeights(rowWeights, y, supportY, shape);
  // The taps within the image. A widened Lanczos kernel has an odd number.
  const isLanczos = shape == LANCZOS;
  const firstCol = max(0, centreCol - before);
  const firstRow = max(0, centreRow - above);
  const pastCol = min(job.windowWidth, centreCol + before + 2 - i32(isLanczos && <f32>(before + 1) > supportX));
  const pastRow = min(job.windowHeight, centreRow + above + 2 - i32(isLanczos && <f32>(above + 1) > supportY));
  for (let band = 0; band < job.bandCount; band++) {
    const source = job.source + <usize>band * job.sourcePlaneBytes;
    let weights: f64 = 0.0;
    let sum: f64 = 0.0;
    let count = 0;
    for (let row = firstRow; row < pastRow; row++) {
      const weightY = <f64>load<f32>(rowWeights + (<usize>(row - centreRow + above) << 2));
      for (let col = firstCol; col < pastCol; col++) {
        if (!hasData(job, col, row)) continue;
        count++;
        const weight = weightY * <f64>load<f32>(colWeights + (<usize>(col - centreCol + before) << 2));
        if (weight == 0.0) continue;
        weights += weight;
        sum += weight * <f64>load<f32>(source + (<usize>(row * job.windowWidth + col) << 2));
      }
    }
    if (weights < MIN_WEIGHT) return;
    // Also from GDAL: Lanczos requires half of its taps.
    if (isLanczos && 2 * count < (pastRow - firstRow) * (pastCol - firstCol)) return;
    store<f32>(job.target + <usize>band * job.targetPlaneBytes + (to << 2), <f32>(sum / weights));
  }
  store<u8>(job.targetMask + to, 1);
}
