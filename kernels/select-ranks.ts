/** Buckets of equal width between the least and the greatest value. */
const BUCKETS: usize = 256;
/** More values than this are put into buckets, that often at most: a few outliers leave all others in one. */
const LARGE: u32 = 48;
const MAX_DEPTH: u32 = 3;

/**
 * Finds the values of ranks, from 0 (the smallest) on: each takes the place of its rank. Those of many values are in
 * ascending order. Values are counted in buckets, and only those of buckets with a wanted rank are sorted. `work` has 5 bytes for each value and
 * 2 KiB, three times; up to 60 bytes after the values are read.
 */
export function selectRanks(
  values: usize, count: u32, least: f32, greatest: f32, ranks: usize, ranksEnd: usize, work: usize, depth: u32,
): void {
  if (least == greatest) {
    for (let rank = ranks; rank < ranksEnd; rank += 4) store<f32>(rank, least);
    return;
  }
  if (count <= LARGE || depth == MAX_DEPTH) {
    sort(values, count);
    for (let rank = ranks; rank < ranksEnd; rank += 4) {
      store<u32>(rank, load<u32>(values + (<usize>load<u32>(rank) << 2)));
    }
    return;
  }
  const counts = work;
  const places = work + (BUCKETS << 2);
  const chosen = places + ((<usize>count + 31) & ~15);
  countBuckets(values, count, least, <f32>(BUCKETS - 1) / (greatest - least), counts, places);
  let bucket: usize = 0;
  let below: u32 = 0;
  for (let rank = ranks; rank < ranksEnd; ) {
    let size = load<u32>(counts + (bucket << 2));
    while (below + size <= load<u32>(rank)) {
      below += size;
      bucket++;
      size = load<u32>(counts + (bucket << 2));
    }
    // the ranks of this bucket, counted within it
    const first = rank;
    for (; rank < ranksEnd && load<u32>(rank) < below + size; rank += 4) store<u32>(rank, load<u32>(rank) - below);
    gather(values, count, places, <u32>bucket, chosen);
    selectChosen(chosen, size, first, rank, depth + 1);
  }
}

/**
 * Puts the bucket of each value to a byte of `places`, and counts them. Buckets are equal for equal values, and never less
 * for greater ones, whatever is rounded.
 */
function countBuckets(values: usize, count: u32, least: f32, scale: f32, counts: usize, places: usize): void {
  memory.fill(counts, 0, BUCKETS << 2);
  const lower = f32x4.splat(least);
  const scales = f32x4.splat(scale);
  for (let at: usize = 0; at < count; at += 16) {
    const from = values + (at << 2);
    const first = i16x8.narrow_i32x4_s(toBuckets(from, lower, scales), toBuckets(from + 16, lower, scales));
    const second = i16x8.narrow_i32x4_s(toBuckets(from + 32, lower, scales), toBuckets(from + 48, lower, scales));
    v128.store(places + at, i8x16.narrow_i16x8_u(first, second));
  }
  for (let at: usize = 0; at < count; at++) {
    const bucket = counts + (<usize>load<u8>(places + at) << 2);
    store<u32>(bucket, load<u32>(bucket) + 1);
  }
}

/** What does not fit a byte saturates. */
// @ts-ignore: decorator
@inline function toBuckets(from: usize, lower: v128, scales: v128): v128 {
  return i32x4.trunc_sat_f32x4_s(f32x4.mul(f32x4.sub(v128.load(from), lower), scales));
}

/** Copies the values of a bucket: sixteen places are compared at a time, because few are in it. */
function gather(values: usize, count: u32, places: usize, bucket: u32, to: usize): void {
  const wanted = i8x16.splat(<i8>bucket);
  for (let at: usize = 0; at < count; at += 16) {
    let found: u32 = <u32>i8x16.bitmask(i8x16.eq(v128.load(places + at), wanted));
    // places after the last value are left over
    if (at + 16 > count) found &= (1 << (count - <u32>at)) - 1;
    while (found != 0) {
      store<u32>(to, load<u32>(values + ((at + ctz(found)) << 2)));
      to += 4;
      found &= found - 1;
    }
  }
}

/** The values of a bucket, between its own ends. */
function selectChosen(values: usize, count: u32, ranks: usize, ranksEnd: usize, depth: u32): void {
  let least: f32 = Infinity;
  let greatest: f32 = -Infinity;
  const end = values + (<usize>count << 2);
  for (let at = values; at < end; at += 4) {
    least = min(least, load<f32>(at));
    greatest = max(greatest, load<f32>(at));
  }
  selectRanks(values, count, least, greatest, ranks, ranksEnd, end + 16, depth);
}

/** Sorts values in place, by insertion at smaller and smaller distances: most buckets have a few. */
function sort(values: usize, count: u32): void {
  for (let gap = firstGap(count); gap > 0; gap = gap == 1 ? 0 : (gap - 1) / 3) {
    for (let i = gap; i < count; i++) {
      const value = load<f32>(values + (<usize>i << 2));
      let to = i;
      for (; to >= gap; to -= gap) {
        const other = load<f32>(values + (<usize>(to - gap) << 2));
        if (other <= value) break;
        store<f32>(values + (<usize>to << 2), other);
      }
      store<f32>(values + (<usize>to << 2), value);
    }
  }
}

/** The largest distance of 1, 4, 13, 40, … below a third of the count. */
function firstGap(count: u32): u32 {
  let gap: u32 = 1;
  while (gap * 3 < count / 3) gap = gap * 3 + 1;
  return gap;
}
