import { colPartsOf, colsOf, rowPartsOf, rowsOf, weightsOf } from "./row-positions";
import { carefulPixel, total, triangles, weighed } from "./taps";
import { CellPart, WarpJob } from "./warp-job";

/** The triangle kernel at any reduction; lanes are four neighbouring source pixels. */
export function wideRow(job: WarpJob, part: CellPart, row: i32, supportX: f32, supportY: f32): void {
  // Into locals: the compiler must assume that every store of a pixel changes the job.
  const width = job.windowWidth;
  const height = job.windowHeight;
  const bandCount = job.bandCount;
  const rowBytes = <usize>width << 2;
  const radiusX = <i32>ceil(supportX);
  const radiusY = <i32>ceil(supportY);
  const groups = (radiusX + 1) >> 1;
  const colWeights = weightsOf(job);
  const rowWeights = colWeights + (<usize>groups << 4);
  const zero = f32x4.splat(0.0);
  const count = part.maxCol - part.minCol;
  let to = <usize>(row * job.targetWidth + part.minCol);
  for (let j = 0; j < count; j++, to++) {
    const place = <usize>j << 2;
    const col = load<i32>(colsOf(job) + place) - radiusX + 1;
    let top = load<i32>(rowsOf(job) + place) - radiusY + 1;
    if (col < 0 || col + 2 * radiusX > width || top < 0 || top + 2 * radiusY > height) {
      carefulPixel(job, j, to, supportX, supportY);
      continue;
    }
    const x = load<f32>(colPartsOf(job) + place) + <f32>(radiusX - 1);
    const y = load<f32>(rowPartsOf(job) + place) + <f32>(radiusY - 1);
    const colSum = writeWeights(colWeights, groups, x, supportX);
    const rowSum = writeWeights(rowWeights, (radiusY + 1) >> 1, y, supportY);
    // Rows without weight are left out: zero times infinity would be NaN.
    let firstWeight = rowWeights;
    let rows = 2 * radiusY;
    for (; load<f32>(firstWeight) <= 0.0; firstWeight += 4, top++, rows--) {}
    while (load<f32>(firstWeight + (<usize>(rows - 1) << 2)) <= 0.0) rows--;
    const from = <usize>(top * width + col);
    if (job.sourceMask != 0 && !isComplete(job.sourceMask + from, width, rows, groups, colWeights)) {
      carefulPixel(job, j, to, supportX, supportY);
      continue;
    }
    const scale: f32 = <f32>1.0 / (colSum * rowSum);
    let source = job.source + (from << 2);
    let target = job.target + (to << 2);
    for (let band = 0; band < bandCount; band++) {
      let sum = zero;
      let g = 0;
      for (; g + 2 <= groups; g += 2) {
        let line = source + (<usize>g << 4);
        let left = zero;
        let right = zero;
        for (let i = 0; i < rows; i++, line += rowBytes) {
          const w = v128.load32_splat(firstWeight + (<usize>i << 2));
          left = f32x4.add(left, f32x4.mul(v128.load(line), w));
          right = f32x4.add(right, f32x4.mul(v128.load(line, 16), w));
        }
        const weights = colWeights + (<usize>g << 4);
        sum = f32x4.add(sum, f32x4.add(weighed(left, v128.load(weights)), weighed(right, v128.load(weights, 16))));
      }
      if (g < groups) {
        let line = source + (<usize>g << 4);
        let last = zero;
        for (let i = 0; i < rows; i++, line += rowBytes) {
          last = f32x4.add(last, f32x4.mul(v128.load(line), v128.load32_splat(firstWeight + (<usize>i << 2))));
        }
        sum = f32x4.add(sum, weighed(last, v128.load(colWeights + (<usize>g << 4))));
      }
      store<f32>(target, total(sum) * scale);
      source += job.sourcePlaneBytes;
      target += job.targetPlaneBytes;
    }
    store<u8>(job.targetMask + to, 1);
  }
}

/** Writes the weights of `4 * groups` taps, the position lying `before` behind the first; returns their sum. */
// @ts-ignore: decorator
@inline function writeWeights(weights: usize, groups: i32, before: f32, support: f32): f32 {
  const steepness: f32 = <f32>1.0 / support;
  let distances = f32x4.sub(f32x4(0.0, 1.0, 2.0, 3.0), f32x4.splat(before));
  let sum = f32x4.splat(0.0);
  for (let g = 0; g < groups; g++) {
    const w = triangles(distances, steepness);
    v128.store(weights + (<usize>g << 4), w);
    sum = f32x4.add(sum, w);
    distances = f32x4.add(distances, f32x4.splat(4.0));
  }
  return total(sum);
}

/** Whether all source pixels with a weight are data. */
function isComplete(mask: usize, width: i32, rows: i32, groups: i32, colWeights: usize): bool {
  const zero = i32x4.splat(0);
  const one = i32x4.splat(1);
  let missing = zero;
  for (let i = 0; i < rows; i++, mask += width) {
    for (let g = 0; g < groups; g++) {
      const bytes = i16x8.extend_low_i8x16_u(v128.load32_zero(mask + (<usize>g << 2)));
      const isMissing = i32x4.ne(v128.and(i32x4.extend_low_i16x8_u(bytes), one), one);
      const counts = f32x4.gt(v128.load(colWeights + (<usize>g << 4)), zero);
      missing = v128.or(missing, v128.and(isMissing, counts));
    }
  }
  return !v128.any_true(missing);
}
