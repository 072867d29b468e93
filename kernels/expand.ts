/*
 * Converts rows of stored samples to rows of float32, and finds where they are empty. `type` is the index of the sample
 * type in src/raster/window-plane.ts. `cols` and `rows` count samples; strides are samples from one row to the next.
 */

/**
 * Writes the rows as float32 and returns 1 when a sample is NaN or, if `hasNodata`, equals `nodata`, which the type
 * must then be able to hold. Samples of 64-bit integers come as float64 already.
 */
export function expand(
  type: i32, from: usize, fromStride: i32, to: usize, toStride: i32, cols: i32, rows: i32, hasNodata: i32, nodata: f64,
): i32 {
  let found = false;
  for (let row = 0; row < rows; row++) {
    const target = to + (<usize>(row * toStride) << 2);
    const at = <usize>(row * fromStride);
    let inRow = false;
    switch (type) {
      case 0: inRow = bytesRow(from + at, target, cols, hasNodata != 0, nodata); break;
      case 1: inRow = wordsRow<u16>(from + (at << 1), target, cols, hasNodata != 0, nodata); break;
      case 2: inRow = wordsRow<i16>(from + (at << 1), target, cols, hasNodata != 0, nodata); break;
      case 3: inRow = floatsRow(from + (at << 2), target, cols, hasNodata != 0, nodata); break;
      case 4: inRow = plainRow<i8>(from + at, target, 0, cols, hasNodata != 0, nodata); break;
      case 5: inRow = plainRow<u32>(from + (at << 2), target, 0, cols, hasNodata != 0, nodata); break;
      case 6: inRow = plainRow<i32>(from + (at << 2), target, 0, cols, hasNodata != 0, nodata); break;
      default: inRow = plainRow<f64>(from + (at << 3), target, 0, cols, hasNodata != 0, nodata);
    }
    found = found || inRow;
  }
  return i32(found);
}

/** Writes a zero into the mask for every sample that `expand` would count as empty, and nothing elsewhere. */
export function maskEmpty(
  type: i32, from: usize, fromStride: i32, mask: usize, maskStride: i32, cols: i32, rows: i32, hasNodata: i32, nodata: f64,
): void {
  for (let row = 0; row < rows; row++) {
    const target = mask + <usize>(row * maskStride);
    const at = <usize>(row * fromStride);
    switch (type) {
      case 0: maskBytes(from + at, target, cols, hasNodata != 0, nodata); break;
      case 1: maskWords<u16>(from + (at << 1), target, cols, hasNodata != 0, nodata); break;
      case 2: maskWords<i16>(from + (at << 1), target, cols, hasNodata != 0, nodata); break;
      case 3: plainRow<f32>(from + (at << 2), 0, target, cols, hasNodata != 0, nodata); break;
      case 4: plainRow<i8>(from + at, 0, target, cols, hasNodata != 0, nodata); break;
      case 5: plainRow<u32>(from + (at << 2), 0, target, cols, hasNodata != 0, nodata); break;
      case 6: plainRow<i32>(from + (at << 2), 0, target, cols, hasNodata != 0, nodata); break;
      default: plainRow<f64>(from + (at << 3), 0, target, cols, hasNodata != 0, nodata);
    }
  }
}

/** Sixteen bytes at a time. */
function maskBytes(from: usize, mask: usize, cols: i32, hasNodata: bool, nodata: f64): void {
  if (!hasNodata) return;
  const empty = i8x16.splat(<i8><u8>nodata);
  let i = 0;
  for (; i + 16 <= cols; i += 16, from += 16, mask += 16) {
    v128.store(mask, v128.andnot(v128.load(mask), i8x16.eq(v128.load(from), empty)));
  }
  plainRow<u8>(from, 0, mask, cols - i, hasNodata, nodata);
}

/** Sixteen words at a time. */
function maskWords<T>(from: usize, mask: usize, cols: i32, hasNodata: bool, nodata: f64): void {
  if (!hasNodata) return;
  const empty = i16x8.splat(<i16><T>nodata);
  let i = 0;
  for (; i + 16 <= cols; i += 16, from += 32, mask += 16) {
    const low = i16x8.eq(v128.load(from), empty);
    const high = i16x8.eq(v128.load(from, 16), empty);
    v128.store(mask, v128.andnot(v128.load(mask), i8x16.narrow_i16x8_s(low, high)));
  }
  plainRow<T>(from, 0, mask, cols - i, hasNodata, nodata);
}

/** Sixteen bytes at a time. */
function bytesRow(from: usize, to: usize, cols: i32, hasNodata: bool, nodata: f64): bool {
  const empty = i8x16.splat(hasNodata ? <i8><u8>nodata : 0);
  let equal = i8x16.splat(0);
  let i = 0;
  for (; i + 16 <= cols; i += 16, from += 16, to += 64) {
    const bytes = v128.load(from);
    equal = v128.or(equal, i8x16.eq(bytes, empty));
    const low = i16x8.extend_low_i8x16_u(bytes);
    const high = i16x8.extend_high_i8x16_u(bytes);
    v128.store(to, f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_u(low)));
    v128.store(to, f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_u(low)), 16);
    v128.store(to, f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_u(high)), 32);
    v128.store(to, f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_u(high)), 48);
  }
  const rest = plainRow<u8>(from, to, 0, cols - i, hasNodata, nodata);
  return (hasNodata && v128.any_true(equal)) || rest;
}

/** Eight words at a time. */
function wordsRow<T>(from: usize, to: usize, cols: i32, hasNodata: bool, nodata: f64): bool {
  const empty = i16x8.splat(hasNodata ? <i16><T>nodata : 0);
  let equal = i16x8.splat(0);
  let i = 0;
  for (; i + 8 <= cols; i += 8, from += 16, to += 32) {
    const words = v128.load(from);
    equal = v128.or(equal, i16x8.eq(words, empty));
    if (isSigned<T>()) {
      v128.store(to, f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(words)));
      v128.store(to, f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(words)), 16);
    } else {
      v128.store(to, f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_u(words)));
      v128.store(to, f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_u(words)), 16);
    }
  }
  const rest = plainRow<T>(from, to, 0, cols - i, hasNodata, nodata);
  return (hasNodata && v128.any_true(equal)) || rest;
}

/** Four floats at a time. */
function floatsRow(from: usize, to: usize, cols: i32, hasNodata: bool, nodata: f64): bool {
  // Without nodata, NaN is compared instead, which nothing equals.
  const empty = f32x4.splat(hasNodata ? <f32>nodata : <f32>NaN);
  let found = i32x4.splat(0);
  let i = 0;
  for (; i + 4 <= cols; i += 4, from += 16, to += 16) {
    const values = v128.load(from);
    found = v128.or(found, v128.or(f32x4.eq(values, empty), f32x4.ne(values, values)));
    v128.store(to, values);
  }
  const rest = plainRow<f32>(from, to, 0, cols - i, hasNodata, nodata);
  return v128.any_true(found) || rest;
}

/** One sample at a time, to values, to the mask, or to both; 0 stands for "not wanted". */
function plainRow<T>(from: usize, values: usize, mask: usize, cols: i32, hasNodata: bool, nodata: f64): bool {
  let found = false;
  for (let i: usize = 0; i < <usize>cols; i++) {
    const value = load<T>(from + i * sizeof<T>());
    const wide = <f64>value;
    const isEmpty = (hasNodata && wide == nodata) || wide != wide;
    found = found || isEmpty;
    if (values != 0) store<f32>(values + (i << 2), <f32>value);
    if (mask != 0 && isEmpty) store<u8>(mask + i, 0);
  }
  return found;
}
