import { fourRow } from "./bilinear-four";
import { writeFixedPositions } from "./fixed-positions";
import { TRIANGLE } from "./kernel-shape";
import { colPartsOf, colsOf, rowPartsOf, rowsOf, writeRowPositions } from "./row-positions";
import { hasData } from "./taps";
import { fourUpright, isUpright } from "./upright-rows";
import { areWanted, CellPart, cellPart, isRowWanted, WarpJob } from "./warp-job";
import { wideRow } from "./wide-row";

/**
 * Bilinear interpolation between pixel centres. When downsampling, the kernel is a triangle as wide as two target
 * pixels (bilinear-four.ts, wide-row.ts). Weights of missing source pixels go to the others; a target pixel has a value
 * when the source pixel under its centre has one.
 */
export function bilinear(job: WarpJob): void {
  for (let i = 0; i < job.cellCount; i++) {
    const part = cellPart(job, i);
    const supportX = <f32>load<f64>(job.supports + (<usize>i << 4));
    const supportY = <f32>load<f64>(job.supports + (<usize>i << 4), 8);
    const step = 1.0 / <f64>part.size;
    const isFour = supportX <= 2.0 && supportY <= 2.0 && (supportX > 1.0 || supportY > 1.0);
    if (isFour && isUpright(part) && fourUpright(job, part, supportX, supportY)) continue;
    for (let row = part.minRow; row < part.maxRow; row++) {
      if (!isRowWanted(job, part, row)) continue;
      if (supportX <= 2.0 && supportY <= 2.0) {
        const isEven = writeFixedPositions(job, part, row, step, -0.5);
        if (isFour) fourRow(job, part, row, supportX, supportY);
        else if (isEven) evenRow(job, part, row);
        else narrowRow(job, part, row);
      } else {
        writeRowPositions(job, part, row, -0.5);
        wideRow(job, part, row, supportX, supportY, TRIANGLE);
      }
    }
  }
}

/**
 * Two by two source pixels where the row is even (fixed-positions.ts). Lanes are four neighbouring target pixels; if
 * they lie in one row of the source, as most do, their pixels are four neighbours there.
 */
function evenRow(job: WarpJob, part: CellPart, row: i32): void {
  const width = <usize>job.windowWidth;
  const mask = job.sourceMask;
  const bandCount = job.bandCount;
  const firstSource = job.source;
  const firstTarget = job.target;
  const sourcePlaneBytes = job.sourcePlaneBytes;
  const targetPlaneBytes = job.targetPlaneBytes;
  const targetMask = job.targetMask;
  const colsAt = colsOf(job);
  const rowsAt = rowsOf(job);
  const colPartsAt = colPartsOf(job);
  const rowPartsAt = rowPartsOf(job);
  const wanted = job.wanted;
  const rowBytes = width << 2;
  const one = f32x4.splat(1.0);
  const count = part.maxCol - part.minCol;
  let to = <usize>(row * job.targetWidth + part.minCol);
  let j = 0;
  for (; j + 4 <= count; j += 4, to += 4) {
    if (!areWanted(wanted, to)) continue;
    const offset = <usize>j << 2;
    const sourceRow = load<i32>(rowsAt + offset);
    const from = <usize>sourceRow * width + <usize>load<i32>(colsAt + offset);
    if (sourceRow != load<i32>(rowsAt + offset, 12) || (mask != 0 && !isKnown(mask + from, width))) {
      narrowFour(job, j, to);
      continue;
    }
    const cols = v128.load(colsAt + offset);
    const lanes = toLanes(i32x4.sub(cols, v128.shuffle<i32>(cols, cols, 0, 0, 0, 0)));
    const right = v128.load(colPartsAt + offset);
    const left = f32x4.sub(one, right);
    const lower = v128.load(rowPartsAt + offset);
    const upper = f32x4.sub(one, lower);
    let above = firstSource + (from << 2);
    let target = firstTarget + (to << 2);
    for (let band = 0; band < bandCount; band++) {
      const below = above + rowBytes;
      const top = f32x4.add(
        f32x4.mul(i8x16.swizzle(v128.load(above), lanes), left),
        f32x4.mul(i8x16.swizzle(v128.load(above, 4), lanes), right),
      );
      const bottom = f32x4.add(
        f32x4.mul(i8x16.swizzle(v128.load(below), lanes), left),
        f32x4.mul(i8x16.swizzle(v128.load(below, 4), lanes), right),
      );
      v128.store(target, f32x4.add(f32x4.mul(top, upper), f32x4.mul(bottom, lower)));
      above += sourcePlaneBytes;
      target += targetPlaneBytes;
    }
    store<u32>(targetMask + to, 0x01010101);
  }
  for (; j < count; j++, to++) narrowPixel(job, j, to);
}

/** Indexes of lanes as indexes of their bytes. */
// @ts-ignore: decorator
@inline function toLanes(indexes: v128): v128 {
  const bytes = i32x4.shl(indexes, 2);
  return i8x16.add(
    v128.shuffle<i8>(bytes, bytes, 0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12),
    i8x16(0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3),
  );
}

/** Whether all of five neighbours and those below them are data. */
// @ts-ignore: decorator
@inline function isKnown(mask: usize, width: usize): bool {
  return (load<u64>(mask) & load<u64>(mask + width) & 0x0101010101) == 0x0101010101;
}

/** Two by two source pixels. */
function narrowRow(job: WarpJob, part: CellPart, row: i32): void {
  const count = part.maxCol - part.minCol;
  let to = <usize>(row * job.targetWidth + part.minCol);
  let j = 0;
  for (; j + 4 <= count; j += 4, to += 4) if (areWanted(job.wanted, to)) narrowFour(job, j, to);
  for (; j < count; j++, to++) narrowPixel(job, j, to);
}

/** Lanes are four neighbouring target pixels. */
function narrowFour(job: WarpJob, j: i32, to: usize): void {
  const width = job.windowWidth;
  const mask = job.sourceMask;
  const rowBytes = <usize>width << 2;
  const offset = <usize>j << 2;
  const cols = v128.load(colsOf(job) + offset);
  const rows = v128.load(rowsOf(job) + offset);
  // Unsigned, so that positions before the window are too large as well.
  const isInside = v128.and(
    i32x4.lt_u(cols, i32x4.splat(width - 1)),
    i32x4.lt_u(rows, i32x4.splat(job.windowHeight - 1)),
  );
  const from = i32x4.add(i32x4.mul(rows, i32x4.splat(width)), cols);
  const from0 = <usize>i32x4.extract_lane(from, 0);
  const from1 = <usize>i32x4.extract_lane(from, 1);
  const from2 = <usize>i32x4.extract_lane(from, 2);
  const from3 = <usize>i32x4.extract_lane(from, 3);
  let isWhole = i32x4.all_true(isInside);
  if (isWhole && mask != 0) {
    const both = square(mask + from0, width) & square(mask + from1, width) &
      square(mask + from2, width) & square(mask + from3, width);
    isWhole = (both & 0x0101) == 0x0101;
  }
  if (!isWhole) {
    for (let lane = 0; lane < 4; lane++) narrowPixel(job, j + lane, to + lane);
    return;
  }
  const right = v128.load(colPartsOf(job) + offset);
  const left = f32x4.sub(f32x4.splat(1.0), right);
  const lower = v128.load(rowPartsOf(job) + offset);
  const upper = f32x4.sub(f32x4.splat(1.0), lower);
  const bandCount = job.bandCount;
  const sourcePlaneBytes = job.sourcePlaneBytes;
  const targetPlaneBytes = job.targetPlaneBytes;
  let source = job.source;
  let target = job.target + (to << 2);
  store<u32>(job.targetMask + to, 0x01010101);
  for (let band = 0; band < bandCount; band++) {
    const p0 = source + (from0 << 2);
    const p1 = source + (from1 << 2);
    const p2 = source + (from2 << 2);
    const p3 = source + (from3 << 2);
    const top = blend(pairs(p0, p1), pairs(p2, p3), left, right);
    const bottom = blend(pairs(p0 + rowBytes, p1 + rowBytes), pairs(p2 + rowBytes, p3 + rowBytes), left, right);
    v128.store(target, f32x4.add(f32x4.mul(top, upper), f32x4.mul(bottom, lower)));
    source += sourcePlaneBytes;
    target += targetPlaneBytes;
  }
}

// @ts-ignore: decorator
@inline function square(mask: usize, width: i32): u32 {
  return <u32>load<u16>(mask) & <u32>load<u16>(mask + <usize>width);
}

/** Two neighbouring pixels from each of two addresses. */
// @ts-ignore: decorator
@inline function pairs(first: usize, second: usize): v128 {
  return v128.load_lane<u64>(second, v128.load64_zero(first), 1);
}

/** Blends left and right pixels, of which the arguments hold two pairs each. */
// @ts-ignore: decorator
@inline function blend(pairs01: v128, pairs23: v128, left: v128, right: v128): v128 {
  return f32x4.add(
    f32x4.mul(v128.shuffle<f32>(pairs01, pairs23, 0, 2, 4, 6), left),
    f32x4.mul(v128.shuffle<f32>(pairs01, pairs23, 1, 3, 5, 7), right),
  );
}

/**
 * One pixel with every check, also for pixels of other methods without data on all sides; where nothing is missing it
 * computes the same as the lanes, in the same order.
 */
export function narrowPixel(job: WarpJob, j: i32, to: usize): void {
  const offset = <usize>j << 2;
  const col = load<i32>(colsOf(job) + offset);
  const row = load<i32>(rowsOf(job) + offset);
  const right = load<f32>(colPartsOf(job) + offset);
  const lower = load<f32>(rowPartsOf(job) + offset);
  if (!hasData(job, col + i32(right >= 0.5), row + i32(lower >= 0.5))) return;
  const left: f32 = 1.0 - right;
  const upper: f32 = 1.0 - lower;
  const has00 = hasData(job, col, row);
  const has01 = hasData(job, col + 1, row);
  const has10 = hasData(job, col, row + 1);
  const has11 = hasData(job, col + 1, row + 1);
  const isWhole = has00 && has01 && has10 && has11;
  const w00: f32 = has00 ? left * upper : 0.0;
  const w01: f32 = has01 ? right * upper : 0.0;
  const w10: f32 = has10 ? left * lower : 0.0;
  const w11: f32 = has11 ? right * lower : 0.0;
  const weight = w00 + w01 + w10 + w11;
  for (let band = 0; band < job.bandCount; band++) {
    const source = job.source + <usize>band * job.sourcePlaneBytes + (<usize>(row * job.windowWidth + col) << 2);
    const v00: f32 = has00 ? load<f32>(source) : 0.0;
    const v01: f32 = has01 ? load<f32>(source, 4) : 0.0;
    const below = source + (<usize>job.windowWidth << 2);
    const v10: f32 = has10 ? load<f32>(below) : 0.0;
    const v11: f32 = has11 ? load<f32>(below, 4) : 0.0;
    const value: f32 = isWhole
      ? (v00 * left + v01 * right) * upper + (v10 * left + v11 * right) * lower
      : (v00 * w00 + v01 * w01 + v10 * w10 + v11 * w11) / weight;
    store<f32>(job.target + <usize>band * job.targetPlaneBytes + (to << 2), value);
  }
  store<u8>(job.targetMask + to, 1);
}
