// Medians of windows in which heights are unknown (NaN), four windows at a time.

/**
 * Copies the pixels of a square window to `to`, 16 bytes each. The unknown ones become infinite, high and low in turns,
 * so that the median of all is one of the known. Of an even number of known ones it is the upper one of the middle two
 * if the first is high, the lower one if it is low. Returns whether any is unknown.
 */
export function copyTaps(at: usize, stride: usize, side: usize, to: usize, isFirstHigh: bool): bool {
  let any = i32x4.splat(0);
  let high = i32x4.splat(isFirstHigh ? -1 : 0);
  for (let row: usize = 0; row < side; row++, at += stride << 2) {
    for (let col: usize = 0; col < side; col++, to += 16) {
      const value = v128.load(at + (col << 2));
      const unknown = f32x4.ne(value, value);
      const infinite = v128.bitselect(f32x4.splat(Infinity), f32x4.splat(-Infinity), high);
      v128.store(to, v128.bitselect(infinite, value, unknown));
      high = v128.xor(high, unknown);
      any = v128.or(any, unknown);
    }
  }
  return v128.any_true(any);
}

/** Replaces the heights of copied pixels by their distances from a height; infinite ones stay as they are. */
export function toDistances(taps: usize, count: usize, from: v128): void {
  for (let i: usize = 0; i < count; i++, taps += 16) {
    const value = v128.load(taps);
    const isFinite = f32x4.lt(f32x4.abs(value), f32x4.splat(Infinity));
    v128.store(taps, v128.bitselect(f32x4.abs(f32x4.sub(value, from)), value, isFinite));
  }
}
