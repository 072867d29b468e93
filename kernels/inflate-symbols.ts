import { CODE_LENGTHS, DISTANCE_BITS, DISTANCE_TABLE, END_OF_BLOCK, FAR_PART, FAR_SPECIAL } from "./inflate-codes";
import { LITERAL_BITS, LITERAL_TABLE, OTHERS, PART, SPECIAL } from "./inflate-codes";
import { peek } from "./inflate-header";

/** Results of the loops: the block ended, it continues, or a kind of damage (see inflate.ts). */
export const BLOCK_ENDED: i32 = 1;
export const GOES_ON: i32 = 0;
export const CUT: i32 = -1;
export const TOO_MUCH: i32 = -2;
export const BAD_SYMBOL: i32 = -5;
export const TOO_FAR: i32 = -6;

/** The bits of an entry that count its literals. */
const LITERALS: u32 = 3 << 29;

/** The max that one iteration of the fast loop writes (two literals and a match) or reads (far less than this). */
const TURN_OUT_BYTES: usize = 264;
const TURN_IN_BYTES: u32 = 32;

/** Where a loop stopped, and where its last symbol began. */
export let bitNow: u32 = 0;
export let toNow: usize = 0;
export let lastBit: u32 = 0;
export let lastTo: usize = 0;

/** Decodes symbols while both ends are further away than one iteration goes, so that no bounds are checked. */
export function runFast(stored: usize, storedBytes: u32, bit: u32, start: usize, at: usize, limit: usize): i32 {
  bitNow = bit;
  toNow = at;
  if (storedBytes <= (bit >> 3) + TURN_IN_BYTES || at + TURN_OUT_BYTES >= limit) return GOES_ON;
  const fastIn = stored + storedBytes - TURN_IN_BYTES;
  const fastOut = limit - TURN_OUT_BYTES;
  let to = at;
  let from = stored + (bit >> 3);
  let bits = load<u64>(from) >> (bit & 7);
  // the whole bytes of the word just read; bits above the count are read again. Whole entries are taken from it: six bits count
  let count: u32 = 56 - (bit & 7);
  from += 7;
  let result = GOES_ON;
  let entry = literalAt(bits);
  while (from < fastIn && to < fastOut) {
    bits |= load<u64>(from) << count;
    from += (~count & 63) >> 3;
    count |= 56;
    if (<i32>entry >= 0) {
      to = putLiterals(to, entry);
      bits >>= entry;
      count -= entry;
      entry = literalAt(bits);
      if (<i32>entry >= 0) {
        to = putLiterals(to, entry);
        bits >>= entry;
        count -= entry;
        entry = literalAt(bits);
        if (<i32>entry >= 0) {
          to = putLiterals(to, entry);
          bits >>= entry;
          count -= entry;
          entry = literalAt(bits);
          continue;
        }
      }
    }
    if (entry & SPECIAL) {
      if (entry & PART) {
        bits >>= LITERAL_BITS;
        count -= LITERAL_BITS;
        entry = literalPartAt(entry, bits);
        if (<i32>entry >= 0) {
          to = putLiterals(to, entry);
          bits >>= entry;
          count -= entry;
          entry = literalAt(bits);
          continue;
        }
      }
      if (entry & SPECIAL) {
        if ((entry & END_OF_BLOCK) == 0) return BAD_SYMBOL;
        count -= entry;
        result = BLOCK_ENDED;
        break;
      }
    }
    // a literal or none
    to = putLiterals(to, entry & ~OTHERS);
    const length = lengthOf(entry, bits);
    bits >>= entry;
    count -= entry;
    // a distance takes 28 bits at most, and the next lookup further ones
    if ((count & 63) < 28 + LITERAL_BITS) {
      bits |= load<u64>(from) << count;
      from += (~count & 63) >> 3;
      count |= 56;
    }
    entry = load<u32>(DISTANCE_TABLE + ((<usize>bits & ((1 << DISTANCE_BITS) - 1)) << 2));
    if (entry & FAR_SPECIAL) {
      if ((entry & FAR_PART) == 0) return BAD_SYMBOL;
      bits >>= DISTANCE_BITS;
      count -= DISTANCE_BITS;
      entry = distancePartAt(entry, bits);
      if (entry & FAR_SPECIAL) return BAD_SYMBOL;
    }
    const distance = valueOf(entry, bits);
    bits >>= entry;
    count -= entry;
    if (distance > <u32>(to - start)) return TOO_FAR;
    // at least 56 - 28 bits are left: start the lookup of the next symbol before the copy
    entry = literalAt(bits);
    copyMatch(to, distance, length);
    to += length;
  }
  bitNow = (<u32>(from - stored) << 3) - (count & 63);
  toNow = to;
  return result;
}

/** Decodes symbols one by one, to the end of the block or, if `isWhole` is false, to the limit. */
export function runCarefully(stored: usize, bitEnd: u32, start: usize, limit: usize, isWhole: bool): i32 {
  let bit = bitNow;
  let to = toNow;
  let result = GOES_ON;
  lastBit = bit;
  lastTo = to;
  while (isWhole || to < limit) {
    lastBit = bit;
    lastTo = to;
    // at least 57 bits, and a symbol has at most 48
    let bits = peek(stored, bit);
    let entry = literalAt(bits);
    if (entry & PART) {
      bits >>= LITERAL_BITS;
      bit += LITERAL_BITS;
      const part = literalPartAt(entry, bits);
      if (<i32>part >= 0) bit -= LITERAL_BITS;
      entry = part;
    }
    if (entry & LITERALS) {
      // of one or two symbols the first
      const literal = (entry >> 10) & 0xff;
      bit += load<u8>(CODE_LENGTHS + literal);
      if (bit > bitEnd) return CUT;
      store<u8>(to++, literal);
      if (to > limit) return TOO_MUCH;
      continue;
    }
    bit += entry & 31;
    if (bit > bitEnd) return CUT;
    if (entry & SPECIAL) {
      if ((entry & END_OF_BLOCK) == 0) return BAD_SYMBOL;
      result = BLOCK_ENDED;
      break;
    }
    const length = lengthOf(entry, bits);
    bits >>= entry & 31;
    entry = load<u32>(DISTANCE_TABLE + ((<usize>bits & ((1 << DISTANCE_BITS) - 1)) << 2));
    if (entry & FAR_PART) {
      bits >>= DISTANCE_BITS;
      bit += DISTANCE_BITS;
      entry = distancePartAt(entry, bits);
    }
    bit += entry & 63;
    if (bit > bitEnd) return CUT;
    if (entry & FAR_SPECIAL) return BAD_SYMBOL;
    const distance = valueOf(entry, bits);
    if (distance > <u32>(to - start)) return TOO_FAR;
    copyMatch(to, distance, length);
    to += length;
    if (isWhole && to > limit) return TOO_MUCH;
  }
  bitNow = bit;
  toNow = to;
  return result;
}

// @ts-ignore: decorator
@inline function literalAt(bits: u64): u32 {
  return load<u32>(LITERAL_TABLE + ((<usize>bits & ((1 << LITERAL_BITS) - 1)) << 2));
}

/** Writes the literals of an entry without its highest bit; returns where the next byte goes. */
// @ts-ignore: decorator
@inline function putLiterals(to: usize, entry: u32): usize {
  store<u16>(to, entry >> 10);
  return to + (entry >>> 29);
}

/** Entry of a code that is longer than the table's bits, which are shifted out of `bits` already. */
// @ts-ignore: decorator
@inline function literalPartAt(entry: u32, bits: u64): u32 {
  return load<u32>(LITERAL_TABLE + ((((entry >> 10) & 0x1ffff) + (<u32>bits & entry & 31)) << 2));
}

// @ts-ignore: decorator
@inline function distancePartAt(entry: u32, bits: u64): u32 {
  return load<u32>(DISTANCE_TABLE + (((entry >> 16) + (<u32>bits & entry & 0xff)) << 2));
}

/** The smallest length of its symbol plus the extra bits after the codes. */
// @ts-ignore: decorator
@inline function lengthOf(entry: u32, bits: u64): u32 {
  return ((entry >> 18) & 0x1ff) + ((<u32>bits & ((1 << entry) - 1)) >> ((entry >> 6) & 15));
}

/** The smallest distance of its symbol plus the extra bits after the code. */
// @ts-ignore: decorator
@inline function valueOf(entry: u32, bits: u64): u32 {
  return (entry >> 16) + (<u32>(bits & (((<u64>1) << entry) - 1)) >> ((entry >> 8) & 15));
}

/** In steps of 16 bytes: up to 15 after the match are overwritten. */
// @ts-ignore: decorator
@inline function copyMatch(to: usize, distance: u32, length: u32): void {
  const from = to - distance;
  if (distance >= 16) {
    v128.store(to, v128.load(from));
    for (let done: u32 = 16; done < length; done += 16) v128.store(to + done, v128.load(from + done));
    return;
  }
  copyNear(to, distance, length);
}

/** A match that overlaps itself: 16 bytes one by one, then from a whole number of repeats before. */
function copyNear(to: usize, distance: u32, length: u32): void {
  const from = to - distance;
  for (let i: u32 = 0; i < 16; i++) store<u8>(to + i, load<u8>(from + i));
  const back = distance * (15 / distance + 1);
  for (let done: u32 = 16; done < length; done += 16) v128.store(to + done, v128.load(to + done - back));
}
