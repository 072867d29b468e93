import { fourRow, onePixel as oneTriangle, sumOf, tap, tapsOf } from "./bilinear-four";
import { cubicFourRow, onePixel as oneCubic, tableOf, tapWeights, weights } from "./cubic-four";
import { isFixedRow, writeFixedPositions, writeFixedRow } from "./fixed-positions";
import { TRIANGLE } from "./kernel-shape";
import {
  colPartsOf, colsOf, columnSumsOf, columnWeightsOf, lineOf, LONGEST_LINE, rowPartsOf, rowsOf, writeRowPositions,
  writeUprightRow,
} from "./row-positions";
import { columnWith, hasAllTaps, isUnknown, totals } from "./sixteen-taps";
import { total } from "./taps";
import { areWanted, CellPart, isRowWanted, WarpJob } from "./warp-job";

/*
 * Four by four taps where columns of the target are columns of the source, and rows are rows: images in degrees on a map,
 * as elevation models are, and images in the reference system of the target. All rows of a cell have the same columns, so
 * their weights are computed once. All pixels of a row have the same four rows of taps, so each column of the source is
 * summed once for a row, and not for each pixel around it. The numbers are those of bilinear-four.ts and cubic-four.ts,
 * to the bit.
 */

/** Whether the columns of a cell do not depend on the row, nor its rows on the column. */
export function isUpright(part: CellPart): bool {
  const x = part.patch;
  const y = part.patch + 72;
  // Coefficient 3 * i + j belongs to u to the power of i and v to the power of j (src/proj/approximate-grid.ts).
  return isLevel(x) && isLevel(x + 24) && isLevel(x + 48) && isNone(y + 24) && isNone(y + 48);
}

/** Whether a parabola of v is the same for each v. */
// @ts-ignore: decorator
@inline function isLevel(parabola: usize): bool {
  return load<f64>(parabola, 8) == 0.0 && load<f64>(parabola, 16) == 0.0;
}

/** Whether a parabola of v is zero. */
// @ts-ignore: decorator
@inline function isNone(parabola: usize): bool {
  return load<f64>(parabola) == 0.0 && isLevel(parabola);
}

/** Columns of the source from the first to the last tap of the pixels of a cell that have all their taps. */
let firstColumn: i32 = 0;
let endColumn: i32 = 0;

/** Finds them; returns whether there are any, and room for them. */
function findColumns(job: WarpJob, count: i32): bool {
  const cols = colsOf(job);
  firstColumn = job.windowWidth;
  endColumn = 0;
  for (let j = 0; j < count; j++) {
    const col = load<i32>(cols + (<usize>j << 2)) - 1;
    if (col < 0 || col + 4 > job.windowWidth) continue;
    firstColumn = min(firstColumn, col);
    endColumn = max(endColumn, col + 4);
  }
  return endColumn > firstColumn && endColumn - firstColumn <= LONGEST_LINE;
}

/** The first of the four rows of taps of a row whose positions are written; -1 if one of them is missing. */
// @ts-ignore: decorator
@inline function firstRowOf(job: WarpJob): i32 {
  const first = load<i32>(rowsOf(job)) - 1;
  return first >= 0 && first + 4 <= job.windowHeight ? first : -1;
}

/** Fills an upright cell as `cubicFourRow` fills its rows. */
export function cubicFourUpright(job: WarpJob, part: CellPart, shape: i32): void {
  const count = part.maxCol - part.minCol;
  const table = tableOf(shape);
  writeRowPositions(job, part, part.minRow, -0.5);
  const hasRoom = findColumns(job, count);
  const parts = colPartsOf(job);
  const columns = columnWeightsOf(job);
  for (let j = 0; j < count; j++)
    v128.store(columns + (<usize>j << 4), weights(load<f32>(parts + (<usize>j << 2)), table));
  for (let row = part.minRow; row < part.maxRow; row++) {
    if (!isRowWanted(job, part, row)) continue;
    writeUprightRow(job, part, row, -0.5);
    const first = hasRoom ? firstRowOf(job) : -1;
    if (first < 0) {
      cubicFourRow(job, part, row, shape);
      continue;
    }
    const y = v128.load32_splat(rowPartsOf(job));
    fillRow(
      job, part, row, first, tapWeights(y, 0, table), tapWeights(y, 1, table), tapWeights(y, 2, table),
      tapWeights(y, 3, table), shape, 0.0, 0.0,
    );
  }
}

/** Fills an upright cell as `fourRow` fills its rows. Returns false, and does nothing, if its positions do not fit. */
export function fourUpright(job: WarpJob, part: CellPart, supportX: f32, supportY: f32): bool {
  const count = part.maxCol - part.minCol;
  const step = 1.0 / <f64>part.size;
  for (let row = part.minRow; row < part.maxRow; row++) if (!isFixedRow(part, row, step)) return false;
  writeFixedPositions(job, part, part.minRow, step, -0.5);
  const hasRoom = findColumns(job, count);
  const steepX: f32 = <f32>1.0 / supportX;
  const steepY: f32 = <f32>1.0 / supportY;
  const parts = colPartsOf(job);
  const columns = columnWeightsOf(job);
  const sums = columnSumsOf(job);
  for (let j = 0; j < count; j++) {
    const taps = tapsOf(v128.load32_splat(parts + (<usize>j << 2)), steepX);
    v128.store(columns + (<usize>j << 4), taps);
    store<f32>(sums + (<usize>j << 2), total(taps));
  }
  for (let row = part.minRow; row < part.maxRow; row++) {
    if (!isRowWanted(job, part, row)) continue;
    writeFixedRow(job, part, row, step, -0.5);
    const first = hasRoom ? firstRowOf(job) : -1;
    if (first >= 0) {
      const y = v128.load32_splat(rowPartsOf(job));
      const isNumber = fillRow(
        job, part, row, first, tap(-1.0, y, steepY), tap(0.0, y, steepY), tap(1.0, y, steepY), tap(2.0, y, steepY),
        TRIANGLE, supportX, supportY,
      );
      if (isNumber) continue;
    }
    fourRow(job, part, row, supportX, supportY);
  }
  return true;
}

/**
 * Fills a row of the target whose taps lie in four rows of the source from `first` on, with these weights. Returns false if
 * a sum is not a number, for which the row must be filled with every check.
 */
// @ts-ignore: decorator
@inline function fillRow(
  job: WarpJob, part: CellPart, row: i32, first: i32, y0: v128, y1: v128, y2: v128, y3: v128, shape: i32,
  supportX: f32, supportY: f32,
): bool {
  const width = job.windowWidth;
  const rowBytes = <usize>width << 2;
  const cols = colsOf(job);
  const wanted = job.wanted;
  const isMasked = job.sourceMask != 0;
  const line = lineOf(job);
  const columnWeights = columnWeightsOf(job);
  const colParts = colPartsOf(job);
  const sums = columnSumsOf(job);
  const targetMask = job.targetMask;
  const lastCol = i32x4.splat(width - 4);
  const ones = i32x4.splat(1);
  const firstCols = i32x4.splat(firstColumn);
  const firstIndex = i32x4.splat(first * width);
  const y = v128.load32_splat(rowPartsOf(job));
  const sumY = sumOf(y0, y1, y2, y3);
  const count = part.maxCol - part.minCol;
  const whole = count & ~3;
  const firstTo = <usize>(row * job.targetWidth + part.minCol);
  let source = job.source + (<usize>(first * width + firstColumn) << 2);
  let target = job.target;
  let numbers = i32x4.splat(-1);
  for (let band = 0; band < job.bandCount; band++) {
    // The last four columns end with the line, which is at least four long.
    const last = <usize>(endColumn - firstColumn - 4) << 2;
    for (let at: usize = 0; at < last; at += 16)
      v128.store(line + at, columnWith(source + at, rowBytes, y0, y1, y2, y3));
    v128.store(line + last, columnWith(source + last, rowBytes, y0, y1, y2, y3));
    let to = firstTo;
    for (let j: usize = 0; j < <usize>whole; j += 4, to += 4) {
      if (!areWanted(wanted, to)) continue;
      const tapCols = i32x4.sub(v128.load(cols + (j << 2)), ones);
      const isInside = i32x4.all_true(i32x4.le_u(tapCols, lastCol));
      if (!isInside || (isMasked && !hasAllTaps(job, i32x4.add(firstIndex, tapCols)))) {
        if (band > 0) continue;
        const x = v128.load(colParts + (j << 2));
        if (shape == TRIANGLE && isInside && isUnknown(job, i32x4.add(firstIndex, tapCols), x, y)) continue;
        for (let lane = 0; lane < 4; lane++) {
          if (shape == TRIANGLE) oneTriangle(job, <i32>j + lane, to + lane, supportX, supportY);
          else oneCubic(job, <i32>j + lane, to + lane, shape);
        }
        continue;
      }
      const from = i32x4.shl(i32x4.sub(tapCols, firstCols), 2);
      const x = columnWeights + (j << 4);
      let values = totals(
        f32x4.mul(v128.load(line + <usize>i32x4.extract_lane(from, 0)), v128.load(x)),
        f32x4.mul(v128.load(line + <usize>i32x4.extract_lane(from, 1)), v128.load(x, 16)),
        f32x4.mul(v128.load(line + <usize>i32x4.extract_lane(from, 2)), v128.load(x, 32)),
        f32x4.mul(v128.load(line + <usize>i32x4.extract_lane(from, 3)), v128.load(x, 48)),
      );
      if (shape == TRIANGLE) {
        values = f32x4.mul(values, f32x4.div(f32x4.splat(1.0), f32x4.mul(v128.load(sums + (j << 2)), sumY)));
        numbers = v128.and(numbers, f32x4.eq(values, values));
      }
      v128.store(target + (to << 2), values);
      if (band == 0) store<u32>(targetMask + to, 0x01010101);
    }
    source += job.sourcePlaneBytes;
    target += job.targetPlaneBytes;
  }
  for (let j = whole; j < count; j++) {
    if (shape == TRIANGLE) oneTriangle(job, j, firstTo + <usize>j, supportX, supportY);
    else oneCubic(job, j, firstTo + <usize>j, shape);
  }
  return i32x4.all_true(numbers);
}
