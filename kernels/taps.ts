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
  const tapCount = (pastRow - firstRow) * (pastCol - firstCol);
  // Also from GDAL: Lanczos requires half of its taps.
  const least = isLanczos ? tapCount : 0;
  if (tapCount <= LISTED) {
    const cols = colWeights + (<usize>(firstCol - centreCol + before) << 2);
    const rows = rowWeights + (<usize>(firstRow - centreRow + above) << 2);
    listedPixel(job, to, least, firstCol, firstRow, pastCol, pastRow, cols, rows);
    return;
  }
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
    if (weights < MIN_WEIGHT || 2 * count < least) return;
    store<f32>(job.target + <usize>band * job.targetPlaneBytes + (to << 2), <f32>(sum / weights));
  }
  store<u8>(job.targetMask + to, 1);
}

/** Most kernels have fewer taps. */
const LISTED: i32 = 64;
/** Taps of a pixel that count: the weight (f64), and the place in the window in bytes (u32). */
const TAPS = memory.data(64 * 16, 16);

/**
 * The same where there is room for a list of the taps: which of them count, and how much, is found once for all bands.
 * Weights are those of the first column and row on. `least` is twice the number of taps with data that a value needs.
 */
function listedPixel(
  job: WarpJob, to: usize, least: i32, firstCol: i32, firstRow: i32, pastCol: i32, pastRow: i32, colWeights: usize,
  rowWeights: usize,
): void {
  const width = job.windowWidth;
  const mask = job.sourceMask;
  let end = TAPS;
  let weights: f64 = 0.0;
  let count = 0;
  for (let row = firstRow; row < pastRow; row++, rowWeights += 4) {
    const weightY = <f64>load<f32>(rowWeights);
    let weightAt = colWeights;
    for (let col = firstCol; col < pastCol; col++, weightAt += 4) {
      const from = <usize>(row * width + col);
      if (mask != 0 && (load<u8>(mask + from) & 1) == 0) continue;
      count++;
      const weight = weightY * <f64>load<f32>(weightAt);
      if (weight == 0.0) continue;
      weights += weight;
      store<f64>(end, weight);
      store<u32>(end, <u32>(from << 2), 8);
      end += 16;
    }
  }
  if (weights < MIN_WEIGHT || 2 * count < least) return;
  const planeBytes = job.sourcePlaneBytes;
  const targetBytes = job.targetPlaneBytes;
  const bandCount = job.bandCount;
  let source = job.source;
  let target = job.target + (to << 2);
  let band = 0;
  // Three bands at a time: each sum waits for its last addition.
  for (; band + 3 <= bandCount; band += 3, source += 3 * planeBytes, target += 3 * targetBytes) {
    let a: f64 = 0.0;
    let b: f64 = 0.0;
    let c: f64 = 0.0;
    for (let tap = TAPS; tap < end; tap += 16) {
      const weight = load<f64>(tap);
      const at = source + <usize>load<u32>(tap, 8);
      a += weight * <f64>load<f32>(at);
      b += weight * <f64>load<f32>(at + planeBytes);
      c += weight * <f64>load<f32>(at + 2 * planeBytes);
    }
    store<f32>(target, <f32>(a / weights));
    store<f32>(target + targetBytes, <f32>(b / weights));
    store<f32>(target + 2 * targetBytes, <f32>(c / weights));
  }
  for (; band < bandCount; band++, source += planeBytes, target += targetBytes) {
    let sum: f64 = 0.0;
    for (let tap = TAPS; tap < end; tap += 16) sum += load<f64>(tap) * <f64>load<f32>(source + <usize>load<u32>(tap, 8));
    store<f32>(target, <f32>(sum / weights));
  }
  store<u8>(job.targetMask + to, 1);
}
