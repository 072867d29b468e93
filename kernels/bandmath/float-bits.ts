import { high, join, low } from "./halves";

/** The float32 next to a in the direction of b. */
export function nextafter(a: v128, b: v128): v128 {
  const zero = f32x4.splat(0);
  const isNan = v128.or(f32x4.ne(a, a), f32x4.ne(b, b));
  // Magnitudes have the order of their bits, so away from 0 is one more and towards it one less.
  const isAway = v128.not(v128.xor(f32x4.lt(a, b), f32x4.gt(a, zero)));
  const step = v128.bitselect(i32x4.splat(1), i32x4.splat(-1), isAway);
  const smallest = v128.or(v128.and(b, f32x4.splat(-0.0)), i32x4.splat(1));
  const moved = v128.bitselect(smallest, i32x4.add(a, step), f32x4.eq(a, zero));
  return v128.bitselect(f32x4.splat(NaN), v128.bitselect(b, moved, f32x4.eq(a, b)), isNan);
}

/** x · 2ⁿ in float64, where the product is exact, so that it is rounded once. */
// @ts-expect-error: decorator
@inline
function ldexp64(x: v128, n: v128): v128 {
  const power = i64x2.shl(i64x2.add(i64x2.extend_low_i32x4_s(n), i64x2.splat(1023)), 52);
  return f64x2.mul(x, power);
}

/** x · 2ⁿ; n is truncated to a whole number. */
export function ldexp(x: v128, n: v128): v128 {
  // Beyond 400 doublings every float32 is 0 or infinite.
  const whole = i32x4.max_s(i32x4.min_s(i32x4.trunc_sat_f32x4_s(n), i32x4.splat(400)), i32x4.splat(-400));
  return join(ldexp64(low(x), whole), ldexp64(high(x), v128.shuffle<i32>(whole, whole, 2, 3, 2, 3)));
}
