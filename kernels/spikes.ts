import { medianAt, medianOfTaps, sortColumns, TAPS, windowAt } from "./median-of-25";
import { paddedAt, paddedStride, repeatEdges } from "./padded-plane";
import { copyTaps, toDistances } from "./unknown-taps";

/**
 * Replaces pixels of a padded plane that are farther from the median of their 5 × 5 pixels than `slackM` plus `times`
 * the median of the distances from it, by that median. `columns` has room for six padded rows.
 */
export function removeSpikes(
  from: usize, to: usize, width: i32, height: i32, columns: usize, slackM: f32, times: f32,
): void {
  const stride = paddedStride(width);
  for (let y: usize = 0; y < <usize>height; y++) {
    sortColumns(from, width, y, columns);
    for (let x: usize = 0; x < <usize>width; x += 4) {
      const own = v128.load(paddedAt(from, width, x, y));
      v128.store(paddedAt(to, width, x, y), own);
      if (!v128.any_true(f32x4.eq(own, own))) continue;
      const median = medianAt(from, width, x, y, columns);
      const distance = f32x4.abs(f32x4.sub(own, median));
      if (!v128.any_true(f32x4.gt(distance, f32x4.splat(slackM)))) continue;
      const spread = medianDistance(windowAt(from, width, x, y), stride, median);
      const limit = f32x4.add(f32x4.mul(spread, f32x4.splat(times)), f32x4.splat(slackM));
      v128.store(paddedAt(to, width, x, y), v128.bitselect(median, own, f32x4.gt(distance, limit)));
    }
  }
  repeatEdges(to, width, height);
}

/** Medians of the distances of the pixels of four windows from their medians. */
function medianDistance(at: usize, stride: usize, median: v128): v128 {
  const anyUnknown = copyTaps(at, stride, 5, TAPS, true);
  toDistances(TAPS, 25, median);
  const upper = medianOfTaps();
  if (!anyUnknown) return upper;
  copyTaps(at, stride, 5, TAPS, false);
  toDistances(TAPS, 25, median);
  return f32x4.mul(f32x4.add(upper, medianOfTaps()), f32x4.splat(0.5));
}
