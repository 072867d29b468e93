import { divide, leftBits, multiply, rightBits } from "./exact-quotient";
import { selectRanks } from "./select-ranks";

/** The bits that are all set in NaN and infinities, and all bits but the sign. */
const EXPONENT: u32 = 0x7f800000;
const ABSOLUTE: u32 = 0x7fffffff;
/** Exponents between the smallest and the greatest value, so that sums of 16,384 whole numbers fit 64 bits. */
const MAX_SPAN: u32 = 25;
/** A square is made of halves of so many bits. */
const HALF: u64 = 25;
/** A float32 is a multiple of two to this, its smallest step. */
const UNIT_EXPONENT: i32 = -149;
/** Two ranks for each of five percentiles. */
const RANKS: u32 = 10;
/** The percentiles in ascending order, and the places of their results. */
const PARTS: usize = memory.data<f64>([0.1, 0.25, 0.5, 0.75, 0.9]);
const PLACES: usize = memory.data<u8>([9, 6, 7, 8, 10]);

let least: f32 = 0;
let greatest: f32 = 0;
/** The smallest absolute value that is not zero, minus one, as bits. */
let nearest: u32 = 0;

/**
 * Statistics of up to 16,384 float32 values, those that are finite, equal to `summarize` in src/numbers/summary.ts to the
 * last bit: count, min, max, average, std, variance, q1, median, q3, p10 and p90 as float64 numbers at `out`. Returns
 * how many are finite; -1 for values that span too many powers of two, which `sumValues` can add. The values are lost,
 * and up to 60 bytes after them are read. `work` has 16 bytes for each value and 8 KiB.
 */
export function summarizeFew(values: usize, count: u32, out: usize, work: usize): i32 {
  const finite = findExtent(values, count);
  if (finite == 0) return 0;
  const base = max(1, (nearest + 1) >> 23);
  const top = max(reinterpret<u32>(least) & ABSOLUTE, reinterpret<u32>(greatest) & ABSOLUTE) >> 23;
  if (max(1, top) > base + MAX_SPAN) return -1;
  store<f64>(out, <f64>finite);
  // no negative zero
  store<f64>(out, <f64>least + 0.0, 8);
  store<f64>(out, <f64>greatest + 0.0, 16);
  putMoments(values, finite, base, out);
  putPercentiles(values, finite, out, work);
  return finite;
}

/** Finds the ends of the finite values, and moves them to the front if there are others; returns their number. */
function findExtent(values: usize, count: u32): u32 {
  const exponents = i32x4.splat(EXPONENT);
  const absolutes = i32x4.splat(ABSOLUTE);
  const ones = i32x4.splat(1);
  let lower = f32x4.splat(Infinity);
  let upper = f32x4.splat(-Infinity);
  let near = i32x4.splat(-1);
  let others = i32x4.splat(0);
  const end = values + (<usize>count << 2);
  let at = values;
  for (; at + 16 <= end; at += 16) {
    const four = v128.load(at);
    others = v128.or(others, i32x4.eq(v128.and(four, exponents), exponents));
    lower = f32x4.pmin(lower, four);
    upper = f32x4.pmax(upper, four);
    // zero becomes the greatest
    near = i32x4.min_u(near, i32x4.sub(v128.and(four, absolutes), ones));
  }
  least = Infinity;
  greatest = -Infinity;
  nearest = 0xffffffff;
  if (v128.any_true(others)) return keepFinite(values, values, end);
  extend(f32x4.extract_lane(lower, 0), f32x4.extract_lane(upper, 0), i32x4.extract_lane(near, 0));
  extend(f32x4.extract_lane(lower, 1), f32x4.extract_lane(upper, 1), i32x4.extract_lane(near, 1));
  extend(f32x4.extract_lane(lower, 2), f32x4.extract_lane(upper, 2), i32x4.extract_lane(near, 2));
  extend(f32x4.extract_lane(lower, 3), f32x4.extract_lane(upper, 3), i32x4.extract_lane(near, 3));
  return (<u32>(at - values) >> 2) + keepFinite(at, at, end);
}

function keepFinite(from: usize, to: usize, end: usize): u32 {
  const start = to;
  for (let at = from; at < end; at += 4) {
    const word = load<u32>(at);
    if ((word & EXPONENT) == EXPONENT) continue;
    const value = load<f32>(at);
    extend(value, value, (word & ABSOLUTE) - 1);
    store<u32>(to, word);
    to += 4;
  }
  // whoever measures them instead must not count the last ones twice
  for (let at = to; at < end; at += 4) store<f32>(at, NaN);
  return <u32>(to - start) >> 2;
}

// @ts-ignore: decorator
@inline function extend(low: f32, high: f32, near: u32): void {
  if (low < least) least = low;
  if (high > greatest) greatest = high;
  nearest = min(nearest, near);
}

/**
 * Adds up exactly: values are whole numbers of steps of the smallest exponent. Squares are summed as those of both
 * halves and the products between them. Mean and variance are rounded once, at the end.
 */
function putMoments(values: usize, count: u32, base: u32, out: usize): void {
  let sum: i64 = 0;
  let upper: u64 = 0;
  let mixed: u64 = 0;
  let lower: u64 = 0;
  const end = values + (<usize>count << 2);
  for (let at = values; at < end; at += 4) {
    const word = load<u32>(at);
    const exponent = (word >> 23) & 0xff;
    const isNormal = u32(exponent != 0);
    const whole = <u64>((word & 0x7fffff) | (isNormal << 23)) << <u64>(exponent + (1 - isNormal) - base);
    const sign = <i64>(<i32>word >> 31);
    sum += (<i64>whole ^ sign) - sign;
    const high = whole >> HALF;
    const low = whole & ((1 << HALF) - 1);
    upper += high * high;
    mixed += high * low;
    lower += low * low;
  }
  const shift = <i32>base - 1;
  const size = <u64>(sum < 0 ? -sum : sum);
  const mean = divide(0, size, count, shift, UNIT_EXPONENT);
  store<f64>(out, sum < 0 ? -mean : mean, 24);

  // squares = upper · 2⁵⁰ + mixed · 2²⁶ + lower, in 128 bits
  let left = (upper >> 14) + (mixed >> 38);
  let right = upper << 50;
  right += mixed << 26;
  left += u64(right < mixed << 26);
  right += lower;
  left += u64(right < lower);
  // count · squares - sum²
  multiply(right, count);
  left = left * count + leftBits;
  right = rightBits;
  multiply(size, size);
  left -= leftBits + u64(right < rightBits);
  right -= rightBits;
  const variance = divide(left, right, count * count, 2 * shift, 2 * UNIT_EXPONENT);
  store<f64>(out, sqrt(variance), 32);
  store<f64>(out, variance, 40);
}

/** Percentiles interpolate linearly between the two values around them. */
function putPercentiles(values: usize, count: u32, out: usize, work: usize): void {
  const ranks = work;
  const last = <f64>(count - 1);
  for (let i: usize = 0; i < RANKS / 2; i++) {
    const position = load<f64>(PARTS + (i << 3)) * last;
    store<u32>(ranks + (i << 3), <u32>floor(position));
    store<u32>(ranks + (i << 3), <u32>ceil(position), 4);
  }
  selectRanks(values, count, least, greatest, ranks, ranks + RANKS * 4, work + 64, 0);
  for (let i: usize = 0; i < RANKS / 2; i++) {
    const position = load<f64>(PARTS + (i << 3)) * last;
    const below = <f64>load<f32>(ranks + (i << 3)) + 0.0;
    const above = <f64>load<f32>(ranks + (i << 3), 4) + 0.0;
    store<f64>(out + (<usize>load<u8>(PLACES + i) << 3), below + (position - floor(position)) * (above - below));
  }
}
