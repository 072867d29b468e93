import { toKey } from "./float-key";

/** Bins of the upper 16 bits of a key, of the 8 bits below them, and of the last 8. */
const UPPER: usize = 65_536;
const FEW: usize = 256;

/**
 * Finds the values of ranks, from 0 (the smallest) on, in ascending order and at most 255: their keys take the positions of
 * the ranks. `bins` are those of `sumValues`, by the upper halves of numbers; `least` is the key of the smallest value. The values are lost: those in bins
 * of wanted ranks, mostly few, are moved to the front as keys. `work` has 768 KiB.
 */
export function selectValues(
  values: usize, count: u32, bins: usize, least: u32, ranks: usize, rankCount: u32, work: usize,
): void {
  /** By upper bin, and by slot of it and bin of the next 8 bits: the slot, from 1 on; 0 if nothing in it is wanted. */
  const upperSlots = work;
  const middleSlots = upperSlots + UPPER;
  const middle = middleSlots + FEW * FEW;
  const lower = middle + 4 * FEW * FEW;
  /** For each rank the slot in which it was found. */
  const slots = lower + 4 * FEW * FEW;
  const ranksEnd = ranks + (<usize>rankCount << 2);

  memory.fill(upperSlots, 0, UPPER);
  let used: usize = 0;
  let bin: usize = least >>> 16;
  let below: u32 = 0;
  for (let rank = ranks; rank < ranksEnd; rank += 4) {
    for (;;) {
      const inBin = load<u32>(bins + (upperOf(bin) << 2));
      if (load<u32>(rank) - below < inBin) break;
      below += inBin;
      bin++;
    }
    if (load<u8>(upperSlots + bin) == 0) store<u8>(upperSlots + bin, <u8>++used);
    store<u32>(slots + (rank - ranks), used | (bin << 8));
    store<u32>(rank, load<u32>(rank) - below);
  }

  memory.fill(middle, 0, (used + 1) * FEW << 2);
  // The last bins are counted later: until then their memory has the bins that are looked for.
  const end = moveSought(values, count, lower, listSought(upperSlots, lower), upperSlots, middle);

  memory.fill(middleSlots, 0, (used + 1) * FEW);
  used = 0;
  for (let rank = ranks; rank < ranksEnd; rank += 4) {
    const found = load<u32>(slots + (rank - ranks));
    const first = <usize>(found & 0xff) * FEW;
    const next = skipBins(middle + (first << 2), rank);
    if (load<u8>(middleSlots + first + next) == 0) store<u8>(middleSlots + first + next, <u8>++used);
    store<u32>(slots + (rank - ranks), used | ((found >>> 8) << 16) | (next << 8));
  }

  memory.fill(lower, 0, (used + 1) * FEW << 2);
  countLower(values, end, upperSlots, middleSlots, lower);
  for (let rank = ranks; rank < ranksEnd; rank += 4) {
    const found = load<u32>(slots + (rank - ranks));
    const next = skipBins(lower + ((<usize>(found & 0xff) * FEW) << 2), rank);
    store<u32>(rank, (found & 0xffffff00) | next);
  }
}

/** The upper half of numbers whose keys begin with these 16 bits: the inverse of `toKey`. */
// @ts-ignore: decorator
@inline function upperOf(bin: usize): usize {
  return bin >= 0x8000 ? bin ^ 0x8000 : bin ^ 0xffff;
}

/** Writes the upper halves of the numbers whose keys are in wanted bins, eight times each; returns the end of them. */
function listSought(upperSlots: usize, to: usize): usize {
  for (let bin: u32 = 0; bin < <u32>UPPER; bin++) {
    if ((bin & 7) == 0 && load<u64>(upperSlots + bin) == 0) bin += 7;
    else if (load<u8>(upperSlots + bin) != 0) {
      v128.store(to, i16x8.splat(<i16>upperOf(bin)));
      to += 16;
    }
  }
  return to;
}

let front: usize = 0;

/**
 * Counts the middle bits of the values whose upper bits are sought, and moves their keys to the front; returns the end of
 * them. Eight values are compared at a time: a percentile needs one bin of some hundred that values lie in.
 */
function moveSought(
  values: usize, count: u32, sought: usize, soughtEnd: usize, upperSlots: usize, middle: usize,
): usize {
  const end = values + (<usize>count << 2);
  front = values;
  let at = values;
  for (; at + 32 <= end; at += 32) {
    const upper = i8x16.shuffle(
      v128.load(at), v128.load(at, 16), 2, 3, 6, 7, 10, 11, 14, 15, 18, 19, 22, 23, 26, 27, 30, 31,
    );
    let found = i16x8.eq(upper, v128.load(sought));
    for (let one = sought + 16; one < soughtEnd; one += 16)
      found = v128.or(found, i16x8.eq(upper, v128.load(one)));
    if (!v128.any_true(found)) continue;
    for (let lanes = i16x8.bitmask(found); lanes != 0; lanes &= lanes - 1)
      moveKey(at + (<usize>ctz(lanes) << 2), upperSlots, middle);
  }
  for (; at < end; at += 4)
    if (load<u8>(upperSlots + (toKey(load<u32>(at)) >>> 16)) != 0) moveKey(at, upperSlots, middle);
  return front;
}

// @ts-ignore: decorator
@inline function moveKey(at: usize, upperSlots: usize, middle: usize): void {
  const key = toKey(load<u32>(at));
  const slot = <usize>load<u8>(upperSlots + (key >>> 16));
  const bin = middle + ((slot * FEW + ((key >>> 8) & 0xff)) << 2);
  store<u32>(bin, load<u32>(bin) + 1);
  store<u32>(front, key);
  front += 4;
}

/** Counts the last bits of keys by the slot of their other bits. */
function countLower(keys: usize, end: usize, upperSlots: usize, middleSlots: usize, lower: usize): void {
  for (let at = keys; at < end; at += 4) {
    const key = load<u32>(at);
    const above = <usize>load<u8>(upperSlots + (key >>> 16)) * FEW + ((key >>> 8) & 0xff);
    const bin = lower + ((<usize>load<u8>(middleSlots + above) * FEW + (key & 0xff)) << 2);
    store<u32>(bin, load<u32>(bin) + 1);
  }
}

/** The bin of a rank, which becomes that within the bin. */
function skipBins(bins: usize, rank: usize): usize {
  let rest = load<u32>(rank);
  let bin: usize = 0;
  for (; rest >= load<u32>(bins + (bin << 2)); bin++) rest -= load<u32>(bins + (bin << 2));
  store<u32>(rank, rest);
  return bin;
}
