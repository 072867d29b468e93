import { cubicFourRow } from "./cubic-four";
import { CUBIC, LANCZOS, SPLINE } from "./kernel-shape";
import { writeRowPositions } from "./row-positions";
import { cubicFourUpright, isUpright } from "./upright-rows";
import { cellPart, isRowWanted, WarpJob } from "./warp-job";
import { wideRow } from "./wide-row";

/** Cubic convolution; when downsampling the kernel widens with the target pixels. */
export function cubic(job: WarpJob): void {
  convolve(job, CUBIC);
}

/** The cubic B-spline, widened likewise. */
export function cubicspline(job: WarpJob): void {
  convolve(job, SPLINE);
}

/** Lanczos' windowed sinc, widened likewise. */
export function lanczos(job: WarpJob): void {
  convolve(job, LANCZOS);
}

function convolve(job: WarpJob, shape: i32): void {
  for (let i = 0; i < job.cellCount; i++) {
    const part = cellPart(job, i);
    const supportX = <f32>load<f64>(job.supports + (<usize>i << 4));
    const supportY = <f32>load<f64>(job.supports + (<usize>i << 4), 8);
    const isFour = shape != LANCZOS && supportX == 2.0 && supportY == 2.0;
    if (isFour && isUpright(part)) {
      cubicFourUpright(job, part, shape);
      continue;
    }
    for (let row = part.minRow; row < part.maxRow; row++) {
      if (!isRowWanted(job, part, row)) continue;
      writeRowPositions(job, part, row, -0.5);
      if (isFour) cubicFourRow(job, part, row, shape);
      else wideRow(job, part, row, supportX, supportY, shape);
    }
  }
}
