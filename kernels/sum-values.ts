import { toKey } from "./float-key";

/** The bits that are all set in NaN and infinities. */
const EXPONENT: u32 = 0x7f800000;
/** Signs and exponents of a float32. */
const KINDS: usize = 512;
/** Bytes of the sums of one kind: whole numbers, upper and lower halves of their squares, and room up to 32. */
const KIND_BYTES: usize = 32;
const TABLE_BYTES: usize = KINDS * KIND_BYTES;
/** Bins of the upper 16 bits of a key. */
const BINS: usize = 65_536;

let least: f32 = 0;
let greatest: f32 = 0;

/**
 * Adds up finite values exactly, as `makeMomentSums` in src/numbers/summary.ts does: per sign and exponent the whole numbers,
 * and both halves of their squares, 512 times three float64 numbers at `sums`. The least and the greatest value go to
 * the two float32 numbers at `extent`. Counts all by the upper 16 bits of their keys in 65,536 bins. Returns their number.
 * Each of four neighbours has its own table in `work` (64 KiB): additions to one sum wait for each other.
 */
export function sumValues(
  values: usize, count: u32, sums: usize, extent: usize, bins: usize, work: usize,
): u32 {
  memory.fill(bins, 0, BINS << 2);
  memory.fill(work, 0, 4 * TABLE_BYTES);
  least = Infinity;
  greatest = -Infinity;
  const exponents = i32x4.splat(EXPONENT);
  let finite: u32 = 0;
  let lower = f32x4.splat(Infinity);
  let upper = f32x4.splat(-Infinity);
  const end = values + (<usize>count << 2);
  let at = values;
  for (; at + 16 <= end; at += 16) {
    const four = v128.load(at);
    if (v128.any_true(i32x4.eq(v128.and(four, exponents), exponents))) {
      for (let lane: usize = 0; lane < 16; lane += 4) finite += addFinite(at + lane, work, bins);
      continue;
    }
    lower = f32x4.pmin(lower, four);
    upper = f32x4.pmax(upper, four);
    add(load<u32>(at), work, bins);
    add(load<u32>(at, 4), work + TABLE_BYTES, bins);
    add(load<u32>(at, 8), work + 2 * TABLE_BYTES, bins);
    add(load<u32>(at, 12), work + 3 * TABLE_BYTES, bins);
    finite += 4;
  }
  for (; at < end; at += 4) finite += addFinite(at, work, bins);
  extend(f32x4.extract_lane(lower, 0), f32x4.extract_lane(upper, 0));
  extend(f32x4.extract_lane(lower, 1), f32x4.extract_lane(upper, 1));
  extend(f32x4.extract_lane(lower, 2), f32x4.extract_lane(upper, 2));
  extend(f32x4.extract_lane(lower, 3), f32x4.extract_lane(upper, 3));
  store<f32>(extent, least);
  store<f32>(extent, greatest, 4);
  joinTables(work, sums);
  return finite;
}

/** Adds a value if it is finite; gives how many were added. */
function addFinite(at: usize, table: usize, bins: usize): u32 {
  const word = load<u32>(at);
  if ((word & EXPONENT) == EXPONENT) return 0;
  add(word, table, bins);
  extend(load<f32>(at), load<f32>(at));
  return 1;
}

// @ts-ignore: decorator
@inline function add(word: u32, table: usize, bins: usize): void {
  const bin = bins + (<usize>(toKey(word) >>> 16) << 2);
  store<u32>(bin, load<u32>(bin) + 1);
  const isNormal = u32((word & EXPONENT) != 0);
  const whole = <u64>((word & 0x7fffff) | (isNormal << 23));
  const square = whole * whole;
  const kind = table + <usize>(word >>> 23) * KIND_BYTES;
  store<u64>(kind, load<u64>(kind) + whole);
  store<u64>(kind, load<u64>(kind, 8) + (square >>> 24), 8);
  store<u64>(kind, load<u64>(kind, 16) + (square & 0xffffff), 16);
}

// @ts-ignore: decorator
@inline function extend(low: f32, high: f32): void {
  if (low < least) least = low;
  if (high > greatest) greatest = high;
}

/** The sums of four tables as float64 numbers; they stay below 2⁵³. */
function joinTables(work: usize, sums: usize): void {
  for (let kind: usize = 0; kind < KINDS; kind++) {
    for (let part: usize = 0; part < 3; part++) {
      const at = work + kind * KIND_BYTES + (part << 3);
      const sum = load<u64>(at) + load<u64>(at + TABLE_BYTES)
        + load<u64>(at + 2 * TABLE_BYTES) + load<u64>(at + 3 * TABLE_BYTES);
      store<f64>(sums + ((kind * 3 + part) << 3), <f64>sum);
    }
  }
}
