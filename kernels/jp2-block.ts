import { Coder, CODER_BYTES, codeTwo, endCode, prepareCoder } from "./mq-coder";

/*
 * A code-block of JPEG 2000, T.800, annex D. Four rows of a column are one word of flags, in which three bits on are those
 * of the row below: of each row from the one above to the one below, whether the coefficient to the left, its own and the one to
 * the right are significant (18 bits); then for each row its sign, whether it was refined, and whether this bit-plane has it.
 */

/** Of the first row in a word of flags. */
const OWN: u32 = 1 << 4;
const SIGN_SHIFT: u32 = 19;
const REFINED_SHIFT: u32 = 20;
const VISITED_SHIFT: u32 = 21;
const NEIGHBOURS: u32 = 0x1ef;
const ALL_SIGNIFICANT: u32 = 0x3ffff;
/** A bit for each of four rows, as flags have them. */
const ROWS: u32 = 0x249;

const SIDE: i32 = 64;
/** Words of flags of four rows of columns, with one on each side. */
const FLAG_BYTES: usize = 66 * 4;

/** Symbols of contexts, T.800, table D.1 and on: of signs, of refinements, of runs of zeros, and of positions in them. */
const SIGNS: u32 = 9 << 1;
const REFINEMENTS: u32 = 14 << 1;
const RUNS: u32 = 17 << 1;
const POSITIONS: u32 = 18 << 1;

/** Symbols by neighbours: of vertical, horizontal and diagonal details. */
const BY_NEIGHBOURS = memory.data(3 * 512, 16);
/** Symbols of signs by the four nearest neighbours; the lowest bit turns the sign. */
const BY_SIGNS = memory.data(256, 16);
/** Four bits, as flags have them. */
const SPREAD = memory.data<u16>([
  0, 1, 8, 9, 64, 65, 72, 73, 512, 513, 520, 521, 576, 577, 584, 585,
], 16);

// Offsets in the work memory; the number after each is its size.
/** Four rows of each column, lowest row last: magnitudes with the sign in the highest bit. */
const COEFFICIENTS: usize = 0; // 64 * 64 * 4
/** Words of 16 times four rows and of those above and below. */
const FLAGS: usize = 16384; // 18 * 66 * 4
/** Two coders. */
const CODERS: usize = 21248; // 2 * 96
/**
 * Symbols of two blocks: for each coefficient and bit-plane one, and a sign; three for runs of four; and one that does not
 * count. To 227840.
 */
const SYMBOLS: usize = 21504;
const SYMBOL_BYTES: usize = 103168;

let isPrepared: bool = false;
let columns: i32 = 0;
let rowCount: i32 = 0;

/**
 * Lists the symbols of a block of up to 64 × 64 coefficients, whose rows are `stride` values apart; `kind` is 0 for low or
 * vertically high ones, 1 for horizontally high ones, 2 for both; `place` is 0 or 1. Returns their bytes and in the lowest five bits
 * the bit-planes, of which each has three passes and the first one.
 */
export function listJp2Block(
  from: usize, stride: i32, width: i32, height: i32, kind: i32, work: usize, place: i32,
): u32 {
  if (!isPrepared) prepare();
  columns = width;
  rowCount = height;
  const planes = gather(from, <usize>stride << 2, work);
  if (planes == 0) return 0;
  memory.fill(work + FLAGS, 0, 18 * FLAG_BYTES);
  const table = BY_NEIGHBOURS + (<usize>kind << 9);
  const symbols = work + SYMBOLS + <usize>place * SYMBOL_BYTES;
  let to = symbols;
  for (let plane = planes - 1; plane >= 0; plane--) {
    if (plane < planes - 1) {
      to = propagate(to, work, plane, table);
      to = refine(to, work, plane);
    }
    to = cleanUp(to, work, plane, table);
  }
  return (<u32>(to - symbols) << 5) | <u32>planes;
}

/**
 * Codes the symbols of two blocks that were listed, of so many bytes; there may be no second one. Writes their streams
 * from `out` and `otherOut` on, each after a byte that it overwrites, and returns the bytes of the first; those of the second are
 * left at `work`.
 */
export function codeJp2Blocks(work: usize, bytes: i32, out: usize, otherBytes: i32, otherOut: usize): i32 {
  const one = changetype<Coder>(work + CODERS);
  const other = changetype<Coder>(work + CODERS + CODER_BYTES);
  const symbols = work + SYMBOLS;
  const otherSymbols = symbols + SYMBOL_BYTES;
  codeTwo(
    one, symbols, symbols + <usize>bytes, out + 1,
    other, otherSymbols, otherSymbols + <usize>otherBytes, otherOut + 1,
  );
  store<i32>(work, <i32>(endCode(other) - otherOut - 1));
  return <i32>(endCode(one) - out - 1);
}

/** Brings the coefficients into their order; returns the number of bit-planes that have any. */
function gather(from: usize, rowBytes: usize, work: usize): i32 {
  let all = i32x4.splat(0);
  const signs = i32x4.splat(0x80000000);
  for (let y = 0; y < rowCount; y += 4) {
    const row = from + <usize>y * rowBytes;
    let to = work + COEFFICIENTS + (<usize>(y >> 2) * (SIDE << 4));
    const left = rowCount - y;
    for (let x = 0; x < columns; x += 4, to += 64) {
      const at = row + (<usize>x << 2);
      // what follows the last column is not of this block, and not looked at
      const inside = columns - x >= 4
        ? i32x4.splat(-1)
        : i32x4.lt_s(i32x4(0, 1, 2, 3), i32x4.splat(columns - x));
      const r0 = v128.and(inside, v128.load(at));
      const r1 = left > 1 ? v128.and(inside, v128.load(at + rowBytes)) : i32x4.splat(0);
      const r2 = left > 2 ? v128.and(inside, v128.load(at + 2 * rowBytes)) : i32x4.splat(0);
      const r3 = left > 3 ? v128.and(inside, v128.load(at + 3 * rowBytes)) : i32x4.splat(0);
      const m0 = i32x4.abs(r0);
      const m1 = i32x4.abs(r1);
      const m2 = i32x4.abs(r2);
      const m3 = i32x4.abs(r3);
      all = v128.or(all, v128.or(v128.or(m0, m1), v128.or(m2, m3)));
      const v0 = v128.or(m0, v128.and(r0, signs));
      const v1 = v128.or(m1, v128.and(r1, signs));
      const v2 = v128.or(m2, v128.and(r2, signs));
      const v3 = v128.or(m3, v128.and(r3, signs));
      const low01 = v128.shuffle<i32>(v0, v1, 0, 4, 1, 5);
      const high01 = v128.shuffle<i32>(v0, v1, 2, 6, 3, 7);
      const low23 = v128.shuffle<i32>(v2, v3, 0, 4, 1, 5);
      const high23 = v128.shuffle<i32>(v2, v3, 2, 6, 3, 7);
      v128.store(to, v128.shuffle<i64>(low01, low23, 0, 2));
      v128.store(to, v128.shuffle<i64>(low01, low23, 1, 3), 16);
      v128.store(to, v128.shuffle<i64>(high01, high23, 0, 2), 32);
      v128.store(to, v128.shuffle<i64>(high01, high23, 1, 3), 48);
    }
  }
  const bits = i32x4.extract_lane(all, 0) | i32x4.extract_lane(all, 1) |
    i32x4.extract_lane(all, 2) | i32x4.extract_lane(all, 3);
  return 32 - <i32>clz(bits);
}

/** Significance of those that are not significant and have a neighbour that is; returns where the symbols end. */
function propagate(to: usize, work: usize, plane: i32, table: usize): usize {
  for (let y = 0; y < rowCount; y += 4) {
    let at = flagsOf(work, y);
    let values = work + COEFFICIENTS + (<usize>(y >> 2) * (SIDE << 4));
    const rows = rowsFrom(y);
    for (let x = 0; x < columns; x++, at += 4, values += 16) {
      let flags = load<u32>(at);
      let todo = haveNeighbour(flags) & ~(flags >> 4) & rows;
      if (todo == 0) continue;
      const four = v128.load(values);
      const bits = bitsOf(four, plane);
      let visited: u32 = 0;
      do {
        const row = ctz(todo);
        visited |= todo & -todo;
        todo &= todo - 1;
        const bit = (bits >> row) & 1;
        store<u8>(to++, <u32>load<u8>(table + <usize>((flags >> row) & NEIGHBOURS)) | bit);
        if (bit != 0) {
          const sign = (signsOf(four) >> row) & 1;
          store<u8>(to++, signSymbol(flags, at, row) ^ sign);
          flags = mark(flags, at, row, sign);
          todo |= (<u32>8 << row) & rows & ~(flags >> 4);
        }
      } while (todo != 0);
      store<u32>(at, flags | (visited << VISITED_SHIFT));
    }
  }
  return to;
}

/** One more bit of those that were significant before this bit-plane. */
function refine(to: usize, work: usize, plane: i32): usize {
  for (let y = 0; y < rowCount; y += 4) {
    let at = flagsOf(work, y);
    let values = work + COEFFICIENTS + (<usize>(y >> 2) * (SIDE << 4));
    for (let x = 0; x < columns; x++, at += 4, values += 16) {
      const flags = load<u32>(at);
      const todo = (flags >> 4) & ~(flags >> VISITED_SHIFT) & ROWS;
      if (todo == 0) continue;
      const bits = bitsOf(v128.load(values), plane);
      const refined = flags >> REFINED_SHIFT;
      const first = haveNeighbour(flags) & ~refined;
      to = refineRow(to, bits, refined, first, todo);
      to = refineRow(to, bits >> 3, refined >> 3, first >> 3, todo >> 3);
      to = refineRow(to, bits >> 6, refined >> 6, first >> 6, todo >> 6);
      to = refineRow(to, bits >> 9, refined >> 9, first >> 9, todo >> 9);
      store<u32>(at, flags | (todo << REFINED_SHIFT));
    }
  }
  return to;
}

/** Stores a symbol in any case; the next one overwrites it where it does not count. */
// @ts-ignore: decorator
@inline function refineRow(to: usize, bits: u32, refined: u32, first: u32, todo: u32): usize {
  store<u8>(to, REFINEMENTS + ((refined & 1) << 2) + ((first & 1) << 1) + (bits & 1));
  return to + (todo & 1);
}

/** Significance of all others, with runs of four that have no neighbour; ends the bit-plane. */
function cleanUp(to: usize, work: usize, plane: i32, table: usize): usize {
  for (let y = 0; y < rowCount; y += 4) {
    let at = flagsOf(work, y);
    let values = work + COEFFICIENTS + (<usize>(y >> 2) * (SIDE << 4));
    const rows = rowsFrom(y);
    for (let x = 0; x < columns; x++, at += 4, values += 16) {
      let flags = load<u32>(at);
      let todo = ~((flags >> 4) | (flags >> VISITED_SHIFT)) & rows;
      if (todo == 0) {
        store<u32>(at, flags & ~(ROWS << VISITED_SHIFT));
        continue;
      }
      const four = v128.load(values);
      const bits = bitsOf(four, plane);
      if ((flags & (ALL_SIGNIFICANT | (ROWS << VISITED_SHIFT))) == 0 && rows == ROWS) {
        if (bits == 0) {
          store<u8>(to++, RUNS);
          continue;
        }
        const row = ctz(bits);
        const place = (row * 11) >> 5;
        store<u8>(to, RUNS | 1);
        store<u8>(to, POSITIONS | (place >> 1), 1);
        store<u8>(to, POSITIONS | (place & 1), 2);
        const sign = (signsOf(four) >> row) & 1;
        store<u8>(to, signSymbol(flags, at, row) ^ sign, 3);
        to += 4;
        flags = mark(flags, at, row, sign);
        todo &= ~((<u32>2 << row) - 1);
      }
      for (; todo != 0; todo &= todo - 1) {
        const row = ctz(todo);
        const bit = (bits >> row) & 1;
        store<u8>(to++, <u32>load<u8>(table + <usize>((flags >> row) & NEIGHBOURS)) | bit);
        if (bit != 0) {
          const sign = (signsOf(four) >> row) & 1;
          store<u8>(to++, signSymbol(flags, at, row) ^ sign);
          flags = mark(flags, at, row, sign);
        }
      }
      store<u32>(at, flags & ~(ROWS << VISITED_SHIFT));
    }
  }
  return to;
}

// @ts-ignore: decorator
@inline function flagsOf(work: usize, y: i32): usize {
  return work + FLAGS + <usize>((y >> 2) + 1) * FLAG_BYTES + 4;
}

/** The rows of four that the block has. */
// @ts-ignore: decorator
@inline function rowsFrom(y: i32): u32 {
  return rowCount - y >= 4 ? ROWS : ROWS & ((<u32>1 << (3 * (rowCount - y))) - 1);
}

/** A bit for each row that has a significant neighbour. */
// @ts-ignore: decorator
@inline function haveNeighbour(flags: u32): u32 {
  const sides = flags | (flags >> 2);
  const three = sides | (flags >> 1);
  return three | (sides >> 3) | (three >> 6);
}

// @ts-ignore: decorator
@inline function bitsOf(four: v128, plane: i32): u32 {
  return spread(i32x4.bitmask(i32x4.shl(four, 31 - plane)));
}

// @ts-ignore: decorator
@inline function signsOf(four: v128): u32 {
  return spread(i32x4.bitmask(four));
}

// @ts-ignore: decorator
@inline function spread(bits: i32): u32 {
  return load<u16>(SPREAD + (<usize>bits << 1));
}

/** The symbol of a positive sign. */
// @ts-ignore: decorator
@inline function signSymbol(flags: u32, at: usize, row: u32): u32 {
  const above = select(flags >> 18, flags >> (16 + row), row == 0) & 1;
  const index = ((flags >> row) & 0xaa) |
    ((load<u32>(at - 4) >> (SIGN_SHIFT + row)) & 1) |
    (((load<u32>(at + 4) >> (SIGN_SHIFT + row)) & 1) << 2) |
    (above << 4) |
    (((flags >> (22 + row)) & 1) << 6);
  return load<u8>(BY_SIGNS + <usize>index);
}

/** Tells all neighbours of a coefficient that it is significant; returns its own flags. */
// @ts-ignore: decorator
@inline function mark(flags: u32, at: usize, row: u32, sign: u32): u32 {
  store<u32>(at - 4, load<u32>(at - 4) | (<u32>32 << row));
  store<u32>(at + 4, load<u32>(at + 4) | (<u32>8 << row));
  if (row == 0) {
    const above = at - FLAG_BYTES;
    store<u32>(above - 4, load<u32>(above - 4) | (1 << 17));
    store<u32>(above, load<u32>(above) | (sign << 31) | (1 << 16));
    store<u32>(above + 4, load<u32>(above + 4) | (1 << 15));
  } else if (row == 9) {
    const below = at + FLAG_BYTES;
    store<u32>(below - 4, load<u32>(below - 4) | 4);
    store<u32>(below, load<u32>(below) | (sign << 18) | 2);
    store<u32>(below + 4, load<u32>(below + 4) | 1);
  }
  return flags | (((sign << SIGN_SHIFT) | OWN) << row);
}

/** Fills the tables: contexts of T.800, tables D.1 to D.3. */
function prepare(): void {
  prepareCoder();
  for (let index = 0; index < 512; index++) {
    const across = ((index >> 3) & 1) + ((index >> 5) & 1);
    const down = ((index >> 1) & 1) + ((index >> 7) & 1);
    const aslant = (index & 1) + ((index >> 2) & 1) + ((index >> 6) & 1) + ((index >> 8) & 1);
    store<u8>(BY_NEIGHBOURS + <usize>index, byLines(across, down, aslant) << 1);
    store<u8>(BY_NEIGHBOURS + <usize>index, byLines(down, across, aslant) << 1, 512);
    store<u8>(BY_NEIGHBOURS + <usize>index, byDiagonals(across + down, aslant) << 1, 1024);
  }
  for (let index = 0; index < 256; index++) {
    const across = signOf(index, 3, 0) + signOf(index, 5, 2);
    const down = signOf(index, 1, 4) + signOf(index, 7, 6);
    store<u8>(BY_SIGNS + <usize>index, bySigns(max(-1, min(1, across)), max(-1, min(1, down))));
  }
  isPrepared = true;
}

function byLines(main: i32, other: i32, aslant: i32): i32 {
  if (main == 2) return 8;
  if (main == 1) return other >= 1 ? 7 : aslant >= 1 ? 6 : 5;
  return other == 2 ? 4 : other == 1 ? 3 : min(aslant, 2);
}

function byDiagonals(straight: i32, aslant: i32): i32 {
  if (aslant >= 3) return 8;
  if (aslant == 2) return straight >= 1 ? 7 : 6;
  return (aslant == 1 ? 3 : 0) + min(straight, 2);
}

function signOf(index: i32, significant: i32, negative: i32): i32 {
  if (((index >> significant) & 1) == 0) return 0;
  return ((index >> negative) & 1) == 0 ? 1 : -1;
}

function bySigns(across: i32, down: i32): u32 {
  const turns = across < 0 || (across == 0 && down < 0);
  const a = turns ? -across : across;
  const d = turns ? -down : down;
  const context = a == 0 ? d : 3 + d;
  return (SIGNS + (<u32>context << 1)) | u32(turns);
}
