import { toKey } from "./float-key";

/** Buckets of equal width between the least and the greatest value: one or two for each value, within these bounds. */
const MIN_BUCKETS: u32 = 64;
const MAX_BUCKETS: u32 = 4096;
/** A value moves over so many others on average at most; outliers that leave most values in one bucket need another sort. */
const MAX_MOVES: u32 = 8;
/** Bits of one pass of the other sort. */
const DIGIT_BITS: u32 = 11;
const DIGITS: usize = 1 << DIGIT_BITS;
const COUNT_BYTES: usize = DIGITS << 2;
/** Memory for the counters of both. */
export const COUNTER_BYTES: usize = 3 * COUNT_BYTES;

/**
 * Puts finite float32 values between `least` and `greatest` with their weights into pairs at `to`, the smallest first;
 * equal ones, which the two zeros are, stay in their order. `counters` has `COUNTER_BYTES`, `work` 8 bytes for each value
 * and 16. Up to 28 bytes after the values are read.
 */
export function sortWeighted(
  values: usize, weights: usize, count: u32, least: f32, greatest: f32, to: usize, counters: usize, work: usize,
): void {
  const buckets = min(MAX_BUCKETS, max(MIN_BUCKETS, <u32>1 << (32 - clz(count))));
  putBuckets(values, count, least, <f32>(buckets - 1) / (greatest - least), buckets - 1, work);
  memory.fill(counters, 0, <usize>buckets << 2);
  for (let i: usize = 0; i < count; i++) {
    const bucket = counters + (<usize>load<u16>(work + (i << 1)) << 2);
    store<u32>(bucket, load<u32>(bucket) + 8);
  }
  addUp(counters, counters + (<usize>buckets << 2), 0);
  for (let i: usize = 0; i < count; i++) {
    const bucket = counters + (<usize>load<u16>(work + (i << 1)) << 2);
    const place = load<u32>(bucket);
    store<u32>(bucket, place + 8);
    store<u32>(to + place, load<u32>(values + (i << 2)));
    store<u32>(to + place, load<u32>(weights + (i << 2)), 4);
  }
  if (!sortNear(to, count)) sortDigits(to, count, counters, work);
}

/** Buckets are equal for equal values, and never less for greater ones, whatever is rounded; what is too large saturates. */
function putBuckets(values: usize, count: u32, least: f32, scale: f32, last: u32, to: usize): void {
  const lower = f32x4.splat(least);
  const scales = f32x4.splat(scale);
  const lasts = i32x4.splat(last);
  for (let at: usize = 0; at < count; at += 8) {
    const first = bucketsOf(values + (at << 2), lower, scales, lasts);
    const second = bucketsOf(values + (at << 2) + 16, lower, scales, lasts);
    v128.store(to + (at << 1), i16x8.narrow_i32x4_s(first, second));
  }
}

// @ts-ignore: decorator
@inline function bucketsOf(from: usize, lower: v128, scales: v128, lasts: v128): v128 {
  return i32x4.min_s(i32x4.trunc_sat_f32x4_s(f32x4.mul(f32x4.sub(v128.load(from), lower), scales)), lasts);
}

/** From counts to the sum of those before each. */
function addUp(counters: usize, end: usize, sum: u32): void {
  for (let at = counters; at < end; at += 4) {
    const own = load<u32>(at);
    store<u32>(at, sum);
    sum += own;
  }
}

/** Sorts pairs by insertion, which are few steps from their places; false if they are not, and then still some are not sorted. */
function sortNear(pairs: usize, count: u32): bool {
  const end = pairs + (<usize>count << 3);
  let moved: usize = 0;
  let last = load<f32>(pairs);
  for (let at = pairs + 8; at < end; at += 8) {
    const value = load<f32>(at);
    if (last <= value) {
      last = value;
      continue;
    }
    const pair = load<u64>(at);
    let to = at;
    do {
      store<u64>(to, load<u64>(to - 8));
      to -= 8;
    } while (to > pairs && load<f32>(to - 8) > value);
    store<u64>(to, pair);
    moved += at - to;
    if (moved > (<usize>count << 3) * MAX_MOVES) return false;
  }
  return true;
}

/** Sorts pairs whatever their values are, digit by digit of their keys. */
function sortDigits(pairs: usize, count: u32, counters: usize, work: usize): void {
  memory.fill(counters, 0, COUNTER_BYTES);
  const end = pairs + (<usize>count << 3);
  for (let at = pairs; at < end; at += 8) {
    const key = keyOf(load<u32>(at));
    for (let digit: u32 = 0; digit < 3; digit++) {
      const counter = counterOf(counters, key, digit);
      store<u32>(counter, load<u32>(counter) + 8);
    }
  }
  for (let digit: u32 = 0; digit < 3; digit++) {
    addUp(counters + digit * COUNT_BYTES, counters + (digit + 1) * COUNT_BYTES, 0);
  }
  sortByDigit(pairs, work, count, counters, 0);
  sortByDigit(work, pairs, count, counters, 1);
  sortByDigit(pairs, work, count, counters, 2);
  memory.copy(pairs, work, <usize>count << 3);
}

function sortByDigit(from: usize, to: usize, count: u32, counters: usize, digit: u32): void {
  const end = from + (<usize>count << 3);
  for (let at = from; at < end; at += 8) {
    const pair = load<u64>(at);
    const counter = counterOf(counters, keyOf(<u32>pair), digit);
    const place = load<u32>(counter);
    store<u32>(counter, place + 8);
    store<u64>(to + place, pair);
  }
}

// @ts-ignore: decorator
@inline function counterOf(counters: usize, key: u32, digit: u32): usize {
  return counters + digit * COUNT_BYTES + (<usize>((key >> (digit * DIGIT_BITS)) & (<u32>DIGITS - 1)) << 2);
}

/** The key of a value; the two zeros are equal. */
// @ts-ignore: decorator
@inline function keyOf(word: u32): u32 {
  return toKey(word << 1 == 0 ? 0 : word);
}
