import { toKey } from "./float-key";

/** The bits that are all set in NaN and infinities. */
const EXPONENT: u32 = 0x7f800000;
/** Bytes of the sums: three float64 numbers for each of 512 signs and exponents. */
const SUMS_BYTES: usize = 512 * 3 * 8;
/** Buckets of keys, and their number as bits. */
const BUCKET_BITS: u32 = 10;
const BUCKETS: usize = 1 << BUCKET_BITS;

/**
 * The same sums as `sumValues`, for up to 16,384 values: the tables of that one take longer to clear than these to fill.
 * Finite values go to `keys` as keys; the least and the greatest value to `extent`. Returns their number.
 */
export function sumFew(values: usize, count: u32, sums: usize, extent: usize, keys: usize): u32 {
  memory.fill(sums, 0, SUMS_BYTES);
  let least: f32 = Infinity;
  let greatest: f32 = -Infinity;
  let to = keys;
  const end = values + (<usize>count << 2);
  for (let at = values; at < end; at += 4) {
    const word = load<u32>(at);
    if ((word & EXPONENT) == EXPONENT) continue;
    const value = load<f32>(at);
    if (value < least) least = value;
    if (value > greatest) greatest = value;
    store<u32>(to, toKey(word));
    to += 4;
    const isNormal = u32((word & EXPONENT) != 0);
    const whole = <u64>((word & 0x7fffff) | (isNormal << 23));
    const square = whole * whole;
    const kind = sums + <usize>(word >>> 23) * 24;
    store<f64>(kind, load<f64>(kind) + <f64>whole);
    store<f64>(kind, load<f64>(kind, 8) + <f64>(square >>> 24), 8);
    store<f64>(kind, load<f64>(kind, 16) + <f64>(square & 0xffffff), 16);
  }
  store<f32>(extent, least);
  store<f32>(extent, greatest, 4);
  return u32((to - keys) >> 2);
}

/**
 * Finds the keys of ranks, from 0 (the smallest) on, in ascending order: they take the positions of the ranks. Keys are
 * put into buckets, and only those with a wanted rank are sorted. `work` has 4 KiB and four bytes for each key, and a few
 * more.
 */
export function selectFew(keys: usize, count: u32, ranks: usize, rankCount: u32, work: usize): void {
  const end = keys + (<usize>count << 2);
  let least: u32 = 0xffffffff;
  let greatest: u32 = 0;
  for (let at = keys; at < end; at += 4) {
    const key = load<u32>(at);
    least = min(least, key);
    greatest = max(greatest, key);
  }
  const bits: u32 = 32 - <u32>clz<u32>(greatest - least);
  const shift: u32 = bits > BUCKET_BITS ? bits - BUCKET_BITS : 0;
  /** For each bucket where its next key goes; in the end, where it ends. */
  const ends = work;
  const sorted = work + ((BUCKETS + 4) << 2);
  memory.fill(ends, 0, (BUCKETS + 4) << 2);
  for (let at = keys; at < end; at += 4) {
    const bucket = ends + (<usize>((load<u32>(at) - least) >>> shift) << 2);
    store<u32>(bucket, load<u32>(bucket, 4) + 1, 4);
  }
  for (let bucket: usize = 1; bucket <= BUCKETS; bucket++) {
    const at = ends + (bucket << 2);
    store<u32>(at, load<u32>(at) + load<u32>(at - 4));
  }
  for (let at = keys; at < end; at += 4) {
    const key = load<u32>(at);
    const bucket = ends + (<usize>((key - least) >>> shift) << 2);
    const place = load<u32>(bucket);
    store<u32>(sorted + (<usize>place << 2), key);
    store<u32>(bucket, place + 1);
  }
  let bucket: usize = 0;
  let begin: u32 = 0;
  let isSorted = false;
  for (let i: u32 = 0; i < rankCount; i++) {
    const at = ranks + (<usize>i << 2);
    const rank = load<u32>(at);
    while (load<u32>(ends + (bucket << 2)) <= rank) {
      begin = load<u32>(ends + (bucket << 2));
      bucket++;
      isSorted = false;
    }
    if (!isSorted) sortKeys(sorted + (<usize>begin << 2), load<u32>(ends + (bucket << 2)) - begin);
    isSorted = true;
    store<u32>(at, load<u32>(sorted + (<usize>rank << 2)));
  }
}

/** Sorts keys in place, by insertion at smaller and smaller distances: most buckets have a few keys. */
function sortKeys(keys: usize, count: u32): void {
  for (let gap = firstGap(count); gap > 0; gap = gap == 1 ? 0 : (gap - 1) / 3) {
    for (let i = gap; i < count; i++) {
      const key = load<u32>(keys + (<usize>i << 2));
      let to = i;
      for (; to >= gap; to -= gap) {
        const other = load<u32>(keys + (<usize>(to - gap) << 2));
        if (other <= key) break;
        store<u32>(keys + (<usize>to << 2), other);
      }
      store<u32>(keys + (<usize>to << 2), key);
    }
  }
}

/** The largest distance of 1, 4, 13, 40, … below a third of the count. */
function firstGap(count: u32): u32 {
  let gap: u32 = 1;
  while (gap * 3 < count / 3) gap = gap * 3 + 1;
  return gap;
}
