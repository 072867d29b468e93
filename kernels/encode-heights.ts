/*
 * Heights as whole numbers of 24 bits in red, green and blue, highest first. NaN and masked heights (`mask` is a byte
 * per height; its address is 0 where all are known) become four bytes of 0, or `unknownM` if `hasUnknownM` is 1. Four at
 * a time: after the last height up to three more are written, into the room after the plane.
 */
import { high, low } from "./bandmath/halves";
import { hasValue } from "./paint-seen";

/** In steps of 1/256 m from -32768 m. */
export function encodeTerrarium(
  values: usize, mask: usize, rgba: usize, count: i32, hasUnknownM: i32, unknownM: f32,
): void {
  for (let i = 0; i < count; i += 4) {
    const stored = v128.load(values + (<usize>i << 2));
    const known = isKnown(stored, mask, i);
    const heights = v128.bitselect(stored, f32x4.splat(unknownM), known);
    // Exact: the factor is a power of two.
    const steps = f32x4.nearest(f32x4.mul(heights, f32x4.splat(256.0)));
    const number = i32x4.add(i32x4.trunc_sat_f32x4_s(clamp24(steps)), i32x4.splat(8388608));
    v128.store(rgba + (<usize>i << 2), toPixels(number, known, hasUnknownM));
  }
}

/** Steps around sea level, within what 24 bits hold. */
// @ts-ignore: decorator
@inline function clamp24(steps: v128): v128 {
  return f32x4.pmin(f32x4.pmax(steps, f32x4.splat(-8388608.0)), f32x4.splat(8388607.0));
}

/** In steps of 0.1 m from -10000 m. Float64, in which the sum is exact: float32 would round some heights up. */
export function encodeTerrainRgb(
  values: usize, mask: usize, rgba: usize, count: i32, hasUnknownM: i32, unknownM: f32,
): void {
  for (let i = 0; i < count; i += 4) {
    const stored = v128.load(values + (<usize>i << 2));
    const known = isKnown(stored, mask, i);
    const heights = v128.bitselect(stored, f32x4.splat(unknownM), known);
    const number = v128.shuffle<i32>(decimetres(low(heights)), decimetres(high(heights)), 0, 1, 4, 5);
    v128.store(rgba + (<usize>i << 2), toPixels(number, known, hasUnknownM));
  }
}

// @ts-ignore: decorator
@inline function decimetres(heights: v128): v128 {
  const steps = f64x2.nearest(f64x2.mul(f64x2.add(heights, f64x2.splat(10000)), f64x2.splat(10)));
  return i32x4.trunc_sat_f64x2_s_zero(f64x2.pmin(f64x2.pmax(steps, f64x2.splat(0)), f64x2.splat(16777215)));
}

// @ts-ignore: decorator
@inline function isKnown(values: v128, mask: usize, i: i32): v128 {
  return mask == 0 ? f32x4.eq(values, values) : hasValue(values, mask + <usize>i);
}

/** The bytes of four numbers in reverse order, after which alpha is opaque. */
// @ts-ignore: decorator
@inline function toPixels(numbers: v128, known: v128, hasUnknownM: i32): v128 {
  const reversed = v128.swizzle(numbers, i8x16(2, 1, 0, 16, 6, 5, 4, 16, 10, 9, 8, 16, 14, 13, 12, 16));
  return v128.and(v128.or(reversed, i32x4.splat(0xff000000)), v128.or(known, i32x4.splat(-hasUnknownM)));
}
