import { both, high, join, low, polynomial12, polynomial8, select, withSign } from "./halves";

/** 1/1! … -1/15!, of the sine divided by the angle. */
const SIN = memory.data<f64>([
  1.0, -1.0 / 6, 1.0 / 120, -1.0 / 5040, 1.0 / 362880, -1.0 / 39916800, 1.0 / 6227020800, -1.0 / 1307674368000,
]);
/** 1/0! … -1/14!, of the cosine. */
const COS = memory.data<f64>([
  1.0, -0.5, 1.0 / 24, -1.0 / 720, 1.0 / 40320, -1.0 / 3628800, 1.0 / 479001600, -1.0 / 87178291200,
]);
/** 1/1 … -1/23, of the inverse tangent. */
const ARCTAN = memory.data<f64>([
  1.0, -1.0 / 3, 1.0 / 5, -1.0 / 7, 1.0 / 9, -1.0 / 11, 1.0 / 13, -1.0 / 15, 1.0 / 17, -1.0 / 19, 1.0 / 21, -1.0 / 23,
]);
/** 2/pi; pi/2 in two parts, the first of 33 bits, so that its product with a number of quarter turns is exact. */
const TURN = memory.data<f64>([0.6366197723675814, 1.5707963267341256, 6.077100506506192e-11]);
/** pi/2, pi, pi/8 and its tangent, pi/4; tangents of pi/16 and 3 pi/16. */
const ANGLE = memory.data<f64>([
  1.5707963267948966, 3.141592653589793, 0.39269908169872414, 0.41421356237309503, 0.7853981633974483,
  0.198912367379658, 0.6681786379192989,
]);
/** From here on there are too many quarter turns for the bits that the products above leave. */
const FAR: f32 = 1e6;

/** Sine (turn 0) or cosine (turn 1) of angles that are not large. */
// @ts-expect-error: decorator
@inline
function wave64(x: v128, turn: i64): v128 {
  const quarters = f64x2.nearest(f64x2.mul(x, both(TURN, 0)));
  const rest = f64x2.sub(f64x2.sub(x, f64x2.mul(quarters, both(TURN, 1))), f64x2.mul(quarters, both(TURN, 2)));
  const square = f64x2.mul(rest, rest);
  const sine = f64x2.mul(rest, polynomial8(square, SIN));
  const cosine = polynomial8(square, COS);
  const quarter = i64x2.add(i64x2.extend_low_i32x4_s(i32x4.trunc_sat_f64x2_s_zero(quarters)), i64x2.splat(turn));
  // Every odd quarter swaps the two, and every second pair of quarters changes the sign.
  const isOdd = i64x2.neg(v128.and(quarter, i64x2.splat(1)));
  const sign = i64x2.shl(i64x2.shr_u(quarter, 1), 63);
  return v128.xor(select(cosine, sine, isOdd), sign);
}

/** Whether any of four angles is large; NaN and infinities are. */
// @ts-expect-error: decorator
@inline
function anyFar(x: v128): bool {
  return !i32x4.all_true(f32x4.lt(f32x4.abs(x), f32x4.splat(FAR)));
}

export function sin(x: v128): v128 {
  if (anyFar(x)) return each(x, 0);
  // A zero retains its sign.
  return select(x, join(wave64(low(x), 0), wave64(high(x), 0)), f32x4.eq(x, f32x4.splat(0)));
}

export function cos(x: v128): v128 {
  return anyFar(x) ? each(x, 1) : join(wave64(low(x), 1), wave64(high(x), 1));
}

export function tan(x: v128): v128 {
  if (anyFar(x)) return each(x, 2);
  const first = f64x2.div(wave64(low(x), 0), wave64(low(x), 1));
  const last = f64x2.div(wave64(high(x), 0), wave64(high(x), 1));
  return select(x, join(first, last), f32x4.eq(x, f32x4.splat(0)));
}

/** One by one, with a reduction that is exact for any angle. */
function each(x: v128, kind: i32): v128 {
  let result = x;
  result = f32x4.replace_lane(result, 0, scalar(f32x4.extract_lane(x, 0), kind));
  result = f32x4.replace_lane(result, 1, scalar(f32x4.extract_lane(x, 1), kind));
  result = f32x4.replace_lane(result, 2, scalar(f32x4.extract_lane(x, 2), kind));
  return f32x4.replace_lane(result, 3, scalar(f32x4.extract_lane(x, 3), kind));
}

function scalar(x: f32, kind: i32): f32 {
  const wide = <f64>x;
  if (kind == 0) return <f32>NativeMath.sin(wide);
  return <f32>(kind == 1 ? NativeMath.cos(wide) : NativeMath.tan(wide));
}

/** The angle of a tangent, which may be infinite. */
// @ts-expect-error: decorator
@inline
export function arctan64(x: v128): v128 {
  const one = f64x2.splat(1);
  const steep = f64x2.abs(x);
  const isSteep = f64x2.gt(steep, one);
  const slope = select(f64x2.div(one, steep), steep, isSteep);
  // The nearest of 0, pi/8 and pi/4 is subtracted, so that the series is short.
  const isSecond = f64x2.ge(slope, both(ANGLE, 5));
  const isThird = f64x2.ge(slope, both(ANGLE, 6));
  const tangent = select(one, v128.and(both(ANGLE, 3), isSecond), isThird);
  const angle = select(both(ANGLE, 4), v128.and(both(ANGLE, 2), isSecond), isThird);
  const rest = f64x2.div(f64x2.sub(slope, tangent), f64x2.add(one, f64x2.mul(slope, tangent)));
  const flat = f64x2.add(angle, f64x2.mul(rest, polynomial12(f64x2.mul(rest, rest), ARCTAN)));
  return withSign(select(f64x2.sub(both(ANGLE, 0), flat), flat, isSteep), x);
}

export function arctan(x: v128): v128 {
  return join(arctan64(low(x)), arctan64(high(x)));
}

function arcsin64(x: v128): v128 {
  const one = f64x2.splat(1);
  const across = f64x2.sqrt(f64x2.mul(f64x2.sub(one, x), f64x2.add(one, x)));
  return arctan64(f64x2.div(x, across));
}

export function arcsin(x: v128): v128 {
  return join(arcsin64(low(x)), arcsin64(high(x)));
}

function arccos64(x: v128): v128 {
  const one = f64x2.splat(1);
  const half = arctan64(f64x2.sqrt(f64x2.div(f64x2.sub(one, x), f64x2.add(one, x))));
  return f64x2.add(half, half);
}

export function arccos(x: v128): v128 {
  return join(arccos64(low(x)), arccos64(high(x)));
}

/** Angle of the direction (x, y), with the exceptions of IEEE 754: the signs of zeros count. */
function arctan264(y: v128, x: v128): v128 {
  const infinity = f64x2.splat(Infinity);
  const zero = f64x2.splat(0);
  const areBothInfinite = v128.and(f64x2.eq(f64x2.abs(x), infinity), f64x2.eq(f64x2.abs(y), infinity));
  const areBothZero = v128.and(f64x2.eq(x, zero), f64x2.eq(y, zero));
  const ratio = f64x2.div(f64x2.abs(y), f64x2.abs(x));
  // Where the ratio is undefined the direction is not: along the axis, or half-way between both.
  const slope = select(f64x2.splat(1), v128.andnot(ratio, areBothZero), areBothInfinite);
  const first = arctan64(slope);
  const isBehind = i64x2.shr_s(x, 63);
  return withSign(select(f64x2.sub(both(ANGLE, 1), first), first, isBehind), y);
}

export function arctan2(y: v128, x: v128): v128 {
  return join(arctan264(low(y), low(x)), arctan264(high(y), high(x)));
}

function hypot64(x: v128, y: v128): v128 {
  const infinity = f64x2.splat(Infinity);
  const isInfinite = v128.or(f64x2.eq(f64x2.abs(x), infinity), f64x2.eq(f64x2.abs(y), infinity));
  return select(infinity, f64x2.sqrt(f64x2.add(f64x2.mul(x, x), f64x2.mul(y, y))), isInfinite);
}

export function hypot(x: v128, y: v128): v128 {
  return join(hypot64(low(x), low(y)), hypot64(high(x), high(y)));
}
