/**
 * Lee's filter (1980) for the speckle of radar, on amplitudes of a window, in the intensities that they are the roots of:
 * each pixel moves towards the mean of the pixels around it, all the way where they vary no more than speckle does, and
 * hardly where they vary much more: edges and single bright objects stay.
 *
 * `mask` has a byte a pixel, 0 without data; it is 0 itself if all have data. `noise` is the squared variation of speckle,
 * 1 / looks. The part of `toWidth` × `toHeight` pixels from (`left`, `top`) on is written. `columns` are three float64 for
 * each column. Sums are made anew for every row, in one order, so that a pixel does not depend on the window it is in.
 */
export function filterSpeckle(
  from: usize, mask: usize, width: i32, height: i32,
  left: i32, top: i32, toWidth: i32, toHeight: i32, to: usize,
  columns: usize, radius: i32, noise: f64,
): void {
  for (let y = top; y < top + toHeight; y++) {
    const firstRow = max(0, y - radius);
    const endRow = min(height, y + radius + 1);
    const firstColumn = max(0, left - radius);
    const endColumn = min(width, left + toWidth + radius);
    for (let x = firstColumn; x < endColumn; x++) sumColumn(from, mask, width, firstRow, endRow, x, columns);
    for (let x = left; x < left + toWidth; x++) {
      const at = <usize>y * <usize>width + <usize>x;
      const target = to + ((<usize>(y - top) * <usize>toWidth + <usize>(x - left)) << 2);
      const own = load<f32>(from + (at << 2));
      if (mask != 0 && load<u8>(mask + at) == 0) {
        store<f32>(target, own);
        continue;
      }
      let count: f64 = 0, sum: f64 = 0, squares: f64 = 0;
      const end = min(width, x + radius + 1);
      for (let column = max(0, x - radius); column < end; column++) {
        const sums = columns + <usize>column * 24;
        count += load<f64>(sums);
        sum += load<f64>(sums, 8);
        squares += load<f64>(sums, 16);
      }
      const mean = sum / count;
      const variance = squares / count - mean * mean;
      // The variance of what is below the speckle, as a share of all there is.
      let share: f64 = 0;
      if (variance > 0) share = max(0, (variance - mean * mean * noise) / (1 + noise) / variance);
      const intensity = <f64>own * <f64>own;
      store<f32>(target, <f32>Math.sqrt(max(0, mean + share * (intensity - mean))));
    }
  }
}

// @ts-ignore: decorator
@inline function sumColumn(
  from: usize, mask: usize, width: i32, firstRow: i32, endRow: i32, x: i32, columns: usize,
): void {
  let count: f64 = 0, sum: f64 = 0, squares: f64 = 0;
  for (let row = firstRow; row < endRow; row++) {
    const at = <usize>row * <usize>width + <usize>x;
    if (mask != 0 && load<u8>(mask + at) == 0) continue;
    const value = <f64>load<f32>(from + (at << 2));
    const intensity = value * value;
    count += 1;
    sum += intensity;
    squares += intensity * intensity;
  }
  const sums = columns + <usize>x * 24;
  store<f64>(sums, count);
  store<f64>(sums, sum, 8);
  store<f64>(sums, squares, 16);
}
