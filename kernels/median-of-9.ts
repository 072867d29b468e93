import { paddedAt, paddedStride, repeatEdges } from "./padded-plane";
import { copyTaps } from "./unknown-taps";

/** Nine pixels of four windows. */
const TAPS = memory.data(9 * 16, 16);

/**
 * The median of the 3 × 3 pixels around each pixel of a padded plane; of an even number of known ones the mean of the
 * middle two. Unknown pixels stay unknown.
 */
export function medianOf9(from: usize, to: usize, width: i32, height: i32): void {
  const stride = paddedStride(width);
  for (let y: usize = 0; y < <usize>height; y++) {
    for (let x: usize = 0; x < <usize>width; x += 4) {
      const middle = paddedAt(from, width, x, y);
      const at = middle - ((stride + 1) << 2);
      const own = v128.load(middle);
      const isKnown = f32x4.eq(own, own);
      let median = own;
      if (!anyUnknown(at, stride << 2)) median = select9(at, stride << 2, 4);
      else if (v128.any_true(isKnown)) median = ofKnown(at, stride);
      v128.store(paddedAt(to, width, x, y), v128.bitselect(median, own, isKnown));
    }
  }
  repeatEdges(to, width, height);
}

// @ts-ignore: decorator
@inline function anyUnknown(at: usize, row: usize): bool {
  const sum = f32x4.add(f32x4.add(sum3(at), sum3(at + row)), sum3(at + 2 * row));
  // A sum is NaN if one of its parts is.
  return v128.any_true(f32x4.ne(sum, sum));
}

// @ts-ignore: decorator
@inline function sum3(at: usize): v128 {
  return f32x4.add(f32x4.add(v128.load(at), v128.load(at, 4)), v128.load(at, 8));
}

function ofKnown(at: usize, stride: usize): v128 {
  copyTaps(at, stride, 3, TAPS, true);
  const upper = select9(TAPS, 48, 16);
  copyTaps(at, stride, 3, TAPS, false);
  return f32x4.mul(f32x4.add(upper, select9(TAPS, 48, 16)), f32x4.splat(0.5));
}

/**
 * The median of nine pixels, `row` and `col` bytes apart: sorted in columns, it is the median of the highest of the
 * lows, the median of the middles, and the lowest of the highs.
 */
// @ts-ignore: decorator
@inline function select9(at: usize, row: usize, col: usize): v128 {
  const low0 = lowest(at, row);
  const low1 = lowest(at + col, row);
  const low2 = lowest(at + 2 * col, row);
  const low = f32x4.pmax(f32x4.pmax(low0, low1), low2);
  const middle = median3(middle3(at, row), middle3(at + col, row), middle3(at + 2 * col, row));
  const high0 = highest(at, row);
  const high1 = highest(at + col, row);
  const high2 = highest(at + 2 * col, row);
  const high = f32x4.pmin(f32x4.pmin(high0, high1), high2);
  return median3(low, middle, high);
}

// @ts-ignore: decorator
@inline function lowest(at: usize, row: usize): v128 {
  return f32x4.pmin(f32x4.pmin(v128.load(at), v128.load(at + row)), v128.load(at + 2 * row));
}

// @ts-ignore: decorator
@inline function highest(at: usize, row: usize): v128 {
  return f32x4.pmax(f32x4.pmax(v128.load(at), v128.load(at + row)), v128.load(at + 2 * row));
}

// @ts-ignore: decorator
@inline function middle3(at: usize, row: usize): v128 {
  return median3(v128.load(at), v128.load(at + row), v128.load(at + 2 * row));
}

// @ts-ignore: decorator
@inline export function median3(a: v128, b: v128, c: v128): v128 {
  return f32x4.pmax(f32x4.pmin(a, b), f32x4.pmin(f32x4.pmax(a, b), c));
}
