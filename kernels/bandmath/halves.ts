// Band math computes four float32 at a time. Functions without an instruction are computed in float64, two at a time,
// to about 1e-13, so that rounding to float32 nearly always gives the nearest one and is never off by more than one.

/** The first two of four float32 as float64. */
// @ts-expect-error: decorator
@inline
export function low(x: v128): v128 {
  return f64x2.promote_low_f32x4(x);
}

/** The last two of four float32 as float64. */
// @ts-expect-error: decorator
@inline
export function high(x: v128): v128 {
  return f64x2.promote_low_f32x4(v128.shuffle<f32>(x, x, 2, 3, 2, 3));
}

/** Two and two float64 as four float32. */
// @ts-expect-error: decorator
@inline
export function join(first: v128, last: v128): v128 {
  return v128.shuffle<f32>(f32x4.demote_f64x2_zero(first), f32x4.demote_f64x2_zero(last), 0, 1, 4, 5);
}

/** A float64 in both lanes, from a table: V8 rebuilds constants at each use, which costs more than a load. */
// @ts-expect-error: decorator
@inline
export function both(table: usize, index: usize): v128 {
  return v128.load_splat<f64>(table + (index << 3));
}

/** Coefficients of x⁰ to x³ at an index of a table, in pairs, which a processor computes in parallel. */
// @ts-expect-error: decorator
@inline
function cubic(x: v128, square: v128, table: usize, index: usize): v128 {
  const first = f64x2.add(both(table, index), f64x2.mul(both(table, index + 1), x));
  const second = f64x2.add(both(table, index + 2), f64x2.mul(both(table, index + 3), x));
  return f64x2.add(first, f64x2.mul(second, square));
}

/** A polynomial of eight coefficients, lowest power first. */
// @ts-expect-error: decorator
@inline
export function polynomial8(x: v128, table: usize): v128 {
  const square = f64x2.mul(x, x);
  const fourth = f64x2.mul(square, square);
  return f64x2.add(cubic(x, square, table, 0), f64x2.mul(cubic(x, square, table, 4), fourth));
}

/** A polynomial of twelve coefficients, lowest power first. */
// @ts-expect-error: decorator
@inline
export function polynomial12(x: v128, table: usize): v128 {
  const square = f64x2.mul(x, x);
  const fourth = f64x2.mul(square, square);
  const upper = f64x2.add(cubic(x, square, table, 4), f64x2.mul(cubic(x, square, table, 8), fourth));
  return f64x2.add(cubic(x, square, table, 0), f64x2.mul(upper, fourth));
}

/** `then` where the lanes of `condition` are ones. */
// @ts-expect-error: decorator
@inline
export function select(then: v128, otherwise: v128, condition: v128): v128 {
  return v128.bitselect(then, otherwise, condition);
}

/** The magnitude of one number with the sign of another. */
// @ts-expect-error: decorator
@inline
export function withSign(magnitude: v128, sign: v128): v128 {
  return v128.bitselect(sign, magnitude, f64x2.splat(-0.0));
}
