// Remainders of float32 are exact, which takes a loop over the bits of the quotient: one pixel after the other.

/** With the sign of the dividend. */
export function fmod(a: v128, b: v128): v128 {
  let result = a;
  result = f32x4.replace_lane(result, 0, f32x4.extract_lane(a, 0) % f32x4.extract_lane(b, 0));
  result = f32x4.replace_lane(result, 1, f32x4.extract_lane(a, 1) % f32x4.extract_lane(b, 1));
  result = f32x4.replace_lane(result, 2, f32x4.extract_lane(a, 2) % f32x4.extract_lane(b, 2));
  return f32x4.replace_lane(result, 3, f32x4.extract_lane(a, 3) % f32x4.extract_lane(b, 3));
}

/** With the sign of the divisor, as in Python and NumPy; a remainder of 0 too. */
export function mod(a: v128, b: v128): v128 {
  const zero = f32x4.splat(0);
  const rest = fmod(a, b);
  const isOther = v128.xor(f32x4.lt(b, zero), f32x4.lt(rest, zero));
  const moved = v128.bitselect(f32x4.add(rest, b), rest, isOther);
  const nothing = v128.and(b, f32x4.splat(-0.0));
  return v128.bitselect(nothing, moved, f32x4.eq(rest, zero));
}

/** The floor of the quotient that belongs to `mod`; a divisor of 0 gives the quotient itself. */
export function floor_divide(a: v128, b: v128): v128 {
  const zero = f32x4.splat(0);
  const one = f32x4.splat(1);
  const rest = fmod(a, b);
  const quotient = f32x4.div(f32x4.sub(a, rest), b);
  const isOther = v128.and(f32x4.ne(rest, zero), v128.xor(f32x4.lt(b, zero), f32x4.lt(rest, zero)));
  const whole = v128.bitselect(f32x4.sub(quotient, one), quotient, isOther);
  const floor = f32x4.floor(whole);
  const isShort = f32x4.gt(f32x4.sub(whole, floor), f32x4.splat(0.5));
  const snapped = v128.bitselect(f32x4.add(floor, one), floor, isShort);
  // A quotient of 0 has the sign of the true quotient.
  const ratio = f32x4.div(a, b);
  const signedZero = v128.and(ratio, f32x4.splat(-0.0));
  const result = v128.bitselect(signedZero, snapped, f32x4.eq(whole, zero));
  return v128.bitselect(ratio, result, f32x4.eq(b, zero));
}
