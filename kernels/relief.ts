/*
 * Hillshade, slope and aspect of float32 heights, by Horn's method: the slope of a pixel comes from its eight
 * neighbours, those at the sides with twice the weight of those at the corners. `heights` and `mask` have a pixel more
 * on every side than the result; `mask` is a byte per pixel, 1 where the height is known, and its address is 0 where all
 * are. A pixel is void where one of its nine is unknown. `rows` holds two float32 for each row of the result: 1 / 8 of
 * the reciprocals of a pixel's width and height on the ground. Rows are written in groups, of which the last one goes
 * beyond the end of its row, into the next row or the room after the plane.
 */
import { arctan, arctan2 } from "./bandmath/trigonometric";
import { join, low } from "./bandmath/halves";
import { toBytes } from "./paint-seen";

/** Degrees of a radian. */
const DEGREES: f32 = 57.29577951308232;

/**
 * Brightness of 1 to 255 under a light, 0 for voids. `up`, `east` and `north` are the direction to the light, of length
 * 254. The cosine between it and the normal of the ground needs no angles: the normal is (-slope east, -slope north, 1).
 */
export function shadeRelief(
  heights: usize, mask: usize, width: i32, height: i32, rows: usize, to: usize, up: f32, east: f32, north: f32,
): void {
  const stride = <usize>(width + 2);
  for (let y = 0; y < height; y++, rows += 8) {
    const perX = v128.load32_splat(rows);
    const perY = v128.load32_splat(rows + 4);
    const row = heights + ((<usize>y * stride) << 2);
    const maskRow = mask + <usize>y * stride;
    const line = to + <usize>(y * width);
    for (let x: usize = 0; x < <usize>width; x += 16) {
      const at = row + (x << 2);
      const first = i16x8.narrow_i32x4_s(
        shade(at, stride, perX, perY, up, east, north),
        shade(at + 16, stride, perX, perY, up, east, north),
      );
      const last = i16x8.narrow_i32x4_s(
        shade(at + 32, stride, perX, perY, up, east, north),
        shade(at + 48, stride, perX, perY, up, east, north),
      );
      let shades = i8x16.narrow_i16x8_u(first, last);
      if (mask != 0) shades = v128.and(shades, knownBytes(maskRow + x, stride));
      v128.store(line + x, shades);
    }
  }
}

/** Four brightnesses, rounded half up; 0 where a height is not a number. */
// @ts-ignore: decorator
@inline function shade(at: usize, stride: usize, perX: v128, perY: v128, up: f32, east: f32, north: f32): v128 {
  const second = at + (stride << 2);
  const third = second + (stride << 2);
  // Heights are subtracted before anything is added, so that the digits of small differences are not lost.
  const rising = f32x4.sub(v128.load(at, 8), v128.load(third));
  const falling = f32x4.sub(v128.load(third, 8), v128.load(at));
  const across = f32x4.sub(v128.load(second, 8), v128.load(second));
  const along = f32x4.sub(v128.load(at, 4), v128.load(third, 4));
  const toEast = f32x4.mul(f32x4.add(f32x4.add(rising, falling), f32x4.add(across, across)), perX);
  const toNorth = f32x4.mul(f32x4.add(f32x4.sub(rising, falling), f32x4.add(along, along)), perY);
  const lit = f32x4.sub(
    f32x4.sub(f32x4.splat(up), f32x4.mul(toEast, f32x4.splat(east))),
    f32x4.mul(toNorth, f32x4.splat(north)),
  );
  const steep = f32x4.add(f32x4.mul(toEast, toEast), f32x4.mul(toNorth, toNorth));
  const cosine = f32x4.div(lit, f32x4.sqrt(f32x4.add(steep, f32x4.splat(1.0))));
  // In this order NaN stays NaN, which becomes 0.
  const bright = f32x4.add(f32x4.pmax(cosine, f32x4.splat(0.0)), f32x4.splat(1.0));
  const shades = i32x4.trunc_sat_f32x4_s(f32x4.add(bright, f32x4.splat(0.5)));
  return v128.and(shades, isNumber(second + 4));
}

/** The pixel's own height does not count for its slope, but where it is not a number the pixel is void too. */
// @ts-ignore: decorator
@inline function isNumber(at: usize): v128 {
  const middle = v128.load(at);
  return f32x4.eq(middle, middle);
}

/** Degrees of the slope, 0 to 90, and a mask. */
export function slopeRelief(
  heights: usize, mask: usize, width: i32, height: i32, rows: usize, to: usize, toMask: usize,
): void {
  const stride = <usize>(width + 2);
  for (let y = 0; y < height; y++, rows += 8) {
    const perX = v128.load32_splat(rows);
    const perY = v128.load32_splat(rows + 4);
    const start = <usize>(y * width);
    for (let x: usize = 0; x < <usize>width; x += 4) {
      const from = <usize>y * stride + x;
      const at = heights + (from << 2);
      const east = f32x4.mul(eastward(at, stride), perX);
      const north = f32x4.mul(northward(at, stride), perY);
      const steep = f32x4.sqrt(f32x4.add(f32x4.mul(east, east), f32x4.mul(north, north)));
      const degrees = f32x4.mul(arctan(steep), f32x4.splat(DEGREES));
      const known = v128.and(f32x4.eq(steep, steep), knownLanes(heights, mask, from, stride));
      v128.store(to + ((start + x) << 2), v128.and(degrees, known));
      store<u32>(toMask + start + x, toBytes(known) & 0x01010101);
    }
  }
}

/** Degrees of the direction in which the ground falls, clockwise from north, and a mask; level pixels are void. */
export function aspectRelief(
  heights: usize, mask: usize, width: i32, height: i32, rows: usize, to: usize, toMask: usize,
): void {
  const stride = <usize>(width + 2);
  const zero = f32x4.splat(0.0);
  for (let y = 0; y < height; y++, rows += 8) {
    const perX = v128.load32_splat(rows);
    const perY = v128.load32_splat(rows + 4);
    const start = <usize>(y * width);
    for (let x: usize = 0; x < <usize>width; x += 4) {
      const from = <usize>y * stride + x;
      const at = heights + (from << 2);
      const east = f32x4.mul(eastward(at, stride), perX);
      const north = f32x4.mul(northward(at, stride), perY);
      const degrees = f32x4.mul(arctan2(f32x4.neg(east), f32x4.neg(north)), f32x4.splat(DEGREES));
      const turned = f32x4.add(degrees, v128.and(f32x4.lt(degrees, zero), f32x4.splat(360.0)));
      // A direction just west of north can round to the full turn.
      const aspect = v128.and(turned, f32x4.lt(turned, f32x4.splat(360.0)));
      const slopes = v128.or(f32x4.ne(east, zero), f32x4.ne(north, zero));
      const known = v128.and(v128.and(slopes, f32x4.eq(degrees, degrees)), knownLanes(heights, mask, from, stride));
      v128.store(to + ((start + x) << 2), v128.and(aspect, known));
      store<u32>(toMask + start + x, toBytes(known) & 0x01010101);
    }
  }
}

/** Eight times the rise of four pixels to the east, per pixel. In float64, since large differences can cancel out. */
// @ts-ignore: decorator
@inline function eastward(at: usize, stride: usize): v128 {
  const second = at + (stride << 2);
  return weighed(at, at + 8, second, second + 8, second + (stride << 2), second + (stride << 2) + 8);
}

/** Eight times the rise of four pixels to the north, per pixel. */
// @ts-ignore: decorator
@inline function northward(at: usize, stride: usize): v128 {
  const third = at + (stride << 3);
  return weighed(third, at, third + 4, at + 4, third + 8, at + 8);
}

/** The sum of three differences, of which the second one counts twice. */
// @ts-ignore: decorator
@inline function weighed(from1: usize, to1: usize, from2: usize, to2: usize, from3: usize, to3: usize): v128 {
  const first = between(v128.load64_zero(from1), v128.load64_zero(to1));
  const second = between(v128.load64_zero(from2), v128.load64_zero(to2));
  const third = between(v128.load64_zero(from3), v128.load64_zero(to3));
  const nextFirst = between(v128.load64_zero(from1, 8), v128.load64_zero(to1, 8));
  const nextSecond = between(v128.load64_zero(from2, 8), v128.load64_zero(to2, 8));
  const nextThird = between(v128.load64_zero(from3, 8), v128.load64_zero(to3, 8));
  return join(
    f64x2.add(f64x2.add(first, third), f64x2.add(second, second)),
    f64x2.add(f64x2.add(nextFirst, nextThird), f64x2.add(nextSecond, nextSecond)),
  );
}

// @ts-ignore: decorator
@inline function between(from: v128, to: v128): v128 {
  return f64x2.sub(low(to), low(from));
}

/** All bits of sixteen bytes whose nine pixels are known. */
// @ts-ignore: decorator
@inline function knownBytes(mask: usize, stride: usize): v128 {
  const second = mask + stride;
  const third = second + stride;
  const all = v128.and(v128.and(three(mask), three(second)), three(third));
  return i8x16.ne(all, i8x16.splat(0));
}

// @ts-ignore: decorator
@inline function three(mask: usize): v128 {
  return v128.and(v128.and(v128.load(mask), v128.load(mask, 1)), v128.load(mask, 2));
}

/** All bits of four lanes whose nine pixels are known. */
// @ts-ignore: decorator
@inline function knownLanes(heights: usize, mask: usize, from: usize, stride: usize): v128 {
  const known = isNumber(heights + ((from + stride + 1) << 2));
  if (mask == 0) return known;
  const bytes = i16x8.extend_low_i8x16_s(knownBytes(mask + from, stride));
  return v128.and(known, i32x4.extend_low_i16x8_s(bytes));
}
