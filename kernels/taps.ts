import { colPartsOf, colsOf, rowPartsOf, rowsOf } from "./row-positions";
import { WarpJob } from "./warp-job";

/** Whether the window has a measurement at this pixel. */
// @ts-ignore: decorator
@inline export function hasData(job: WarpJob, col: i32, row: i32): bool {
  if (<u32>col >= <u32>job.windowWidth || <u32>row >= <u32>job.windowHeight) return false;
  return job.sourceMask == 0 || (load<u8>(job.sourceMask + <usize>(row * job.windowWidth + col)) & 1) != 0;
}

/** Weight of a tap of the triangle kernel. */
// @ts-ignore: decorator
@inline export function triangle(distance: f32, steepness: f32): f32 {
  return max<f32>(0.0, <f32>1.0 - abs<f32>(distance) * steepness);
}

/** Weights of four neighbouring taps, given their distances. */
// @ts-ignore: decorator
@inline export function triangles(distances: v128, steepness: f32): v128 {
  const slopes = f32x4.mul(f32x4.abs(distances), f32x4.splat(steepness));
  return f32x4.max(f32x4.splat(0.0), f32x4.sub(f32x4.splat(1.0), slopes));
}

/** Values by their weights; without weight even infinity counts as zero. */
// @ts-ignore: decorator
@inline export function weighed(values: v128, weights: v128): v128 {
  return f32x4.mul(v128.and(values, f32x4.gt(weights, f32x4.splat(0.0))), weights);
}

/** The sum of four lanes. */
// @ts-ignore: decorator
@inline export function total(v: v128): f32 {
  const half = f32x4.add(v, v128.shuffle<f32>(v, v, 2, 3, 0, 1));
  return f32x4.extract_lane(half, 0) + f32x4.extract_lane(half, 1);
}

/**
 * One pixel of the triangle kernel with every check: taps that are missing or over the edge of the image leave their
 * weight to the others, and without data under its centre the pixel stays empty.
 */
export function carefulPixel(job: WarpJob, j: i32, to: usize, supportX: f32, supportY: f32): void {
  const place = <usize>j << 2;
  const col = load<i32>(colsOf(job) + place);
  const row = load<i32>(rowsOf(job) + place);
  const x = load<f32>(colPartsOf(job) + place);
  const y = load<f32>(rowPartsOf(job) + place);
  if (!hasData(job, col + i32(x >= 0.5), row + i32(y >= 0.5))) return;
  const radiusX = <i32>ceil(supportX);
  const radiusY = <i32>ceil(supportY);
  const steepX: f32 = <f32>1.0 / supportX;
  const steepY: f32 = <f32>1.0 / supportY;
  const bandCount = job.bandCount;
  const sourcePlaneBytes = job.sourcePlaneBytes;
  const targetPlaneBytes = job.targetPlaneBytes;
  const target = job.target + (to << 2);
  let weights: f32 = 0.0;
  for (let i = 1 - radiusY; i <= radiusY; i++) {
    const weightY = triangle(<f32>i - y, steepY);
    for (let k = 1 - radiusX; k <= radiusX; k++) {
      const weight: f32 = weightY * triangle(<f32>k - x, steepX);
      if (weight <= 0.0 || !hasData(job, col + k, row + i)) continue;
      weights += weight;
      // The target is zero before: it serves as the sum.
      let source = job.source + (<usize>((row + i) * job.windowWidth + col + k) << 2);
      let sum = target;
      for (let band = 0; band < bandCount; band++) {
        store<f32>(sum, load<f32>(sum) + weight * load<f32>(source));
        source += sourcePlaneBytes;
        sum += targetPlaneBytes;
      }
    }
  }
  let sum = target;
  for (let band = 0; band < bandCount; band++, sum += targetPlaneBytes) store<f32>(sum, load<f32>(sum) / weights);
  store<u8>(job.targetMask + to, 1);
}
