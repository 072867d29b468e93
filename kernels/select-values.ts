import { toKey } from "./float-key";

/** Bins of the upper 16 bits of a key, of the 8 bits below them, and of the last 8. */
const UPPER: usize = 65_536;
const FEW: usize = 256;

/**
 * Finds the values of ranks, from 0 (the smallest) on, in ascending order and at most 255: their keys take the positions of
 * the ranks. `bins` are those of `sumValues`; `least` is the key of the smallest value. The values are lost: those in bins
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
    while (load<u32>(rank) - below >= load<u32>(bins + (bin << 2))) below += load<u32>(bins + (bin++ << 2));
    if (load<u8>(upperSlots + bin) == 0) store<u8>(upperSlots + bin, <u8>++used);
    store<u32>(slots + (rank - ranks), used | (bin << 8));
    store<u32>(rank, load<u32>(rank) - below);
  }

  memory.fill(middle, 0, (used + 1) * FEW << 2);
  const end = moveWanted(values, count, upperSlots, middle);

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

/**
 * Counts the middle bits of all values by the slot of their upper bits, and moves the keys of those with a slot to the
 * front; returns the end of them.
 */
function moveWanted(values: usize, count: u32, upperSlots: usize, middle: usize): usize {
  const end = values + (<usize>count << 2);
  let to = values;
  for (let at = values; at < end; at += 4) {
    const key = toKey(load<u32>(at));
    const slot = <usize>load<u8>(upperSlots + (key >>> 16));
    const bin = middle + ((slot * FEW + ((key >>> 8) & 0xff)) << 2);
    store<u32>(bin, load<u32>(bin) + 1);
    store<u32>(to, key);
    to += <usize>(slot != 0) << 2;
  }
  return to;
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
