// Tables for the Huffman codes of deflate (RFC 1951, 3.2.2): the next bits of the stream index a table whose entry
// describes the symbol. Entries of codes longer than the table's bits point to a further part of the table.

/** Bits that index a table. More make it too large for the L1 cache, fewer send common codes to a second lookup. */
export const LITERAL_BITS: u32 = 11;
export const DISTANCE_BITS: u32 = 9;
const MAX_BITS: u32 = 15;
const LITERALS: u32 = 288;

/**
 * What an entry of literals and lengths decodes: one or two literals, or a length, or a literal and a length. Which of
 * literals and lengths comes next cannot be predicted, and a lookup waits for the one before it: several symbols in one
 * lookup save both. Bits 0–4 are the bits it takes, extra bits included, and bit 5 is 0, so that an entry is the distance
 * of a shift as it is; 6–9 those of the codes; 10–17 the first literal; 18–26 the second one or the smallest length; 29–30
 * how many literals there are; 31 is set unless all are literals, so that those above 28 are their number. A part: 0–4
 * the mask of further bits, 10–26 its first entry.
 */
export const OTHERS: u32 = 0x8000_0000;
export const SPECIAL: u32 = 1 << 27;
export const PART: u32 = 1 << 28;
/** Of a special entry that is not a part. */
export const END_OF_BLOCK: u32 = 1 << 10;
const ONE_LITERAL: u32 = 1 << 29;

/** An entry of distances: bits 0–7 the bits it takes; 8–11 those of the code; 16–30 the smallest distance. */
export const FAR_SPECIAL: u32 = 0x8000;
export const FAR_PART: u32 = 0x4000;

/** At fixed addresses, because an address that the compiler knows costs nothing. A part has at least two codes. */
export const LITERAL_TABLE: usize = memory.data(4 * (2048 + 16 * 144), 64);
export const DISTANCE_TABLE: usize = memory.data(4 * (512 + 64 * 16), 64);
/** One byte per symbol; those of distances follow those of literals and lengths. */
export const CODE_LENGTHS: usize = memory.data(320 + 16, 16);
/** The number of codes of each length, and the next code of each length. */
const COUNTS: usize = memory.data(4 * 16, 16);
const NEXT: usize = memory.data(4 * 16, 16);

/** Whether the tables are those of `buildFixed`. */
let isFixed = false;

/** Smallest length of each symbol from 257 on, and its extra bits (RFC 1951, 3.2.5). */
const LENGTH_BASE: usize = memory.data<u16>([
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
]);
const LENGTH_EXTRA: usize = memory.data<u8>([
  0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
]);
const LAST_LENGTH: u32 = 285;
const LAST_DISTANCE: u32 = 29;

/** Entry of a symbol without its bits; invalid symbols (286, 287, distances 30, 31) are special. */
function literalEntry(symbol: u32): u32 {
  if (symbol < 256) return ONE_LITERAL | (symbol << 10);
  if (symbol == 256) return OTHERS | SPECIAL | END_OF_BLOCK;
  if (symbol > LAST_LENGTH) return OTHERS | SPECIAL;
  const index = symbol - 257;
  return OTHERS | (<u32>load<u16>(LENGTH_BASE + (index << 1)) << 18) | load<u8>(LENGTH_EXTRA + index);
}

function distanceEntry(symbol: u32): u32 {
  if (symbol > LAST_DISTANCE) return FAR_SPECIAL;
  if (symbol < 4) return (symbol + 1) << 16;
  const extra = (symbol >> 1) - 1;
  return (((2 + (symbol & 1)) << extra) + 1) << 16 | extra;
}

/** Builds the table of literals and lengths; false for invalid code lengths. */
export function buildLiterals(symbols: u32): bool {
  if (!build(CODE_LENGTHS, symbols, LITERAL_TABLE, LITERAL_BITS, true)) return false;
  joinSymbols();
  return true;
}

/**
 * Adds what follows to entries of one literal, if the codes of both fit the table's bits. From the last entry on: what
 * follows is an earlier one, which has one symbol still.
 */
function joinSymbols(): void {
  for (let i: i32 = (1 << LITERAL_BITS) - 1; i >= 0; i--) {
    const address = LITERAL_TABLE + (<usize>i << 2);
    const entry = load<u32>(address);
    if (<i32>entry < 0) continue;
    const next = load<u32>(LITERAL_TABLE + (<usize>(i >>> (entry & 31)) << 2));
    const codes = (entry & 31) + ((next >> 6) & 15);
    if ((next & SPECIAL) != 0 || codes > LITERAL_BITS) continue;
    const taken = (entry & 31) + (next & 31);
    const first = entry & (0xff << 10);
    if (<i32>next >= 0) store<u32>(address, (2 << 29) | ((next & (0xff << 10)) << 8) | first | (codes << 6) | taken);
    else store<u32>(address, OTHERS | ONE_LITERAL | (next & (0x1ff << 18)) | first | (codes << 6) | taken);
  }
}

/** Called when lengths of codes are read: they are not those of `buildFixed` any more. */
export function forgetFixed(): void {
  isFixed = false;
}

/** Builds the table of distances; false for invalid code lengths. */
export function buildDistances(from: u32, symbols: u32): bool {
  return build(CODE_LENGTHS + from, symbols, DISTANCE_TABLE, DISTANCE_BITS, false);
}

/** Accepts what zlib accepts: complete codes, and one code of one bit or no codes. */
// @ts-ignore: decorator
@inline function build(lengths: usize, symbols: u32, table: usize, tableBits: u32, isLiteral: bool): bool {
  memory.fill(COUNTS, 0, 64);
  for (let symbol: u32 = 0; symbol < symbols; symbol++) {
    const address = COUNTS + (<usize>load<u8>(lengths + symbol) << 2);
    store<u32>(address, load<u32>(address) + 1);
  }
  let longest: u32 = 0;
  let code: u32 = 0;
  let left: i32 = 1;
  for (let length: u32 = 1; length <= MAX_BITS; length++) {
    const count = load<u32>(COUNTS + (length << 2));
    left = (left << 1) - count;
    if (left < 0) return false;
    store<u32>(NEXT + (length << 2), code);
    code = (code + count) << 1;
    if (count > 0) longest = length;
  }
  if (left > 0 && longest > 1) return false;

  const size: u32 = 1 << tableBits;
  // entries without a code stay invalid, also those of parts not built yet
  const special = isLiteral ? OTHERS | SPECIAL : FAR_SPECIAL;
  for (let i: u32 = 0; i < size; i += 4) v128.store(table + (i << 2), i32x4.splat(special));
  const partBits = longest > tableBits ? longest - tableBits : 0;
  let free = size;
  for (let symbol: u32 = 0; symbol < symbols; symbol++) {
    const length: u32 = load<u8>(lengths + symbol);
    if (length == 0) continue;
    const next = NEXT + (length << 2);
    // codes begin with their highest bit, the stream with its lowest
    const reversed = reverse(load<u32>(next), length);
    store<u32>(next, load<u32>(next) + 1);
    const entry = isLiteral ? literalEntry(symbol) : distanceEntry(symbol);
    if (length <= tableBits) {
      const value = entry + length + (length << (isLiteral ? 6 : 8));
      for (let i = reversed; i < size; i += 1 << length) store<u32>(table + (i << 2), value);
      continue;
    }
    const head = table + ((reversed & (size - 1)) << 2);
    if (load<u32>(head) == special) {
      store<u32>(head, special | (isLiteral ? PART | (free << 10) : FAR_PART | (free << 16)) | ((1 << partBits) - 1));
      free += 1 << partBits;
    }
    const first = isLiteral ? (load<u32>(head) >> 10) & 0x1ffff : load<u32>(head) >> 16;
    const part = table + (<usize>first << 2);
    const rest = length - tableBits;
    const value = entry + rest + (rest << (isLiteral ? 6 : 8));
    for (let i = reversed >> tableBits; i < <u32>1 << partBits; i += 1 << rest) store<u32>(part + (i << 2), value);
  }
  return true;
}

// @ts-ignore: decorator
@inline function reverse(code: u32, length: u32): u32 {
  code = ((code >> 1) & 0x5555) | ((code & 0x5555) << 1);
  code = ((code >> 2) & 0x3333) | ((code & 0x3333) << 2);
  code = ((code >> 4) & 0x0f0f) | ((code & 0x0f0f) << 4);
  code = ((code >> 8) & 0x00ff) | ((code & 0x00ff) << 8);
  return code >> (16 - length);
}

/** Builds both tables of RFC 1951, 3.2.6, unless they exist already: a hostile stream is all empty blocks. */
export function buildFixed(): void {
  if (isFixed) return;
  for (let symbol: u32 = 0; symbol < LITERALS; symbol++) {
    store<u8>(CODE_LENGTHS + symbol, symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8);
  }
  memory.fill(CODE_LENGTHS + LITERALS, 5, 32);
  buildLiterals(LITERALS);
  buildDistances(LITERALS, 32);
  isFixed = true;
}
