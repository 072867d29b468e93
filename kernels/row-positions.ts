import { CellPart, WarpJob } from "./warp-job";

/*
 * Source positions of one row of a cell, in scratch memory: whole columns and rows (relative to the window) as int32,
 * the fractions as float32. The sum is computed in float64 and split afterwards, so the split does not depend on where
 * the window begins: tiles with different windows get the same positions, to the bit.
 */

/** Cells are at most 256 pixels wide (FIRST_CELL_PX in src/proj/approximate-grid.ts). */
const STRIDE: usize = 256 * 4;

// @ts-ignore: decorator
@inline export function colsOf(job: WarpJob): usize { return job.scratch; }
// @ts-ignore: decorator
@inline export function rowsOf(job: WarpJob): usize { return job.scratch + STRIDE; }
// @ts-ignore: decorator
@inline export function colPartsOf(job: WarpJob): usize { return job.scratch + 2 * STRIDE; }
// @ts-ignore: decorator
@inline export function rowPartsOf(job: WarpJob): usize { return job.scratch + 3 * STRIDE; }
/** Room for four weights of each column, and for their sums (upright-rows.ts). */
// @ts-ignore: decorator
@inline export function columnWeightsOf(job: WarpJob): usize { return job.scratch + 4 * STRIDE; }
// @ts-ignore: decorator
@inline export function columnSumsOf(job: WarpJob): usize { return job.scratch + 8 * STRIDE; }
/** Room for a row of the source. */
// @ts-ignore: decorator
@inline export function lineOf(job: WarpJob): usize { return job.scratch + 9 * STRIDE; }
/** So many of its pixels: four by four taps are for pixels that are at most twice as large, and positions curve little. */
export const LONGEST_LINE: i32 = 768;
/** Free for the weights of a kernel: as many bytes as src/raster/warp.ts allocates. */
// @ts-ignore: decorator
@inline export function weightsOf(job: WarpJob): usize { return job.scratch + 12 * STRIDE; }

/** Where a row lies in its cell, from 0 to 1. */
// @ts-ignore: decorator
@inline export function toV(part: CellPart, row: i32, step: f64): f64 {
  return (<f64>(row - part.row) + 0.5) * step;
}

/** Writes the positions of the pixels of target row `row` that lie in the cell, shifted by `shift` source pixels. */
export function writeRowPositions(job: WarpJob, part: CellPart, row: i32, shift: f64): void {
  writeRow(job, part, row, shift, true);
}

/** The same without the fractions, which nearest neighbours do not need. */
export function writeRowWholes(job: WarpJob, part: CellPart, row: i32, shift: f64): void {
  writeRow(job, part, row, shift, false);
}

/** Writes the row of the source in which all pixels of a row of an upright cell lie (upright-rows.ts). */
export function writeUprightRow(job: WarpJob, part: CellPart, row: i32, shift: f64): void {
  const step = 1.0 / <f64>part.size;
  const v = toV(part, row, step);
  writeAxis(part.patch + 72, v, 0.5, step, 1, shift, job.windowRow, rowsOf(job), rowPartsOf(job));
  spreadRow(job, part, load<i32>(rowsOf(job)), load<f32>(rowPartsOf(job)));
}

/** Writes one row of the source, and a fraction, for all pixels of a row of a cell. */
export function spreadRow(job: WarpJob, part: CellPart, sourceRow: i32, fraction: f32): void {
  const rows = i32x4.splat(sourceRow);
  const fractions = f32x4.splat(fraction);
  const end = rowsOf(job) + (<usize>(part.maxCol - part.minCol) << 2);
  let toPart = rowPartsOf(job);
  for (let to = rowsOf(job); to < end; to += 16, toPart += 16) {
    v128.store(to, rows);
    v128.store(toPart, fractions);
  }
}

// @ts-ignore: decorator
@inline function writeRow(job: WarpJob, part: CellPart, row: i32, shift: f64, hasParts: bool): void {
  const step = 1.0 / <f64>part.size;
  const v = toV(part, row, step);
  const start = <f64>(part.minCol - part.col) + 0.5;
  const count = part.maxCol - part.minCol;
  writeAxis(part.patch, v, start, step, count, shift, job.windowCol, colsOf(job), hasParts ? colPartsOf(job) : 0);
  writeAxis(part.patch + 72, v, start, step, count, shift, job.windowRow, rowsOf(job), hasParts ? rowPartsOf(job) : 0);
}

/**
 * 1.5 times 2 to the power of 52: the lowest 32 bits of its sum with a whole number are those of the int32. With the
 * bounds of an int32 before it, this is a third of the instructions that a conversion takes.
 */
const TO_INT: f64 = 6755399441055744.0;
const INT_MIN: f64 = -2147483648.0;
const INT_MAX: f64 = 2147483647.0;

/** No fractions are written if `parts` is 0. */
// @ts-ignore: decorator
@inline function writeAxis(
  coefficients: usize, v: f64, start: f64, step: f64, count: i32, shift: f64, origin: i32, wholes: usize, parts: usize,
): void {
  const a = f64x2.splat(parabola(coefficients, v) + shift);
  const b = f64x2.splat(parabola(coefficients + 24, v));
  const c = f64x2.splat(parabola(coefficients + 48, v));
  const steps = f64x2.splat(step);
  const origins = i32x4.splat(origin);
  let cols = f64x2.replace_lane(f64x2.splat(start), 1, start + 1.0);
  const two = f64x2.splat(2.0);
  // Past the end of the row it writes up to three unused positions.
  for (let i = 0; i < count; i += 4) {
    const u0 = f64x2.mul(cols, steps);
    const x0 = f64x2.add(a, f64x2.mul(u0, f64x2.add(b, f64x2.mul(u0, c))));
    cols = f64x2.add(cols, two);
    const u1 = f64x2.mul(cols, steps);
    const x1 = f64x2.add(a, f64x2.mul(u1, f64x2.add(b, f64x2.mul(u1, c))));
    cols = f64x2.add(cols, two);
    const whole0 = f64x2.floor(x0);
    const whole1 = f64x2.floor(x1);
    const whole = v128.shuffle<i32>(toInts(whole0), toInts(whole1), 0, 2, 4, 6);
    v128.store(wholes + (<usize>i << 2), i32x4.sub(whole, origins));
    if (parts == 0) continue;
    const part = v128.shuffle<i64>(
      f32x4.demote_f64x2_zero(f64x2.sub(x0, whole0)), f32x4.demote_f64x2_zero(f64x2.sub(x1, whole1)), 0, 2,
    );
    v128.store(parts + (<usize>i << 2), part);
  }
}

/** Whole numbers as int32 in the lower half of each lane. */
// @ts-ignore: decorator
@inline function toInts(wholes: v128): v128 {
  const inside = f64x2.pmax(f64x2.splat(INT_MIN), f64x2.pmin(f64x2.splat(INT_MAX), wholes));
  return f64x2.add(inside, f64x2.splat(TO_INT));
}

/** A coefficient of the row: three of the patch at v. */
// @ts-ignore: decorator
@inline export function parabola(coefficients: usize, v: f64): f64 {
  return load<f64>(coefficients) + v * (load<f64>(coefficients, 8) + v * load<f64>(coefficients, 16));
}
