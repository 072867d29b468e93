import { writeNearest } from "./near";
import { colsOf, rowsOf } from "./row-positions";
import { areCellsWhole, CellPart, cellPart, WarpJob } from "./warp-job";
import { areClose, closeLanes, closeWords, wordsAt } from "./word-lanes";

/**
 * Nearest neighbours of 16-bit words as planes of floats: what `near` writes of a window that was widened to floats, and
 * half of the memory is read for it. All words of the window are data. Values and mask of the target need not be zeroed.
 */
export function nearWordPlanes(job: WarpJob): void {
  if (!areCellsWhole(job)) {
    const count = job.targetWidth * job.targetHeight;
    for (let band = 0; band < job.bandCount; band++)
      memory.fill(job.target + <usize>band * job.targetPlaneBytes, 0, <usize>count << 2);
    memory.fill(job.targetMask, 0, <usize>count);
  }
  for (let i = 0; i < job.cellCount; i++) {
    const part = cellPart(job, i);
    for (let row = part.minRow; row < part.maxRow; row++) {
      writeNearest(job, part, row);
      sampleRow(job, part, row);
    }
  }
}

/** Lanes are four neighbouring target pixels. What the loop needs of the job is read once: a store may change any field. */
function sampleRow(job: WarpJob, part: CellPart, row: i32): void {
  const width = i32x4.splat(job.windowWidth);
  const height = i32x4.splat(job.windowHeight);
  const planes = job.source;
  const planeBytes = job.sourcePlaneBytes;
  const planesEnd = planes + planeBytes * <usize>job.bandCount;
  const targetPlaneBytes = job.targetPlaneBytes;
  const count = part.maxCol - part.minCol;
  const end = colsOf(job) + (<usize>count << 2);
  const toRows = rowsOf(job) - colsOf(job);
  const first = <usize>(row * job.targetWidth + part.minCol);
  let mask = job.targetMask + first;
  let targets = job.target + (first << 2);
  // Past the end of the row there are up to three unused positions, see fixed-positions.ts.
  for (let at = colsOf(job); at < end; at += 16, mask += 4, targets += 16) {
    let cols = v128.load(at);
    let rows = v128.load(at + toRows);
    // Unsigned, so that positions before the window are too large as well.
    const inside = v128.and(i32x4.lt_u(cols, width), i32x4.lt_u(rows, height));
    if (at + 16 > end || !i32x4.all_true(inside)) {
      cols = v128.and(cols, inside);
      rows = v128.and(rows, inside);
      const bytes = i32x4.shl(i32x4.add(i32x4.mul(rows, width), cols), 1);
      const left = <i32>min<usize>((end - at) >> 2, 4);
      let target = targets;
      for (let plane = planes; plane < planesEnd; plane += planeBytes, target += targetPlaneBytes)
        storeLanes(target, v128.and(wordsAt(plane, bytes), inside), left);
      storeMask(mask, inside, left);
      continue;
    }
    store<u32>(mask, 0x01010101);
    const bytes = i32x4.shl(i32x4.add(i32x4.mul(rows, width), cols), 1);
    let target = targets;
    if (areClose(cols, rows)) {
      const lanes = closeLanes(cols);
      const from = <usize>i32x4.extract_lane(bytes, 0);
      for (let plane = planes; plane < planesEnd; plane += planeBytes, target += targetPlaneBytes)
        v128.store(target, closeWords(plane + from, lanes));
    } else {
      for (let plane = planes; plane < planesEnd; plane += planeBytes, target += targetPlaneBytes)
        v128.store(target, wordsAt(plane, bytes));
    }
  }
}

/** Stores the first lanes; the others belong to other cells. */
function storeLanes(to: usize, values: v128, left: i32): void {
  store<f32>(to, f32x4.extract_lane(values, 0));
  if (left > 1) store<f32>(to, f32x4.extract_lane(values, 1), 4);
  if (left > 2) store<f32>(to, f32x4.extract_lane(values, 2), 8);
  if (left > 3) store<f32>(to, f32x4.extract_lane(values, 3), 12);
}

function storeMask(to: usize, inside: v128, left: i32): void {
  store<u8>(to, <u8>(i32x4.extract_lane(inside, 0) & 1));
  if (left > 1) store<u8>(to, <u8>(i32x4.extract_lane(inside, 1) & 1), 1);
  if (left > 2) store<u8>(to, <u8>(i32x4.extract_lane(inside, 2) & 1), 2);
  if (left > 3) store<u8>(to, <u8>(i32x4.extract_lane(inside, 3) & 1), 3);
}
