import { averagePixel } from "./average";
import { extremePixel } from "./extreme";
import { beginRow, findFootprint } from "./footprint";
import { beginMode, modePixel } from "./mode";
import { quantilePixel } from "./quantile";
import { cellPart, WarpJob } from "./warp-job";

/* The methods that use all source pixels under a target pixel. A target pixel has a value when any of them has. */
const AVERAGE: i32 = 0;
const MODE: i32 = 1;
const MAX: i32 = 2;
const MIN: i32 = 3;
const QUANTILE: i32 = 4;

/** The mean weighted by area. */
export function average(job: WarpJob): void {
  eachFootprint(job, AVERAGE, 0.0);
}

/** The most frequent value. */
export function mode(job: WarpJob): void {
  beginMode();
  eachFootprint(job, MODE, 0.0);
}

/** The largest value. */
export function largest(job: WarpJob): void {
  eachFootprint(job, MAX, 0.0);
}

/** The smallest value. */
export function smallest(job: WarpJob): void {
  eachFootprint(job, MIN, 0.0);
}

/** The median. */
export function med(job: WarpJob): void {
  eachFootprint(job, QUANTILE, 0.5);
}

/** The first quartile. */
export function q1(job: WarpJob): void {
  eachFootprint(job, QUANTILE, 0.25);
}

/** The third quartile. */
export function q3(job: WarpJob): void {
  eachFootprint(job, QUANTILE, 0.75);
}

function eachFootprint(job: WarpJob, method: i32, part: f32): void {
  for (let i = 0; i < job.cellCount; i++) {
    const cell = cellPart(job, i);
    for (let row = cell.minRow; row < cell.maxRow; row++) {
      beginRow(cell, row);
      let to = <usize>(row * job.targetWidth + cell.minCol);
      for (let col = cell.minCol; col < cell.maxCol; col++, to++) {
        if ((job.wanted != 0 && load<u8>(job.wanted + to) == 0) || !findFootprint(job, cell, col)) continue;
        if (method == AVERAGE) averagePixel(job, to);
        else if (method == MODE) modePixel(job, to);
        else if (method == MAX) extremePixel(job, to, 1.0);
        else if (method == MIN) extremePixel(job, to, -1.0);
        else quantilePixel(job, to, part);
      }
    }
  }
}
