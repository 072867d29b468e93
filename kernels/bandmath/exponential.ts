import { both, high, join, low, polynomial12, select, withSign } from "./halves";

// Coefficients of Taylor series, lowest power first; the arguments are small enough for them.

/** 1/0! … 1/11!, followed by 1/12!: the same list from its second entry on is that of (e^x - 1) / x. */
const EXP = memory.data<f64>([
  1.0, 1.0, 0.5, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720, 1.0 / 5040, 1.0 / 40320, 1.0 / 362880, 1.0 / 3628800,
  1.0 / 39916800, 1.0 / 479001600,
]);
/** 1/1, 1/3 … 1/23, of the inverse hyperbolic tangent. */
const ARTANH = memory.data<f64>([
  1.0, 1.0 / 3, 1.0 / 5, 1.0 / 7, 1.0 / 9, 1.0 / 11, 1.0 / 13, 1.0 / 15, 1.0 / 17, 1.0 / 19, 1.0 / 21, 1.0 / 23,
]);
/**
 * log2(e); ln(2) in two parts, the first short enough for its product with an exponent to be exact; the max argument.
 */
const SCALE = memory.data<f64>([1.4426950408889634, 0.6931471803691238, 1.9082149292705877e-10, 200.0, -200.0]);
/** ln(2), log10(e), log2(e). */
const LOGS = memory.data<f64>([0.6931471805599453, 0.4342944819032518, 1.4426950408889634]);

/** e to the power of x; beyond ±200 the results are 0 and infinity in float32. */
// @ts-expect-error: decorator
@inline
export function exp64(x: v128): v128 {
  const clamped = f64x2.max(f64x2.min(x, both(SCALE, 3)), both(SCALE, 4));
  const doublings = f64x2.nearest(f64x2.mul(clamped, both(SCALE, 0)));
  const rest = f64x2.sub(
    f64x2.sub(clamped, f64x2.mul(doublings, both(SCALE, 1))),
    f64x2.mul(doublings, both(SCALE, 2)),
  );
  // The exponent bits of a float64 begin at 52, and 1023 stands for 0.
  const exponents = i64x2.extend_low_i32x4_s(i32x4.trunc_sat_f64x2_s_zero(doublings));
  const power = i64x2.shl(i64x2.add(exponents, i64x2.splat(1023)), 52);
  return f64x2.mul(polynomial12(rest, EXP), power);
}

/** Natural logarithm; 0 gives minus infinity, negative numbers give NaN. */
// @ts-expect-error: decorator
@inline
export function log64(x: v128): v128 {
  // Subtracting the bits of the square root of one half leaves a mantissa between that root and the next one.
  const shifted = i64x2.sub(x, i64x2.splat(0x3fe6a09e667f3bcd));
  const exponents = i64x2.shr_s(shifted, 52);
  const mantissa = i64x2.sub(x, i64x2.shl(exponents, 52));
  const one = f64x2.splat(1);
  const t = f64x2.div(f64x2.sub(mantissa, one), f64x2.add(mantissa, one));
  const series = polynomial12(f64x2.mul(t, t), ARTANH);
  const whole = f64x2.convert_low_i32x4_s(v128.shuffle<i32>(exponents, exponents, 0, 2, 0, 2));
  const log = f64x2.add(f64x2.mul(whole, both(LOGS, 0)), f64x2.mul(f64x2.add(t, t), series));
  const zero = f64x2.splat(0);
  const infinity = f64x2.splat(Infinity);
  // An infinity and NaN are their own logarithm.
  const finite = select(log, x, f64x2.lt(x, infinity));
  return select(select(f64x2.splat(-Infinity), f64x2.splat(NaN), f64x2.eq(x, zero)), finite, f64x2.le(x, zero));
}

/** e^x - 1, accurate also where it is small. */
export function expm164(x: v128): v128 {
  const small = f64x2.mul(x, polynomial12(x, EXP + 8));
  const far = f64x2.sub(exp64(x), f64x2.splat(1));
  return select(small, far, f64x2.lt(f64x2.abs(x), f64x2.splat(0.3)));
}

/** ln(1 + x); below 1e-8 it is x itself. */
export function log1p64(x: v128): v128 {
  const far = log64(f64x2.add(x, f64x2.splat(1)));
  return select(x, far, f64x2.lt(f64x2.abs(x), f64x2.splat(1e-8)));
}

export function exp(x: v128): v128 {
  return join(exp64(low(x)), exp64(high(x)));
}

export function exp2(x: v128): v128 {
  const ln2 = both(LOGS, 0);
  return join(exp64(f64x2.mul(low(x), ln2)), exp64(f64x2.mul(high(x), ln2)));
}

export function expm1(x: v128): v128 {
  return join(expm164(low(x)), expm164(high(x)));
}

export function log1p(x: v128): v128 {
  return join(log1p64(low(x)), log1p64(high(x)));
}

/** ln(e^a + e^b), from the larger of the two. */
function logaddexp64(a: v128, b: v128): v128 {
  const apart = f64x2.neg(f64x2.abs(f64x2.sub(a, b)));
  const sum = f64x2.add(f64x2.max(a, b), log1p64(exp64(apart)));
  // The difference of equal infinities is NaN.
  return select(f64x2.add(a, both(LOGS, 0)), sum, f64x2.eq(a, b));
}

export function logaddexp(a: v128, b: v128): v128 {
  return join(logaddexp64(low(a), low(b)), logaddexp64(high(a), high(b)));
}

/** log2(2^a + 2^b), likewise. */
function logaddexp264(a: v128, b: v128): v128 {
  const apart = f64x2.neg(f64x2.abs(f64x2.sub(a, b)));
  const grown = log1p64(exp64(f64x2.mul(apart, both(LOGS, 0))));
  const sum = f64x2.add(f64x2.max(a, b), f64x2.mul(grown, both(LOGS, 2)));
  return select(f64x2.add(a, f64x2.splat(1)), sum, f64x2.eq(a, b));
}

export function logaddexp2(a: v128, b: v128): v128 {
  return join(logaddexp264(low(a), low(b)), logaddexp264(high(a), high(b)));
}

function cbrt64(x: v128): v128 {
  return withSign(exp64(f64x2.div(log64(f64x2.abs(x)), f64x2.splat(3))), x);
}

export function cbrt(x: v128): v128 {
  return join(cbrt64(low(x)), cbrt64(high(x)));
}

/** x to the power of y by logarithms, with the exceptions of IEEE 754. */
function power64(x: v128, y: v128): v128 {
  const one = f64x2.splat(1);
  const magnitude = f64x2.abs(x);
  const grown = exp64(f64x2.mul(y, log64(magnitude)));
  const isOne = v128.or(
    f64x2.eq(y, f64x2.splat(0)),
    v128.or(f64x2.eq(x, one), v128.and(f64x2.eq(magnitude, one), f64x2.eq(f64x2.abs(y), f64x2.splat(Infinity)))),
  );
  const half = f64x2.mul(y, f64x2.splat(0.5));
  const isWhole = f64x2.eq(f64x2.floor(y), y);
  const isOdd = v128.and(isWhole, f64x2.ne(f64x2.floor(half), half));
  // The sign bit survives an odd power; a fractional power of a finite negative number is NaN.
  const signed = v128.or(grown, v128.and(v128.and(x, f64x2.splat(-0.0)), isOdd));
  const isNone = v128.and(
    v128.andnot(f64x2.lt(x, f64x2.splat(0)), isWhole),
    f64x2.lt(magnitude, f64x2.splat(Infinity)),
  );
  return select(one, select(f64x2.splat(NaN), signed, isNone), isOne);
}

export function power(x: v128, y: v128): v128 {
  return join(power64(low(x), low(y)), power64(high(x), high(y)));
}
