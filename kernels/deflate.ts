import { beginBits, bitsAt, bitsWaiting, bitsWaitingCount, endByte, putBits, resumeBits, skipTo } from "./deflate-bits";
import { headerBits, planHeader, putHeader } from "./deflate-header";
import { codeLengths } from "./deflate-huffman";
import { isRun, lengthExtraBits, lengthSymbol, LONGEST, runBytes } from "./deflate-runs";

/** Literals, the end of the block, and the symbols of lengths: RFC 1951, 3.2.5. */
const SYMBOLS = 286;
const END: usize = 256;
/** So that two codes and their number of bits fit into 32 bits, and four codes after 7 waiting bits into 64. */
const MAX_BITS = 13;
/** An entry of a code table is the code above 6 bits for its length: shifts use only these bits. */
const LENGTH_BITS: u32 = 6;
const LENGTH_MASK: u32 = 63;
const STORED_MAX: usize = 65535;

const counts = memory.data(SYMBOLS * 4);
/** Counted in four tables in turn: a count that is needed again at once would have to wait for its store. */
const partCounts = memory.data(4 * 256 * 4);
/** After the lengths of the symbols there is room for those of the distances. */
const lengths = memory.data(SYMBOLS + 2);
const codes = memory.data(SYMBOLS * 4);
const powers = memory.data(256 * 4);
const nextCodes = memory.data(16 * 4);
/** Codes of two literals at once, by their 16 bits: PAIRS_BYTES of the caller's memory. */
let pairs: usize = 0;
export const PAIRS_BYTES: usize = 65536 * 4;

/** Starts a zlib stream: deflate with a window of 32 KiB, marked as fast compression (RFC 1950, 2.2). */
export function beginStream(out: usize, pairsAt: usize): void {
  beginPart(out, pairsAt);
  putBits(0x0178, 16);
}

/** Starts blocks that go into a stream after others. */
export function beginPart(out: usize, pairsAt: usize): void {
  pairs = pairsAt;
  beginBits(out);
}

/** Ends blocks that others follow: an empty stored block fills the last byte. */
export function endPart(): void {
  putBits(0, 3);
  endByte();
  putBits(0xffff0000, 32);
}

/** Ends the stream with the checksum of all bytes; returns the address after it. */
export function endStream(adler: u32): usize {
  endByte();
  putBits(bswap<u32>(adler), 32);
  return bitsAt();
}

/**
 * Encodes the bytes from `from` to `end` as one block, in which the only repetitions are runs of one byte: flat areas,
 * which filters turn into runs of zeros. Noise has no others worth searching for. The codes are optimal for the block,
 * and a block that they would not make smaller is stored. The byte before `from` is read, and up to 16 after `end`.
 */
export function deflateBlock(from: usize, end: usize, isLast: bool): void {
  const extraBits = count(from, end);
  codeLengths(counts, SYMBOLS, MAX_BITS, lengths);
  const used = planHeader(lengths, SYMBOLS);
  let codedBits = extraBits + headerBits();
  for (let symbol: usize = 0; symbol < used; symbol++) {
    codedBits += <u64>load<u32>(counts + (symbol << 2)) * load<u8>(lengths + symbol);
  }
  const bytes = end - from;
  const storedPieces = (bytes + STORED_MAX - 1) / STORED_MAX;
  if (codedBits >= <u64>(bytes + storedPieces * 5) << 3) return putStored(from, end, isLast);
  putHeader(isLast);
  makeCodes(used);
  makePairs();
  putSymbols(from, end);
}

function putStored(from: usize, end: usize, isLast: bool): void {
  while (from < end) {
    const bytes = min(STORED_MAX, end - from);
    putBits(u64(isLast && from + bytes == end), 3);
    endByte();
    putBits(bytes | ((bytes ^ 0xffff) << 16), 32);
    const to = bitsAt();
    memory.copy(to, from, bytes);
    skipTo(to + bytes);
    from += bytes;
  }
}

/** Counts the symbols that `putSymbols` will write; returns the bits that belong to no symbol. */
function count(from: usize, end: usize): u64 {
  memory.fill(counts, 0, SYMBOLS * 4);
  memory.fill(partCounts, 0, 4 * 256 * 4);
  store<u32>(counts + (END << 2), 1);
  let extraBits: u64 = 0;
  while (from + 8 <= end) {
    if (isRun(from)) {
      const run = runBytes(from, end);
      let left = run;
      for (; left >= 3; left -= min(left, LONGEST)) {
        const length = min(left, LONGEST);
        increment(counts, lengthSymbol(length));
        extraBits += lengthExtraBits(length) + 1;
      }
      const literal = counts + (<usize>load<u8>(from) << 2);
      store<u32>(literal, load<u32>(literal) + left);
      from += run;
      continue;
    }
    incrementPart(load<u8>(from), 0);
    incrementPart(load<u8>(from, 1), 1);
    incrementPart(load<u8>(from, 2), 2);
    incrementPart(load<u8>(from, 3), 3);
    incrementPart(load<u8>(from, 4), 0);
    incrementPart(load<u8>(from, 5), 1);
    incrementPart(load<u8>(from, 6), 2);
    incrementPart(load<u8>(from, 7), 3);
    from += 8;
  }
  for (; from < end; from++) increment(partCounts, load<u8>(from));
  for (let offset: usize = 0; offset < 1024; offset += 16) {
    const parts = partCounts + offset;
    const two = i32x4.add(v128.load(parts), v128.load(parts + 1024));
    const four = i32x4.add(two, i32x4.add(v128.load(parts + 2048), v128.load(parts + 3072)));
    v128.store(counts + offset, i32x4.add(v128.load(counts + offset), four));
  }
  return extraBits;
}

// @ts-ignore: decorator
@inline function incrementPart(symbol: u32, part: usize): void {
  const address = partCounts + (<usize>symbol << 2) + (part << 10);
  store<u32>(address, load<u32>(address) + 1);
}

// @ts-ignore: decorator
@inline function increment(table: usize, symbol: u32): void {
  const address = table + (<usize>symbol << 2);
  store<u32>(address, load<u32>(address) + 1);
}

/** Codes in the order of RFC 1951, 3.2.2, their first bit lowest; and 2 to the power of the literals' lengths. */
function makeCodes(used: usize): void {
  memory.fill(nextCodes, 0, 16 * 4);
  for (let symbol: usize = 0; symbol < used; symbol++) increment(nextCodes, load<u8>(lengths + symbol));
  let code: u32 = 0;
  let before: u32 = 0;
  for (let length: usize = 1; length <= <usize>MAX_BITS; length++) {
    code = (code + before) << 1;
    before = load<u32>(nextCodes + (length << 2));
    store<u32>(nextCodes + (length << 2), code);
  }
  for (let symbol: usize = 0; symbol < used; symbol++) {
    const length = <u32>load<u8>(lengths + symbol);
    if (symbol < 256) store<u32>(powers + (symbol << 2), 1 << length);
    let entry: u32 = 0;
    if (length != 0) {
      const next = nextCodes + (<usize>length << 2);
      entry = (reversed(load<u32>(next)) >> (32 - length) << LENGTH_BITS) | length;
      increment(nextCodes, length);
    }
    store<u32>(codes + (symbol << 2), entry);
  }
}

function reversed(bits: u32): u32 {
  bits = ((bits & 0x55555555) << 1) | ((bits >> 1) & 0x55555555);
  bits = ((bits & 0x33333333) << 2) | ((bits >> 2) & 0x33333333);
  bits = ((bits & 0x0f0f0f0f) << 4) | ((bits >> 4) & 0x0f0f0f0f);
  return bswap<u32>(bits);
}

/** Halves the steps of `putSymbols`; only for second literals that occur, so that flat pictures pay little. */
function makePairs(): void {
  for (let second: usize = 0; second < 256; second++) {
    const entry = load<u32>(codes + (second << 2));
    if (entry == 0) continue;
    const code = i32x4.splat(entry & ~LENGTH_MASK);
    const length = i32x4.splat(entry & LENGTH_MASK);
    const row = pairs + (second << 10);
    for (let offset: usize = 0; offset < 1024; offset += 16) {
      // All lanes of a vector are shifted by the same number, so they are multiplied instead.
      const behind = i32x4.mul(code, v128.load(powers + offset));
      v128.store(row + offset, i32x4.add(i32x4.add(v128.load(codes + offset), length), behind));
    }
  }
}

// @ts-ignore: decorator
@inline function pairAt(table: usize, from: usize): u64 {
  return <u64>load<u32>(table + (<usize>load<u16>(from) << 2));
}

function putSymbols(from: usize, end: usize): void {
  let at = bitsAt();
  let bits = bitsWaiting();
  let bitCount = bitsWaitingCount();
  const table = pairs;
  while (from + 8 <= end) {
    if (isRun(from)) {
      resumeBits(at, bits, bitCount);
      from += putRun(from, end);
      at = bitsAt();
      bits = bitsWaiting();
      bitCount = bitsWaitingCount();
      continue;
    }
    const one = pairAt(table, from);
    const two = pairAt(table, from + 2);
    const three = pairAt(table, from + 4);
    const four = pairAt(table, from + 6);
    const front = (one >> LENGTH_BITS) | ((two >> LENGTH_BITS) << one);
    const back = (three >> LENGTH_BITS) | ((four >> LENGTH_BITS) << three);
    const frontBits = (one + two) & LENGTH_MASK;
    const backBits = (three + four) & LENGTH_MASK;
    from += 8;
    bits |= front << bitCount;
    bitCount += frontBits;
    // Eight literals of ordinary noise fit at once; only where they do not, the first four are written separately.
    if (bitCount + backBits > 63) {
      store<u64>(at, bits);
      at += <usize>(bitCount >> 3);
      bits >>= bitCount & ~7;
      bitCount &= 7;
    }
    bits |= back << bitCount;
    bitCount += backBits;
    store<u64>(at, bits);
    at += <usize>(bitCount >> 3);
    bits >>= bitCount & ~7;
    bitCount &= 7;
  }
  resumeBits(at, bits, bitCount);
  for (; from < end; from++) putSymbol(load<u8>(from));
  putSymbol(<u32>END);
}

/** A run as repetitions at distance 1, whose code is a single 0 bit, and its last one or two bytes as literals. */
function putRun(from: usize, end: usize): u32 {
  const run = runBytes(from, end);
  let left = run;
  for (; left >= 3; left -= min(left, LONGEST)) {
    const length = min(left, LONGEST);
    const extra = lengthExtraBits(length);
    putSymbol(lengthSymbol(length));
    putBits((length - 3) & ((1 << extra) - 1), extra + 1);
  }
  for (; left > 0; left--) putSymbol(load<u8>(from));
  return run;
}

// @ts-ignore: decorator
@inline function putSymbol(symbol: u32): void {
  const entry = load<u32>(codes + (<usize>symbol << 2));
  putBits(entry >> LENGTH_BITS, entry & LENGTH_MASK);
}
