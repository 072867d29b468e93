import { shapeWeights, TRIANGLE } from "./kernel-shape";
import { colPartsOf, colsOf, rowPartsOf, rowsOf } from "./row-positions";
import { carefulPixel, total, weighed } from "./taps";
import { CellPart, WarpJob } from "./warp-job";

/**
 * The triangle kernel while target pixels span at most two source pixels, as they do wherever there are overviews: four
 * by four taps, held in registers. Lanes are four neighbouring source pixels.
 */
export function fourRow(job: WarpJob, part: CellPart, row: i32, supportX: f32, supportY: f32): void {
  // Into locals: the compiler must assume that every store of a pixel changes the job.
  const width = job.windowWidth;
  const height = job.windowHeight;
  const mask = job.sourceMask;
  const bandCount = job.bandCount;
  const sourcePlaneBytes = job.sourcePlaneBytes;
  const targetPlaneBytes = job.targetPlaneBytes;
  const firstSource = job.source;
  const targetMask = job.targetMask;
  const cols = colsOf(job);
  const rows = rowsOf(job);
  const colParts = colPartsOf(job);
  const rowParts = rowPartsOf(job);
  const rowBytes = <usize>width << 2;
  const steepX: f32 = <f32>1.0 / supportX;
  const steepY: f32 = <f32>1.0 / supportY;
  const offsets = f32x4(-1.0, 0.0, 1.0, 2.0);
  const count = part.maxCol - part.minCol;
  let to = <usize>(row * job.targetWidth + part.minCol);
  let target = job.target + (to << 2);
  for (let j = 0; j < count; j++, to++, target += 4) {
    const place = <usize>j << 2;
    const col = load<i32>(cols + place) - 1;
    const top = load<i32>(rows + place) - 1;
    if (col < 0 || col + 4 > width || top < 0 || top + 4 > height) {
      carefulPixel(job, j, to, supportX, supportY, TRIANGLE);
      continue;
    }
    const weightsX = shapeWeights(f32x4.sub(offsets, v128.load32_splat(colParts + place)), steepX, TRIANGLE);
    const weightsY = shapeWeights(f32x4.sub(offsets, v128.load32_splat(rowParts + place)), steepY, TRIANGLE);
    const from = <usize>(top * width + col);
    if (mask != 0) {
      const m = mask + from;
      const stride = <usize>width;
      const data = load<u32>(m) & load<u32>(m + stride) & load<u32>(m + 2 * stride) & load<u32>(m + 3 * stride);
      if ((data & 0x01010101) != 0x01010101) {
        carefulPixel(job, j, to, supportX, supportY, TRIANGLE);
        continue;
      }
    }
    const scale: f32 = <f32>1.0 / (total(weightsX) * total(weightsY));
    const y0 = v128.shuffle<f32>(weightsY, weightsY, 0, 0, 0, 0);
    const y1 = v128.shuffle<f32>(weightsY, weightsY, 1, 1, 1, 1);
    const y2 = v128.shuffle<f32>(weightsY, weightsY, 2, 2, 2, 2);
    const y3 = v128.shuffle<f32>(weightsY, weightsY, 3, 3, 3, 3);
    let source = firstSource + (from << 2);
    let into = target;
    for (let band = 0; band < bandCount; band++) {
      // The inner rows always have a weight.
      const upper = f32x4.add(weighed(v128.load(source), y0), f32x4.mul(v128.load(source + rowBytes), y1));
      const lower = f32x4.add(
        f32x4.mul(v128.load(source + 2 * rowBytes), y2), weighed(v128.load(source + 3 * rowBytes), y3),
      );
      store<f32>(into, total(weighed(f32x4.add(upper, lower), weightsX)) * scale);
      source += sourcePlaneBytes;
      into += targetPlaneBytes;
    }
    store<u8>(targetMask + to, 1);
  }
}
