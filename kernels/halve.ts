/*
 * The smaller copy of an image whose sides are even: each pixel is the mean of four that hold data. `hole` is the value
 * of pixels without data, or NaN when there is none; `empty` is the pixel where none of the four has data, and
 * `substitute` the one for a mean that happens to equal `hole`. `to` has `cols` × `rows` pixels, and `from` twice as many
 * of each. Sums and quotients are float64, added row by row: the same bits as src/formats/cog/row-reducer.ts.
 */

/** NaN is never data. Reads and writes nothing outside of both images. */
export function halveFloats(
  from: usize, to: usize, cols: u32, rows: u32, hole: f32, empty: f32, substitute: f32,
): void {
  const rowBytes = <usize>cols << 3;
  for (let row: u32 = 0; row < rows; row++, from += 2 * rowBytes, to += <usize>cols << 2) {
    let i: usize = 0;
    for (; i + 2 <= <usize>cols; i += 2) {
      const upper = from + (i << 3);
      v128.store64_lane(to + (i << 2), twoMeans(v128.load(upper), v128.load(upper + rowBytes), hole, empty, substitute), 0);
    }
    if (i < <usize>cols) {
      const upper = from + (i << 3);
      const mean = twoMeans(v128.load64_zero(upper), v128.load64_zero(upper + rowBytes), hole, empty, substitute);
      v128.store32_lane(to + (i << 2), mean, 0);
    }
  }
}

/** The means of two times four floats, in the lower half. */
// @ts-ignore: decorator
@inline function twoMeans(upper: v128, lower: v128, hole: f32, empty: f32, substitute: f32): v128 {
  const holes = f32x4.splat(hole);
  const upperHas = v128.and(f32x4.eq(upper, upper), f32x4.ne(upper, holes));
  const lowerHas = v128.and(f32x4.eq(lower, lower), f32x4.ne(lower, holes));
  let mean: v128;
  if (i32x4.all_true(v128.and(upperHas, lowerHas))) {
    mean = f64x2.mul(sumOf(upper, lower), f64x2.splat(0.25));
  } else {
    const sums = sumOf(v128.and(upper, upperHas), v128.and(lower, lowerHas));
    // all bits are -1
    const has = i32x4.neg(i32x4.add(upperHas, lowerHas));
    const counts = i32x4.add(has, i32x4.shuffle(has, has, 1, 0, 3, 2));
    mean = f64x2.div(sums, f64x2.convert_low_i32x4_s(i32x4.shuffle(counts, counts, 0, 2, 0, 2)));
    const none = i32x4.eq(i32x4.shuffle(counts, counts, 0, 2, 0, 2), i32x4.splat(0));
    const pixels = f32x4.demote_f64x2_zero(mean);
    const known = v128.bitselect(f32x4.splat(substitute), pixels, f32x4.eq(pixels, holes));
    return v128.bitselect(f32x4.splat(empty), known, none);
  }
  const pixels = f32x4.demote_f64x2_zero(mean);
  return v128.bitselect(f32x4.splat(substitute), pixels, f32x4.eq(pixels, holes));
}

// @ts-ignore: decorator
@inline function sumOf(upper: v128, lower: v128): v128 {
  const a = f64x2.promote_low_f32x4(i32x4.shuffle(upper, upper, 0, 2, 0, 2));
  const b = f64x2.promote_low_f32x4(i32x4.shuffle(upper, upper, 1, 3, 1, 3));
  const c = f64x2.promote_low_f32x4(i32x4.shuffle(lower, lower, 0, 2, 0, 2));
  const d = f64x2.promote_low_f32x4(i32x4.shuffle(lower, lower, 1, 3, 1, 3));
  // zero first: the mean of negative zeros is zero
  return f64x2.add(f64x2.add(f64x2.add(f64x2.add(f64x2.splat(0), a), b), c), d);
}

/** Samples of integers: 1 and 2 bytes, signed if negative. Halves are rounded away from zero. */
export function halveIntegers(
  sampleBytes: i32, from: usize, to: usize, cols: u32, rows: u32, hasHole: bool, hole: i32, empty: i32, substitute: i32,
): void {
  if (sampleBytes == 1) halveSamples<u8>(from, to, cols, rows, hasHole, hole, empty, substitute);
  else if (sampleBytes == 2) halveSamples<u16>(from, to, cols, rows, hasHole, hole, empty, substitute);
  else halveSamples<i16>(from, to, cols, rows, hasHole, hole, empty, substitute);
}

// @ts-ignore: decorator
@inline function halveSamples<T>(
  from: usize, to: usize, cols: u32, rows: u32, hasHole: bool, hole: i32, empty: i32, substitute: i32,
): void {
  const bytes = sizeof<T>();
  const rowBytes = 2 * <usize>cols * bytes;
  for (let row: u32 = 0; row < rows; row++, from += rowBytes) {
    for (let i: u32 = 0; i < cols; i++, from += 2 * bytes, to += bytes) {
      const a = <i32>load<T>(from);
      const b = <i32>load<T>(from, sizeof<T>());
      const c = <i32>load<T>(from + rowBytes);
      const d = <i32>load<T>(from + rowBytes, sizeof<T>());
      let mean: i32;
      if (!hasHole || (a != hole && b != hole && c != hole && d != hole)) {
        const sum = a + b + c + d;
        mean = sum < 0 ? -((2 - sum) >> 2) : (sum + 2) >> 2;
      } else {
        const sum = (a == hole ? 0 : a) + (b == hole ? 0 : b) + (c == hole ? 0 : c) + (d == hole ? 0 : d);
        const count = i32(a != hole) + i32(b != hole) + i32(c != hole) + i32(d != hole);
        if (count == 0) {
          store<T>(to, <T>empty);
          continue;
        }
        mean = sum < 0 ? -((count - 2 * sum) / (2 * count)) : (2 * sum + count) / (2 * count);
      }
      store<T>(to, <T>(hasHole && mean == hole ? substitute : mean));
    }
  }
}
