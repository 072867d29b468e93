import { COUNTER_BYTES, sortWeighted } from "./sort-weighted";

/** The bits that are all set in NaN and infinities. */
const EXPONENT: u32 = 0x7f800000;
const QUANTILES: usize = memory.data<f64>([0.1, 0.25, 0.5, 0.75, 0.9]);
/** Places of the quantiles in the results. */
const PLACES: usize = memory.data<u8>([9, 6, 7, 8, 10]);
const QUANTILE_COUNT: usize = 5;
/** Bytes of a different value: itself, the weights of all that are equal to it, and those of all that are less. */
const DIFFERENT_BYTES: usize = 24;

let least: f32 = 0;
let greatest: f32 = 0;

/**
 * Statistics of up to 16,384 float32 values with weights, those that are finite, equal to `summarizeWeighted` in
 * src/bulk/weighted-values.ts to the last bit: the numbers of `summarizeFew` at `out`. Returns how many are finite. Values
 * and weights are lost, and up to 28 bytes after them are read. `work` has 32 bytes for each value and 32 KiB.
 */
export function summarizeWeighted(values: usize, weights: usize, count: u32, out: usize, work: usize): u32 {
  const finite = keepFinite(values, weights, count);
  if (finite == 0) return 0;
  const pairs = work + COUNTER_BYTES;
  const different = pairs + (<usize>finite << 3);
  sortWeighted(values, weights, finite, least, greatest, pairs, work, different);
  const end = pairs + (<usize>finite << 3);
  let total: f64 = 0;
  let sum: f64 = 0;
  let before: f64 = 0;
  let own: f64 = 0;
  let last = load<f32>(pairs);
  let to = different;
  for (let at = pairs; at < end; at += 8) {
    const value = load<f32>(at);
    const share = <f64>load<f32>(at, 4);
    total += share;
    sum += share * <f64>value;
    if (value != last) {
      putDifferent(to, last, own, before);
      to += DIFFERENT_BYTES;
      before += own;
      own = 0;
      last = value;
    }
    own += share;
  }
  putDifferent(to, last, own, before);
  const average = sum / total;
  let squares: f64 = 0;
  for (let at = pairs; at < end; at += 8) {
    const distance = <f64>load<f32>(at) - average;
    squares += <f64>load<f32>(at, 4) * (distance * distance);
  }
  const variance = squares / total;
  store<f64>(out, total);
  store<f64>(out, <f64>load<f32>(pairs), 8);
  store<f64>(out, <f64>load<f32>(end - 8), 16);
  store<f64>(out, average, 24);
  store<f64>(out, sqrt(variance), 32);
  store<f64>(out, variance, 40);
  putQuantiles(different, (to - different) / DIFFERENT_BYTES, total, out);
  return finite;
}

// @ts-ignore: decorator
@inline function putDifferent(to: usize, value: f32, weight: f64, before: f64): void {
  store<f64>(to, <f64>value);
  store<f64>(to, weight, 8);
  store<f64>(to, before, 16);
}

/** Moves finite values and their weights to the front if there are others, and finds their ends; returns their number. */
function keepFinite(values: usize, weights: usize, count: u32): u32 {
  const exponents = i32x4.splat(EXPONENT);
  let lower = f32x4.splat(Infinity);
  let upper = f32x4.splat(-Infinity);
  least = Infinity;
  greatest = -Infinity;
  const end = <usize>count << 2;
  let at: usize = 0;
  for (; at + 16 <= end; at += 16) {
    const four = v128.load(values + at);
    if (v128.any_true(i32x4.eq(v128.and(four, exponents), exponents))) break;
    lower = f32x4.pmin(lower, four);
    upper = f32x4.pmax(upper, four);
  }
  extend(f32x4.extract_lane(lower, 0), f32x4.extract_lane(upper, 0));
  extend(f32x4.extract_lane(lower, 1), f32x4.extract_lane(upper, 1));
  extend(f32x4.extract_lane(lower, 2), f32x4.extract_lane(upper, 2));
  extend(f32x4.extract_lane(lower, 3), f32x4.extract_lane(upper, 3));
  let to = at;
  for (; at < end; at += 4) {
    const word = load<u32>(values + at);
    if ((word & EXPONENT) == EXPONENT) continue;
    const value = reinterpret<f32>(word);
    extend(value, value);
    store<u32>(values + to, word);
    store<u32>(weights + to, load<u32>(weights + at));
    to += 4;
  }
  return <u32>to >> 2;
}

// @ts-ignore: decorator
@inline function extend(low: f32, high: f32): void {
  if (low < least) least = low;
  if (high > greatest) greatest = high;
}

/**
 * Interpolates between different values that stand for as much as their weights say. Places grow from one to the next by
 * more than is rounded, as shares of up to 16,384 pixels are not below 10⁻⁹: so halving finds what a walk would.
 */
function putQuantiles(different: usize, last: usize, total: f64, out: usize): void {
  let i: usize = 0;
  for (let quantile: usize = 0; quantile < QUANTILE_COUNT; quantile++) {
    const place = load<f64>(QUANTILES + (quantile << 3)) * total * <f64>last;
    let end = last;
    while (i < end) {
      const middle = (i + end) >> 1;
      if (placeOf(different, middle + 1, last) <= place) i = middle + 1;
      else end = middle;
    }
    const at = different + i * DIFFERENT_BYTES;
    const value = load<f64>(at);
    let found = value;
    if (i < last) {
      const here = placeOf(different, i, last);
      const next = placeOf(different, i + 1, last);
      found = value + ((place - here) * (load<f64>(at, DIFFERENT_BYTES) - value)) / (next - here);
    }
    store<f64>(out + (<usize>load<u8>(PLACES + quantile) << 3), found);
  }
}

/** Where a value stands, by its position and the weights before it. */
// @ts-ignore: decorator
@inline function placeOf(different: usize, position: usize, last: usize): f64 {
  const at = different + position * DIFFERENT_BYTES;
  return <f64>position * load<f64>(at, 8) + <f64>last * load<f64>(at, 16);
}
