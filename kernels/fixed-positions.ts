import { colPartsOf, colsOf, parabola, rowPartsOf, rowsOf, spreadRow, toV, writeRowPositions } from "./row-positions";
import { CellPart, WarpJob } from "./warp-job";

/*
 * The positions of row-positions.ts in a fifth of the time, for methods whose values change smoothly with the position:
 * as integers with 32 binary digits after the point, in which a parabola takes two additions a pixel. Integers add up
 * without rounding, so a pixel gets the same position wherever its row begins. Columns are counted from the middle of
 * the cell, where the rounded curvature is multiplied by at most 128 * 129 / 2: positions are exact to 1e-6 pixels.
 */

/** One pixel. */
const UNIT: i64 = 1 << 32;
/** Positions have 31 binary digits before the point: half of them for the patch, the rest for where the window begins. */
const MAX_POSITION: f64 = 536870912.0;
/** How far the positions of a cell may spread; four by four taps go up to 512. */
const MAX_SPREAD: f64 = 131072.0;
/** Added to a smaller number, it leaves exactly 32 binary digits after the point. */
const ROUNDING: f64 = 1572864.0;

/**
 * Writes the positions of the pixels of target row `row` that lie in the cell, shifted by `shift` source pixels; `step`
 * is 1 / size of the cell. Returns whether the row is even: all positions and the next pixel of each lie in the window,
 * columns advance by one pixel at most, and rows only rise or only fall.
 */
export function writeFixedPositions(job: WarpJob, part: CellPart, row: i32, step: f64, shift: f64): bool {
  if (!isFixedRow(part, row, step)) {
    writeRowPositions(job, part, row, shift);
    return false;
  }
  const v = toV(part, row, step);
  const cols = writeAxis(part, part.patch, v, step, shift, job.windowCol, job.windowWidth, colsOf(job), colPartsOf(job));
  const rows = writeAxis(
    part, part.patch + 72, v, step, shift, job.windowRow, job.windowHeight, rowsOf(job), rowPartsOf(job),
  );
  return cols == ADVANCING && rows != UNEVEN;
}

/** Writes the row of the source in which all pixels of a row of an upright cell lie (upright-rows.ts); it fits. */
export function writeFixedRow(job: WarpJob, part: CellPart, row: i32, step: f64, shift: f64): void {
  const middle = parabola(part.patch + 72, toV(part, row, step)) + shift;
  const position = toPosition(middle, job.windowRow);
  spreadRow(job, part, <i32>(position >> 32), <f32>(<i32>(<u32>position >> 8)) * PART);
}

/**
 * Writes the columns and rows of the source pixels in which the positions of a row lie. Returns false if a position is so
 * close to the edge of a pixel that its rounding could decide on the wrong side, or if it does not fit: the caller then
 * computes the row anew.
 */
export function writeFixedWholes(job: WarpJob, part: CellPart, row: i32, shift: f64): bool {
  const step = 1.0 / <f64>part.size;
  if (!isFixedRow(part, row, step)) return false;
  const v = toV(part, row, step);
  return (
    writeWholes(part, part.patch, v, step, shift, job.windowCol, colsOf(job)) &&
    writeWholes(part, part.patch + 72, v, step, shift, job.windowRow, rowsOf(job))
  );
}

/** Whether the positions of a row fit into the integers, of columns and of rows. */
// @ts-ignore: decorator
@inline export function isFixedRow(part: CellPart, row: i32, step: f64): bool {
  const v = toV(part, row, step);
  return isFixed(part.patch, v) && isFixed(part.patch + 72, v);
}

/** Whether the positions of a row fit into the integers; it depends on the cell alone, so tiles agree on it. */
// @ts-ignore: decorator
@inline function isFixed(coefficients: usize, v: f64): bool {
  return (
    abs(parabola(coefficients, v)) < MAX_POSITION &&
    abs(parabola(coefficients + 24, v)) < MAX_SPREAD &&
    abs(parabola(coefficients + 48, v)) < MAX_SPREAD
  );
}

/** Positions leave the window, or turn back. */
const UNEVEN = 0;
/** They only rise or only fall. */
const MONOTONIC = 1;
/** They rise, by at most a pixel at a time. */
const ADVANCING = 2;

function writeAxis(
  part: CellPart, coefficients: usize, v: f64, step: f64, shift: f64, origin: i32, length: i32, wholes: usize, parts: usize,
): i32 {
  return putAxis(part, coefficients, v, step, shift, origin, length, wholes, parts, false);
}

function writeWholes(
  part: CellPart, coefficients: usize, v: f64, step: f64, shift: f64, origin: i32, wholes: usize,
): bool {
  return putAxis(part, coefficients, v, step, shift, origin, 0, wholes, 0, true) != UNEVEN;
}

/** Positions this close to the edge of a pixel, in units of 2 to the power of -32, may lie on its other side. */
const EDGE = 1 << 14;

/**
 * With m columns from the middle of the cell, the position is start + slope * m + bend * m (m + 1) / 2. It grows by
 * 4 * slope + bend * (4 * m + 10) in four columns. With `isNear` no fractions are written, and positions at an edge are
 * uneven.
 */
// @ts-ignore: decorator
@inline function putAxis(
  part: CellPart, coefficients: usize, v: f64, step: f64, shift: f64, origin: i32, length: i32, wholes: usize, parts: usize,
  isNear: bool,
): i32 {
  const b = parabola(coefficients + 24, v);
  const c = parabola(coefficients + 48, v);
  // A cell of a single column has none on the left.
  const half = part.size >> 1;
  const slope = toFixed((b + 2.0 * c * step * <f64>half) * step);
  const bend = toFixed(2.0 * c * step * step);
  const u = (<f64>half + 0.5) * step;
  const middle = parabola(coefficients, v) + shift + u * (b + u * c);
  const start = toPosition(middle, origin);

  const count = part.maxCol - part.minCol;
  const m = <i64>(part.minCol - part.col - half);
  const first = positionAt(m, start, slope, bend);
  const next = slope + bend * (m + 1);
  const third = first + 2 * next + bend;
  let p0 = i64x2.replace_lane(i64x2.splat(first), 1, first + next);
  let p1 = i64x2.replace_lane(i64x2.splat(third), 1, third + next + 2 * bend);
  const growth = 4 * slope + bend * (4 * m + 10);
  let d0 = i64x2.replace_lane(i64x2.splat(growth), 1, growth + 4 * bend);
  let d1 = i64x2.add(d0, i64x2.splat(8 * bend));
  const bends = i64x2.splat(16 * bend);
  const scale = f32x4.splat(PART);
  // Past the end of the row it writes up to three unused positions.
  const end = wholes + (<usize>count << 2);
  let edges = i32x4.splat(0);
  for (; wholes < end; wholes += 16, parts += 16) {
    v128.store(wholes, v128.shuffle<i32>(p0, p1, 1, 3, 5, 7));
    const fractions = v128.shuffle<i32>(p0, p1, 0, 2, 4, 6);
    if (isNear) {
      edges = v128.or(edges, i32x4.lt_u(i32x4.add(fractions, i32x4.splat(EDGE)), i32x4.splat(2 * EDGE)));
    } else {
      v128.store(parts, f32x4.mul(f32x4.convert_i32x4_s(i32x4.shr_u(fractions, 8)), scale));
    }
    p0 = i64x2.add(p0, d0);
    p1 = i64x2.add(p1, d1);
    d0 = i64x2.add(d0, bends);
    d1 = i64x2.add(d1, bends);
  }
  if (isNear) return v128.any_true(edges) ? UNEVEN : MONOTONIC;

  const last = positionAt(m + <i64>(count - 1), start, slope, bend);
  const limit = <u64>(length - 1) << 32;
  if (<u64>first >= limit || <u64>last >= limit) return UNEVEN;
  // The advance changes evenly along the row, so its ends bound it.
  const lastNext = slope + bend * (m + <i64>(count - 1));
  if (min(next, lastNext) >= 0 && max(next, lastNext) <= UNIT) return ADVANCING;
  return (next ^ lastNext) >= 0 ? MONOTONIC : UNEVEN;
}

/** 24 bits of a fraction are what a float32 holds: one of their steps. */
const PART: f32 = <f32>(1.0 / 16777216.0);

/** A position in the source image, counted from where the window begins. */
// @ts-ignore: decorator
@inline function toPosition(at: f64, origin: i32): i64 {
  const whole = floor(at);
  return ((<i64>whole - <i64>origin) << 32) + toFixed(at - whole);
}

// @ts-ignore: decorator
@inline function positionAt(m: i64, start: i64, slope: i64, bend: i64): i64 {
  return start + slope * m + bend * ((m * (m + 1)) >> 1);
}

// @ts-ignore: decorator
@inline function toFixed(pixels: f64): i64 {
  return reinterpret<i64>(pixels + ROUNDING) - reinterpret<i64>(ROUNDING);
}
