import { colsOf, rowsOf } from "./row-positions";
import { WarpJob } from "./warp-job";

/*
 * Kernels of four by four taps: the common part of bilinear-four.ts and cubic-four.ts. Lanes are the four source pixels
 * of a row until the last step, which adds up four target pixels at once.
 */

/** Index of the upper left of the sixteen taps of a pixel, or -1 when one of them is missing. */
// @ts-ignore: decorator
@inline export function firstTap(job: WarpJob, j: i32): i32 {
  const col = load<i32>(colsOf(job) + (<usize>j << 2)) - 1;
  const row = load<i32>(rowsOf(job) + (<usize>j << 2)) - 1;
  const width = job.windowWidth;
  if (col < 0 || col + 4 > width || row < 0 || row + 4 > job.windowHeight) return -1;
  const from = row * width + col;
  return job.sourceMask == 0 || hasTaps(job, from) ? from : -1;
}

/** Whether the sixteen taps from an index on are data, in a window with a mask. */
// @ts-ignore: decorator
@inline export function hasTaps(job: WarpJob, from: i32): bool {
  const m = job.sourceMask + <usize>from;
  const stride = <usize>job.windowWidth;
  const data = load<u32>(m) & load<u32>(m + stride) & load<u32>(m + 2 * stride) & load<u32>(m + 3 * stride);
  return (data & 0x01010101) == 0x01010101;
}

/** Whether all taps of four pixels are data, in a window with a mask. */
// @ts-ignore: decorator
@inline export function hasAllTaps(job: WarpJob, from: v128): bool {
  return (
    hasTaps(job, i32x4.extract_lane(from, 0)) &&
    hasTaps(job, i32x4.extract_lane(from, 1)) &&
    hasTaps(job, i32x4.extract_lane(from, 2)) &&
    hasTaps(job, i32x4.extract_lane(from, 3))
  );
}

/**
 * Whether none of four pixels has data under its centre, in a window with a mask: then they stay empty. Their taps from
 * indexes on are in the window; `x` and `y` are the fractions of their positions.
 */
// @ts-ignore: decorator
@inline export function isUnknown(job: WarpJob, from: v128, x: v128, y: v128): bool {
  const half = f32x4.splat(0.5);
  const stride = i32x4.splat(job.windowWidth);
  // A comparison that holds is -1. The centre is the second tap, or the one after it.
  const rows = v128.and(f32x4.ge(y, half), stride);
  const centres = i32x4.sub(i32x4.add(i32x4.add(from, rows), i32x4.add(stride, i32x4.splat(1))), f32x4.ge(x, half));
  const mask = job.sourceMask;
  const found =
    load<u8>(mask + <usize>i32x4.extract_lane(centres, 0)) | load<u8>(mask + <usize>i32x4.extract_lane(centres, 1)) |
    load<u8>(mask + <usize>i32x4.extract_lane(centres, 2)) | load<u8>(mask + <usize>i32x4.extract_lane(centres, 3));
  return (found & 1) == 0;
}

/** Four columns of four taps, each summed with the weights of the rows. */
// @ts-ignore: decorator
@inline export function column(source: usize, rowBytes: usize, y: v128): v128 {
  const upper = f32x4.add(
    f32x4.mul(v128.load(source), v128.shuffle<f32>(y, y, 0, 0, 0, 0)),
    f32x4.mul(v128.load(source + rowBytes), v128.shuffle<f32>(y, y, 1, 1, 1, 1)),
  );
  const lower = f32x4.add(
    f32x4.mul(v128.load(source + 2 * rowBytes), v128.shuffle<f32>(y, y, 2, 2, 2, 2)),
    f32x4.mul(v128.load(source + 3 * rowBytes), v128.shuffle<f32>(y, y, 3, 3, 3, 3)),
  );
  return f32x4.add(upper, lower);
}

/** The same with the weights of the rows in memory, 16 bytes from one to the next. */
// @ts-ignore: decorator
@inline export function columnBy(source: usize, rowBytes: usize, weights: usize): v128 {
  return columnWith(
    source, rowBytes,
    v128.load32_splat(weights), v128.load32_splat(weights, 16), v128.load32_splat(weights, 32), v128.load32_splat(weights, 48),
  );
}

/** The same with the weight of a row in all lanes. */
// @ts-ignore: decorator
@inline export function columnWith(source: usize, rowBytes: usize, y0: v128, y1: v128, y2: v128, y3: v128): v128 {
  const upper = f32x4.add(
    f32x4.mul(v128.load(source), y0),
    f32x4.mul(v128.load(source + rowBytes), y1),
  );
  const lower = f32x4.add(
    f32x4.mul(v128.load(source + 2 * rowBytes), y2),
    f32x4.mul(v128.load(source + 3 * rowBytes), y3),
  );
  return f32x4.add(upper, lower);
}

/** The totals of four vectors, each in the order of `total`. */
// @ts-ignore: decorator
@inline export function totals(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = f32x4.add(v128.shuffle<f32>(a, b, 0, 1, 4, 5), v128.shuffle<f32>(a, b, 2, 3, 6, 7));
  const cd = f32x4.add(v128.shuffle<f32>(c, d, 0, 1, 4, 5), v128.shuffle<f32>(c, d, 2, 3, 6, 7));
  return f32x4.add(v128.shuffle<f32>(ab, cd, 0, 2, 4, 6), v128.shuffle<f32>(ab, cd, 1, 3, 5, 7));
}
