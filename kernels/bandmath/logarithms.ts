import { log64 } from "./exponential";
import { both, high, join, low } from "./halves";

// Logarithms of float32. Unlike those inside other functions they need only half of a float64's digits: six terms of
// the series are off by 5e-11 of the value, a thousandth of a float32 step.

/** Index in the tables below of the logarithm of 2, and of the factor from the natural logarithm. */
const OF_TWO: usize = 6;
const OF_E: usize = 7;
/** Twice 1/1, 1/3 … 1/11, of the inverse hyperbolic tangent; ln(2) and 1. */
const NATURAL = memory.data<f64>([2.0, 2.0 / 3, 2.0 / 5, 2.0 / 7, 2.0 / 9, 2.0 / 11, 0.6931471805599453, 1.0]);
/** The same times log10(e). */
const COMMON = memory.data<f64>([
  0.8685889638065036, 0.8685889638065036 / 3, 0.8685889638065036 / 5, 0.8685889638065036 / 7,
  0.8685889638065036 / 9, 0.8685889638065036 / 11, 0.3010299956639812, 0.4342944819032518,
]);
/** The same times log2(e). */
const BINARY = memory.data<f64>([
  2.8853900817779268, 2.8853900817779268 / 3, 2.8853900817779268 / 5, 2.8853900817779268 / 7,
  2.8853900817779268 / 9, 2.8853900817779268 / 11, 1.0, 1.4426950408889634,
]);

/** The logarithm of mantissa · 2ⁿ. */
// @ts-expect-error: decorator
@inline
function logOfParts(mantissa: v128, exponents: v128, table: usize): v128 {
  const one = f64x2.splat(1);
  const t = f64x2.div(f64x2.sub(mantissa, one), f64x2.add(mantissa, one));
  const x = f64x2.mul(t, t);
  const square = f64x2.mul(x, x);
  const first = f64x2.add(both(table, 0), f64x2.mul(both(table, 1), x));
  const second = f64x2.add(both(table, 2), f64x2.mul(both(table, 3), x));
  const third = f64x2.add(both(table, 4), f64x2.mul(both(table, 5), x));
  const series = f64x2.add(first, f64x2.mul(f64x2.add(second, f64x2.mul(third, square)), square));
  return f64x2.add(f64x2.mul(exponents, both(table, OF_TWO)), f64x2.mul(t, series));
}

// @ts-expect-error: decorator
@inline
function logBy(x: v128, table: usize): v128 {
  // Subtracting the bits of the square root of one half leaves a mantissa between that root and the next one.
  const exponents = i32x4.shr_s(i32x4.sub(x, i32x4.splat(0x3f3504f3)), 23);
  const mantissa = i32x4.sub(x, i32x4.shl(exponents, 23));
  const found = join(
    logOfParts(low(mantissa), f64x2.convert_low_i32x4_s(exponents), table),
    logOfParts(high(mantissa), f64x2.convert_low_i32x4_s(v128.shuffle<i32>(exponents, exponents, 2, 3, 2, 3)), table),
  );
  // From the smallest normal number to the largest.
  const isNormal = i32x4.lt_u(i32x4.sub(x, i32x4.splat(0x00800000)), i32x4.splat(0x7f000000));
  return i32x4.all_true(isNormal) ? found : v128.bitselect(found, logOfAny(x, table), isNormal);
}

/** Also of 0, negative and subnormal numbers, infinities and NaN; only the lanes of these are used. */
function logOfAny(x: v128, table: usize): v128 {
  const factor = both(table, OF_E);
  return join(f64x2.mul(log64(low(x)), factor), f64x2.mul(log64(high(x)), factor));
}

/** Natural logarithm. */
export function log(x: v128): v128 {
  return logBy(x, NATURAL);
}

/** Logarithm to the base of 10. */
export function log10(x: v128): v128 {
  return logBy(x, COMMON);
}

/** Logarithm to the base of 2. */
export function log2(x: v128): v128 {
  return logBy(x, BINARY);
}
