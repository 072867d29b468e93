import { addBlock, BLOCK_BYTES, countFour, countOne, MAX_BASE, MAX_SPAN } from "./block-sums";

/** The bits that are all set in NaN and infinities, and all bits but the sign. */
const EXPONENT: u32 = 0x7f800000;
const ABSOLUTE: u32 = 0x7fffffff;
/** Signs and exponents of a float32. */
const KINDS: usize = 512;
/** Bytes of the sums of one kind: whole numbers, upper and lower halves of their squares, and room up to 32. */
const KIND_BYTES: usize = 32;
const TABLE_BYTES: usize = KINDS * KIND_BYTES;
/** Bins of the upper 16 bits of a value. */
const BINS: usize = 65_536;

let least: f32 = 0;
let greatest: f32 = 0;
/** Of a block: the smallest absolute value that is not zero, minus one, and the greatest, as bits. */
let nearest: u32 = 0;
let farthest: u32 = 0;

/**
 * Adds up finite values exactly, as `makeMomentSums` in src/numbers/summary.ts does: per sign and exponent whole numbers, and
 * both halves of their squares, 512 times three float64 numbers at `sums`. The sums of a block go to few exponents,
 * those of its smallest value. The least and the greatest value go to the two float32 numbers at `extent`. Counts all
 * by their upper 16 bits in 65,536 bins. Returns their number. `work` has 64 KiB.
 */
export function sumValues(
  values: usize, count: u32, sums: usize, extent: usize, bins: usize, work: usize,
): u32 {
  memory.fill(bins, 0, BINS << 2);
  memory.fill(work, 0, 4 * TABLE_BYTES);
  least = Infinity;
  greatest = -Infinity;
  let finite: u32 = 0;
  const end = values + (<usize>count << 2);
  for (let from = values; from < end; from += BLOCK_BYTES) {
    const until = min(end, from + BLOCK_BYTES);
    const whole = from + ((until - from) & ~15);
    // what is read first is in the nearest cache for what follows
    if (isFinite(from, whole)) {
      const base = max(1, (nearest + 1) >>> 23);
      if (base <= MAX_BASE && max(1, farthest >>> 23) <= base + MAX_SPAN)
        addBlock(from, whole, base, work, KIND_BYTES, bins);
      else for (let at = from; at < whole; at += 16) addFour(at, work, bins);
      finite += <u32>(whole - from) >> 2;
    } else for (let at = from; at < whole; at += 4) finite += addFinite(at, work, bins);
    for (let at = whole; at < until; at += 4) finite += addFinite(at, work, bins);
  }
  store<f32>(extent, least);
  store<f32>(extent, greatest, 4);
  joinTables(work, sums);
  return finite;
}

/** Finds the ends of the values of a block; false if one of them is not finite, and then nothing is found. */
function isFinite(from: usize, end: usize): bool {
  const absolutes = i32x4.splat(ABSOLUTE);
  const ones = i32x4.splat(1);
  let lower = f32x4.splat(Infinity);
  let upper = f32x4.splat(-Infinity);
  let near = i32x4.splat(-1);
  let far = i32x4.splat(0);
  for (let at = from; at < end; at += 16) {
    const four = v128.load(at);
    const size = v128.and(four, absolutes);
    lower = f32x4.pmin(lower, four);
    upper = f32x4.pmax(upper, four);
    // zero becomes the greatest
    near = i32x4.min_u(near, i32x4.sub(size, ones));
    far = i32x4.max_u(far, size);
  }
  farthest = max(
    max(i32x4.extract_lane(far, 0), i32x4.extract_lane(far, 1)),
    max(i32x4.extract_lane(far, 2), i32x4.extract_lane(far, 3)),
  );
  if (farthest >= EXPONENT) return false;
  nearest = min(
    min(<u32>i32x4.extract_lane(near, 0), <u32>i32x4.extract_lane(near, 1)),
    min(<u32>i32x4.extract_lane(near, 2), <u32>i32x4.extract_lane(near, 3)),
  );
  extend(f32x4.extract_lane(lower, 0), f32x4.extract_lane(upper, 0));
  extend(f32x4.extract_lane(lower, 1), f32x4.extract_lane(upper, 1));
  extend(f32x4.extract_lane(lower, 2), f32x4.extract_lane(upper, 2));
  extend(f32x4.extract_lane(lower, 3), f32x4.extract_lane(upper, 3));
  return true;
}

/** Each of four neighbours has its own table: additions to one sum wait for each other. */
// @ts-ignore: decorator
@inline function addFour(at: usize, work: usize, bins: usize): void {
  countFour(at, bins);
  add(load<u32>(at), work);
  add(load<u32>(at, 4), work + TABLE_BYTES);
  add(load<u32>(at, 8), work + 2 * TABLE_BYTES);
  add(load<u32>(at, 12), work + 3 * TABLE_BYTES);
}

/** Adds a value if it is finite; gives how many were added. */
function addFinite(at: usize, table: usize, bins: usize): u32 {
  const word = load<u32>(at);
  if ((word & EXPONENT) == EXPONENT) return 0;
  add(word, table);
  countOne(at, bins);
  extend(load<f32>(at), load<f32>(at));
  return 1;
}

// @ts-ignore: decorator
@inline function add(word: u32, table: usize): void {
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
