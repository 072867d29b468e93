import { toKey } from "./float-key";

/** The bits that are all set in NaN and infinities. */
const EXPONENT: u32 = 0x7f800000;
/** Bits of one pass of sorting, and of the last. */
const DIGIT_BITS: u32 = 11;
const DIGITS: usize = 1 << DIGIT_BITS;
const COUNT_BYTES: usize = DIGITS << 2;
const QUANTILES: usize = memory.data<f64>([0.1, 0.25, 0.5, 0.75, 0.9]);
/** Places of the quantiles in the results. */
const PLACES: usize = memory.data<u8>([9, 6, 7, 8, 10]);
const QUANTILE_COUNT: usize = 5;

/**
 * Statistics of float32 values with weights, those that are finite, equal to `summarizeWeighted` in
 * src/bulk/weighted-values.ts to the last bit: the numbers of `summarizeFew` at `out`. Returns how many are finite. `work`
 * has 32 bytes for each value and 32 KiB.
 */
export function summarizeWeighted(values: usize, weights: usize, count: u32, out: usize, work: usize): u32 {
  const pairs = work + 3 * COUNT_BYTES;
  const others = pairs + (<usize>count << 3);
  const finite = putPairs(values, count, pairs, work);
  if (finite == 0) return 0;
  // three passes: the result lies in the other list
  sortPairs(pairs, others, finite, work, 0);
  sortPairs(others, pairs, finite, work + COUNT_BYTES, DIGIT_BITS);
  sortPairs(pairs, others, finite, work + 2 * COUNT_BYTES, 2 * DIGIT_BITS);
  const different = others + (<usize>count << 3);
  let total: f64 = 0;
  let sum: f64 = 0;
  const end = others + (<usize>finite << 3);
  for (let at = others; at < end; at += 8) {
    const position = <usize>load<u32>(at, 4) << 2;
    const share = <f64>load<f32>(weights + position);
    total += share;
    sum += share * <f64>load<f32>(values + position);
  }
  const average = sum / total;
  let squares: f64 = 0;
  let length: usize = 0;
  let last: f64 = 0;
  // different values with the weights of all that are equal, 16 bytes each
  let to = different - 16;
  for (let at = others; at < end; at += 8) {
    const position = <usize>load<u32>(at, 4) << 2;
    const share = <f64>load<f32>(weights + position);
    const value = <f64>load<f32>(values + position);
    const distance = value - average;
    squares += share * (distance * distance);
    if (length == 0 || value != last) {
      to += 16;
      store<f64>(to, value);
      store<f64>(to, 0, 8);
      last = value;
      length++;
    }
    store<f64>(to, load<f64>(to, 8) + share, 8);
  }
  const variance = squares / total;
  store<f64>(out, total);
  store<f64>(out, <f64>load<f32>(values + (<usize>load<u32>(others, 4) << 2)), 8);
  store<f64>(out, <f64>load<f32>(values + (<usize>load<u32>(end - 8, 4) << 2)), 16);
  store<f64>(out, average, 24);
  store<f64>(out, sqrt(variance), 32);
  store<f64>(out, variance, 40);
  putQuantiles(different, length, total, out);
  return finite;
}

/** Writes the key and the position of each finite value, and counts the three digits of keys at `counts`. */
function putPairs(values: usize, count: u32, pairs: usize, counts: usize): u32 {
  memory.fill(counts, 0, 3 * COUNT_BYTES);
  let to = pairs;
  for (let i: u32 = 0; i < count; i++) {
    const word = load<u32>(values + (<usize>i << 2));
    if ((word & EXPONENT) == EXPONENT) continue;
    // the two zeros are equal
    const key = toKey(word << 1 == 0 ? 0 : word);
    store<u32>(to, key);
    store<u32>(to, i, 4);
    to += 8;
    increase(counts, key);
    increase(counts + COUNT_BYTES, key >> DIGIT_BITS);
    increase(counts + 2 * COUNT_BYTES, key >> (2 * DIGIT_BITS));
  }
  return <u32>(to - pairs) >> 3;
}

// @ts-ignore: decorator
@inline function increase(counts: usize, digits: u32): void {
  const at = counts + (<usize>(digits & (<u32>DIGITS - 1)) << 2);
  store<u32>(at, load<u32>(at) + 1);
}

/** Sorts pairs by a digit of their keys; equal ones stay in their order. */
function sortPairs(from: usize, to: usize, count: u32, counts: usize, shift: u32): void {
  let place: u32 = 0;
  for (let at = counts; at < counts + COUNT_BYTES; at += 4) {
    const own = load<u32>(at);
    store<u32>(at, place);
    place += own;
  }
  const end = from + (<usize>count << 3);
  for (let at = from; at < end; at += 8) {
    const pair = load<u64>(at);
    const next = counts + (<usize>((<u32>pair >> shift) & (<u32>DIGITS - 1)) << 2);
    const own = load<u32>(next);
    store<u32>(next, own + 1);
    store<u64>(to + (<usize>own << 3), pair);
  }
}

/** Interpolates between different values that stand for as much as their weights say. */
function putQuantiles(different: usize, length: usize, total: f64, out: usize): void {
  const last = length - 1;
  let i: usize = 0;
  let before: f64 = 0;
  for (let quantile: usize = 0; quantile < QUANTILE_COUNT; quantile++) {
    const place = load<f64>(QUANTILES + (quantile << 3)) * total * <f64>last;
    while (i < last && placeOf(different, i + 1, before + weightOf(different, i), last) <= place) {
      before += weightOf(different, i);
      i++;
    }
    const value = load<f64>(different + (i << 4));
    let found = value;
    if (i < last) {
      const here = placeOf(different, i, before, last);
      const next = placeOf(different, i + 1, before + weightOf(different, i), last);
      found = value + ((place - here) * (load<f64>(different + ((i + 1) << 4)) - value)) / (next - here);
    }
    store<f64>(out + (<usize>load<u8>(PLACES + quantile) << 3), found);
  }
}

// @ts-ignore: decorator
@inline function weightOf(different: usize, i: usize): f64 {
  return load<f64>(different + (i << 4), 8);
}

/** Where a value stands, by its position and the weights before it. */
// @ts-ignore: decorator
@inline function placeOf(different: usize, position: usize, before: f64, last: usize): f64 {
  return <f64>position * weightOf(different, position) + <f64>last * before;
}
