import { hasValue, toBytes } from "./paint-seen";
import { findSlot, toBuckets } from "./step-slot";

/**
 * One byte for each value: the slot by the number of thresholds not above it, or `hole` for masked pixels and NaN.
 * Returns 1 when there is no such pixel. The layout of the job, written by src/color/step-search.ts:
 *
 *     0  f32  low          value at which buckets begin
 *     4  f32  perUnit      buckets for each unit of value
 *     8  f32  last         the last bucket
 *    12  i32  half         where bisection begins in a bucket: a power of two
 *    16  u32  starts       address of u16: thresholds before each bucket
 *    20  u32  thresholds   address of f32, ascending, followed by NaN
 *    24  u32  slots        address of u8: by the number of thresholds
 *    28  i32  hole
 *    32  u32  entries      address of 8 bytes for each bucket, if none has two thresholds, and 0 otherwise: its
 *                          threshold or the next one (f32), and the slots below it and from it on (u8 each)
 */
export function paintSteps(values: usize, mask: usize, indexes: usize, count: i32, job: usize): i32 {
  const entries = <usize>load<u32>(job, 32);
  if (entries != 0) return paintFine(values, mask, indexes, count, job, entries);
  const half = load<i32>(job, 12);
  // A bucket almost always has one threshold or none: that loop has no inner loop, and takes half the time.
  if (half == 1) return paint(values, mask, indexes, count, job, 1);
  if (half == 2) return paint(values, mask, indexes, count, job, 2);
  return paint(values, mask, indexes, count, job, half);
}

// @ts-ignore: decorator
@inline function paint(values: usize, mask: usize, indexes: usize, count: i32, job: usize, half: i32): i32 {
  const low = v128.load32_splat(job);
  const perUnit = v128.load32_splat(job, 4);
  const last = v128.load32_splat(job, 8);
  const starts = <usize>load<u32>(job, 16);
  const thresholds = <usize>load<u32>(job, 20);
  const slots = <usize>load<u32>(job, 24);
  const holes = load<u32>(job, 28) * 0x01010101;
  let all = i32x4.splat(-1);
  // The last group reads beyond its planes, which have room there, and writes only its own pixels.
  for (let i = 0; i < count; i += 4) {
    const v = v128.load(values + (<usize>i << 2));
    const seen = hasValue(v, mask + <usize>i);
    const bucket = toBuckets(v, low, perUnit, last);
    const slot =
      findSlot(i32x4.extract_lane(bucket, 0), f32x4.extract_lane(v, 0), half, starts, thresholds, slots) |
      (findSlot(i32x4.extract_lane(bucket, 1), f32x4.extract_lane(v, 1), half, starts, thresholds, slots) << 8) |
      (findSlot(i32x4.extract_lane(bucket, 2), f32x4.extract_lane(v, 2), half, starts, thresholds, slots) << 16) |
      (findSlot(i32x4.extract_lane(bucket, 3), f32x4.extract_lane(v, 3), half, starts, thresholds, slots) << 24);
    const show = toBytes(seen);
    const pixels = (slot & show) | (holes & ~show);
    const rest = count - i;
    if (rest >= 4) {
      store<u32>(indexes + <usize>i, pixels);
      all = v128.and(all, seen);
    } else {
      for (let k = 0; k < rest; k++) {
        store<u8>(indexes + <usize>(i + k), <u8>(pixels >> (k << 3)));
        if (((show >> (k << 3)) & 1) == 0) all = i32x4.splat(0);
      }
    }
  }
  return i32(i32x4.all_true(all));
}

/** Each value meets one threshold: an entry has all that it needs, and lanes are compared at once. */
function paintFine(values: usize, mask: usize, indexes: usize, count: i32, job: usize, entries: usize): i32 {
  const low = v128.load32_splat(job);
  const perUnit = v128.load32_splat(job, 4);
  const last = v128.load32_splat(job, 8);
  const hole = v128.load32_splat(job, 28);
  let all = i32x4.splat(-1);
  // The last group reads beyond its planes, which have room there, and writes only its own pixels.
  for (let i = 0; i < count; i += 4) {
    const v = v128.load(values + (<usize>i << 2));
    const seen = hasValue(v, mask + <usize>i);
    const at = i32x4.shl(toBuckets(v, low, perUnit, last), 3);
    const first = v128.load_lane<u64>(
      entries + <usize>i32x4.extract_lane(at, 1), v128.load64_zero(entries + <usize>i32x4.extract_lane(at, 0)), 1,
    );
    const second = v128.load_lane<u64>(
      entries + <usize>i32x4.extract_lane(at, 3), v128.load64_zero(entries + <usize>i32x4.extract_lane(at, 2)), 1,
    );
    const reached = f32x4.ge(v, v128.shuffle<f32>(first, second, 0, 2, 4, 6));
    const slots = v128.shuffle<i32>(first, second, 1, 3, 5, 7);
    const slot = v128.and(v128.bitselect(i32x4.shr_u(slots, 8), slots, reached), i32x4.splat(255));
    const shown = i16x8.narrow_i32x4_s(v128.bitselect(slot, hole, seen), slot);
    const pixels = <u32>i32x4.extract_lane(i8x16.narrow_i16x8_u(shown, shown), 0);
    const rest = count - i;
    if (rest >= 4) {
      store<u32>(indexes + <usize>i, pixels);
      all = v128.and(all, seen);
    } else {
      const show = toBytes(seen);
      for (let k = 0; k < rest; k++) {
        store<u8>(indexes + <usize>(i + k), <u8>(pixels >> (k << 3)));
        if (((show >> (k << 3)) & 1) == 0) all = i32x4.splat(0);
      }
    }
  }
  return i32(i32x4.all_true(all));
}
