import { footprint } from "./footprint";
import { dataLanes, isComplete, total, weighed } from "./taps";
import { WarpJob } from "./warp-job";

/**
 * The mean of the footprint's pixels, weighted by the shares that lie in it; lanes are four neighbouring source pixels.
 */
export function averagePixel(job: WarpJob, to: usize): void {
  const f = footprint;
  const mask = job.sourceMask + <usize>f.from;
  if (job.sourceMask != 0 && !isComplete(mask, job.windowWidth, f.rows, f.groups, f.colWeights)) {
    averageMasked(job, to, mask);
    return;
  }
  // In locals: the compiler must assume that every store of a pixel changes the rest.
  const groups = f.groups;
  const rows = f.rows;
  const colWeights = f.colWeights;
  const rowWeights = f.rowWeights;
  const bandCount = job.bandCount;
  const sourcePlaneBytes = job.sourcePlaneBytes;
  const targetPlaneBytes = job.targetPlaneBytes;
  const rowBytes = <usize>job.windowWidth << 2;
  const scale: f32 = <f32>1.0 / (sumOf(colWeights, f.cols) * sumOf(rowWeights, rows));
  let source = job.source + (<usize>f.from << 2);
  let target = job.target + (to << 2);
  for (let band = 0; band < bandCount; band++) {
    let sum = f32x4.splat(0.0);
    for (let g = 0; g < groups; g++) {
      let line = source + (<usize>g << 4);
      let lanes = f32x4.splat(0.0);
      for (let i = 0; i < rows; i++, line += rowBytes) {
        lanes = f32x4.add(lanes, f32x4.mul(v128.load(line), v128.load32_splat(rowWeights + (<usize>i << 2))));
      }
      sum = f32x4.add(sum, weighed(lanes, v128.load(colWeights + (<usize>g << 4))));
    }
    store<f32>(target, total(sum) * scale);
    source += sourcePlaneBytes;
    target += targetPlaneBytes;
  }
  store<u8>(job.targetMask + to, 1);
}

function sumOf(weights: usize, count: i32): f32 {
  let sum: f32 = 0.0;
  for (let i = 0; i < count; i++) sum += load<f32>(weights + (<usize>i << 2));
  return sum;
}

/** The weight of pixels without data goes to the others. */
function averageMasked(job: WarpJob, to: usize, mask: usize): void {
  const f = footprint;
  const rowBytes = <usize>job.windowWidth << 2;
  let source = job.source + (<usize>f.from << 2);
  let target = job.target + (to << 2);
  for (let band = 0; band < job.bandCount; band++) {
    let sum = f32x4.splat(0.0);
    let weights = f32x4.splat(0.0);
    for (let i = 0; i < f.rows; i++) {
      const rowWeight = v128.load32_splat(f.rowWeights + (<usize>i << 2));
      for (let g = 0; g < f.groups; g++) {
        const data = dataLanes(mask + <usize>(i * job.windowWidth + (g << 2)));
        const weight = v128.and(f32x4.mul(v128.load(f.colWeights + (<usize>g << 4)), rowWeight), data);
        weights = f32x4.add(weights, weight);
        sum = f32x4.add(sum, weighed(v128.load(source + <usize>i * rowBytes + (<usize>g << 4)), weight));
      }
    }
    const weight = total(weights);
    if (weight <= 0.0) return;
    store<f32>(target, total(sum) / weight);
    source += job.sourcePlaneBytes;
    target += job.targetPlaneBytes;
  }
  store<u8>(job.targetMask + to, 1);
}
