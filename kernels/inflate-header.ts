import { buildDistances, buildLiterals, CODE_LENGTHS, forgetFixed } from "./inflate-codes";

/** The order of the lengths of the code for lengths (RFC 1951, 3.2.7). */
const ORDER: usize = memory.data<u8>([16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]);
const SYMBOLS: u32 = 19;
const LENGTHS: usize = memory.data(32, 16);
const LONGEST: u32 = 7;
/** A byte for each seven bits: the symbol, and above it the bits of its code. */
const TABLE: usize = memory.data(2 * (1 << 7), 16);

/** At least 57 bits from a bit offset of the stream. */
// @ts-ignore: decorator
@inline export function peek(stored: usize, bit: u32): u64 {
  return load<u64>(stored + (bit >> 3)) >> (bit & 7);
}

/**
 * Reads the codes of a block after its three header bits, and builds their tables. Returns the bit offset of the first
 * symbol (beyond the end of the stream when that is truncated), or 0 for invalid codes.
 */
export function readCodes(stored: usize, bit: u32, bitEnd: u32): u32 {
  const head = <u32>peek(stored, bit);
  const literals = (head & 31) + 257;
  const distances = ((head >> 5) & 31) + 1;
  const count = ((head >> 10) & 15) + 4;
  if (literals > 286 || distances > 30) return 0;
  bit += 14;
  forgetFixed();

  memory.fill(LENGTHS, 0, SYMBOLS);
  const threes = peek(stored, bit);
  for (let i: u32 = 0; i < count; i++) store<u8>(LENGTHS + load<u8>(ORDER + i), <u32>(threes >> (3 * i)) & 7);
  bit += 3 * count;
  if (!buildTable()) return 0;

  const total = literals + distances;
  let at: u32 = 0;
  while (at < total) {
    if (bit > bitEnd) return bit;
    const bits = <u32>peek(stored, bit);
    const entry = <u32>load<u16>(TABLE + ((bits & 127) << 1));
    const length = entry >> 8;
    const symbol = entry & 255;
    bit += length;
    if (symbol < 16) {
      store<u8>(CODE_LENGTHS + at++, symbol);
      continue;
    }
    const extra = bits >> length;
    let repeat: u32;
    let value: u32 = 0;
    if (symbol == 16) {
      if (at == 0) return 0;
      value = load<u8>(CODE_LENGTHS + at - 1);
      repeat = 3 + (extra & 3);
      bit += 2;
    } else if (symbol == 17) {
      repeat = 3 + (extra & 7);
      bit += 3;
    } else {
      repeat = 11 + (extra & 127);
      bit += 7;
    }
    if (at + repeat > total) return bit > bitEnd ? bit : 0;
    memory.fill(CODE_LENGTHS + at, <u8>value, repeat);
    at += repeat;
  }
  if (bit > bitEnd) return bit;
  // a block that cannot end is invalid
  if (load<u8>(CODE_LENGTHS + 256) == 0) return 0;
  return buildLiterals(literals) && buildDistances(literals, distances) ? bit : 0;
}

/** The code for lengths must be complete. */
function buildTable(): bool {
  let at: u32 = 0;
  let code: u32 = 0;
  for (let length: u32 = 1; length <= LONGEST; length++) {
    const step: u32 = 1 << length;
    for (let symbol: u32 = 0; symbol < SYMBOLS; symbol++) {
      if (load<u8>(LENGTHS + symbol) != length) continue;
      if (code >= <u32>1 << LONGEST) return false;
      // the code is in the highest of seven bits
      let reversed: u32 = 0;
      for (let i: u32 = 0; i < LONGEST; i++) reversed |= ((code >> i) & 1) << (LONGEST - 1 - i);
      for (at = reversed; at < <u32>1 << LONGEST; at += step) store<u16>(TABLE + (at << 1), symbol | (length << 8));
      code += (<u32>1 << LONGEST) >> length;
    }
  }
  return code == <u32>1 << LONGEST;
}
