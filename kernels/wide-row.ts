import { isSnapped, writeWeights } from "./kernel-shape";
import { colPartsOf, colsOf, rowPartsOf, rowsOf, weightsOf } from "./row-positions";
import { carefulPixel, isComplete, total, weighed } from "./taps";
import { CellPart, WarpJob } from "./warp-job";

/** A convolution with any shape at any reduction; lanes are four neighbouring source pixels. */
export function wideRow(job: WarpJob, part: CellPart, row: i32, supportX: f32, supportY: f32, shape: i32): void {
  // In locals: the compiler must assume that every store of a pixel changes the job.
  const width = job.windowWidth;
  const height = job.windowHeight;
  const bandCount = job.bandCount;
  const rowBytes = <usize>width << 2;
  const radiusX = <i32>ceil(supportX);
  const radiusY = <i32>ceil(supportY);
  const groups = (radiusX + 1) >> 1;
  const colWeights = weightsOf(job);
  const rowWeights = colWeights + (<usize>groups << 4);
  // Weights that do not depend on the position are written once; carefulPixel writes the same to the same address.
  const isColSnapped = isSnapped(supportX, shape);
  const isRowSnapped = isSnapped(supportY, shape);
  let colSum = writeWeights(colWeights, 0.0, supportX, shape);
  let rowSum = writeWeights(rowWeights, 0.0, supportY, shape);
  const zero = f32x4.splat(0.0);
  const wanted = job.wanted;
  const count = part.maxCol - part.minCol;
  let to = <usize>(row * job.targetWidth + part.minCol);
  for (let j = 0; j < count; j++, to++) {
    if (wanted != 0 && load<u8>(wanted + to) == 0) continue;
    const offset = <usize>j << 2;
    const col = load<i32>(colsOf(job) + offset) - radiusX + 1;
    let top = load<i32>(rowsOf(job) + offset) - radiusY + 1;
    if (col < 0 || col + 2 * radiusX > width || top < 0 || top + 2 * radiusY > height) {
      carefulPixel(job, j, to, supportX, supportY, shape);
      continue;
    }
    if (!isColSnapped) colSum = writeWeights(colWeights, load<f32>(colPartsOf(job) + offset), supportX, shape);
    if (!isRowSnapped) rowSum = writeWeights(rowWeights, load<f32>(rowPartsOf(job) + offset), supportY, shape);
    // Rows without weight are skipped: zero times infinity would be NaN.
    let firstWeight = rowWeights;
    let rows = 2 * radiusY;
    for (; load<f32>(firstWeight) == 0.0; firstWeight += 4, top++, rows--) {}
    while (load<f32>(firstWeight + (<usize>(rows - 1) << 2)) == 0.0) rows--;
    const from = <usize>(top * width + col);
    if (job.sourceMask != 0 && !isComplete(job.sourceMask + from, width, rows, groups, colWeights)) {
      carefulPixel(job, j, to, supportX, supportY, shape);
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
