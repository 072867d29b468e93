/** Contexts of JPEG 2000: as the symbols of jp2-block.ts name them. */
const CONTEXTS: i32 = 19;
/** Contexts that do not begin with the first state: neighbours of nothing, runs, and positions in a run. */
const FIRST_ZERO: i32 = 0;
const RUN: i32 = 17;
const UNIFORM: i32 = 18;

/**
 * The states of T.800, table C.2: probability of the less probable symbol, the next state after each of the two, and whether the
 * symbols change places.
 */
const STATES = memory.data<u16>([
  0x5601, 1, 1, 1, 0x3401, 2, 6, 0, 0x1801, 3, 9, 0, 0x0ac1, 4, 12, 0, 0x0521, 5, 29, 0, 0x0221, 38, 33, 0,
  0x5601, 7, 6, 1, 0x5401, 8, 14, 0, 0x4801, 9, 14, 0, 0x3801, 10, 14, 0, 0x3001, 11, 17, 0, 0x2401, 12, 18, 0,
  0x1c01, 13, 20, 0, 0x1601, 29, 21, 0, 0x5601, 15, 14, 1, 0x5401, 16, 14, 0, 0x5101, 17, 15, 0, 0x4801, 18, 16, 0,
  0x3801, 19, 17, 0, 0x3401, 20, 18, 0, 0x3001, 21, 19, 0, 0x2801, 22, 19, 0, 0x2401, 23, 20, 0, 0x2201, 24, 21, 0,
  0x1c01, 25, 22, 0, 0x1801, 26, 23, 0, 0x1601, 27, 24, 0, 0x1401, 28, 25, 0, 0x1201, 29, 26, 0, 0x1101, 30, 27, 0,
  0x0ac1, 31, 28, 0, 0x09c1, 32, 29, 0, 0x08a1, 33, 30, 0, 0x0521, 34, 31, 0, 0x0441, 35, 32, 0, 0x02a1, 36, 33, 0,
  0x0221, 37, 34, 0, 0x0141, 38, 35, 0, 0x0111, 39, 36, 0, 0x0085, 40, 37, 0, 0x0049, 41, 38, 0, 0x0025, 42, 39, 0,
  0x0015, 43, 40, 0, 0x0009, 44, 41, 0, 0x0005, 45, 42, 0, 0x0001, 45, 43, 0, 0x5601, 46, 46, 0,
], 16);
const STATE_COUNT: u32 = 47;

/**
 * A word for each state and each of its more probable symbols: 15 bits of the probability, the symbol, and the words
 * that come next, after the more and after the less probable one.
 */
const WORDS = memory.data(94 * 4, 16);

/** A stream between calls, T.800, C.2. */
@unmanaged
export class Coder {
  interval: u32;
  code: u32;
  /** Bits until a byte is complete. */
  count: i32;
  /** The last byte. */
  last: usize;
  /** Not a field: the words of all contexts follow. */
  words: u32;
}

/** Bytes of a coder with its contexts. */
export const CODER_BYTES: usize = 96;

/** Fills the tables. */
export function prepareCoder(): void {
  for (let state: u32 = 0; state < STATE_COUNT; state++) {
    const row = STATES + (<usize>state << 3);
    for (let symbol: u32 = 0; symbol < 2; symbol++) {
      const more = (<u32>load<u16>(row, 2) << 1) | symbol;
      const less = (<u32>load<u16>(row, 4) << 1) | (symbol ^ <u32>load<u16>(row, 6));
      const word = <u32>load<u16>(row) | (symbol << 15) | (more << 16) | (less << 24);
      store<u32>(WORDS + (<usize>((state << 1) | symbol) << 2), word);
    }
  }
}

/** Begins a stream at `to`; the byte before it is overwritten. */
function begin(coder: Coder, to: usize): void {
  for (let context = 0; context < CONTEXTS; context++) setState(coder, context, 0);
  setState(coder, FIRST_ZERO, 4);
  setState(coder, RUN, 3);
  setState(coder, UNIFORM, 46);
  coder.interval = 0x8000;
  coder.code = 0;
  coder.count = 12;
  coder.last = to - 1;
  store<u8>(coder.last, 0);
}

// @ts-ignore: decorator
@inline function wordsOf(coder: Coder): usize {
  return changetype<usize>(coder) + offsetof<Coder>("words");
}

// @ts-ignore: decorator
@inline function setState(coder: Coder, context: i32, state: u32): void {
  store<u32>(wordsOf(coder) + (<usize>context << 2), load<u32>(WORDS + (<usize>state << 3)));
}

/**
 * Codes the symbols of two streams, one byte each: the context, and in the lowest bit the decision. Without branches but for
 * bytes that are complete: the decisions of noise cannot be predicted, and a wrong guess of the processor takes longer than
 * all of it. Each step waits for the one before, so two streams side by side take little longer than one.
 */
export function codeTwo(
  one: Coder, from: usize, end: usize, to: usize,
  other: Coder, otherFrom: usize, otherEnd: usize, otherTo: usize,
): void {
  begin(one, to);
  begin(other, otherTo);
  const words = wordsOf(one);
  const otherWords = wordsOf(other);
  const both = from + min(end - from, otherEnd - otherFrom);
  let a = one.interval;
  let c = one.code;
  let ct = one.count;
  let a2 = other.interval;
  let c2 = other.code;
  let ct2 = other.count;
  for (; from < both; from++, otherFrom++) {
    const symbol = <u32>load<u8>(from);
    const symbol2 = <u32>load<u8>(otherFrom);
    const at = words + (<usize>(symbol >> 1) << 2);
    const at2 = otherWords + (<usize>(symbol2 >> 1) << 2);
    const word = load<u32>(at);
    const word2 = load<u32>(at2);
    const rare = word & 0x7fff;
    const rare2 = word2 & 0x7fff;
    const isLess = ((word >> 15) ^ symbol) & 1;
    const isLess2 = ((word2 >> 15) ^ symbol2) & 1;
    const rest = a - rare;
    const rest2 = a2 - rare2;
    // the larger part of the interval belongs to the more probable symbol, whichever part that is
    const takesRare = isLess ^ u32(rest < rare);
    const takesRare2 = isLess2 ^ u32(rest2 < rare2);
    a = select(rare, rest, takesRare);
    a2 = select(rare2, rest2, takesRare2);
    c += select<u32>(0, rare, takesRare);
    c2 += select<u32>(0, rare2, takesRare2);
    const next = load<u32>(WORDS + (<usize>select(word >> 24, (word >> 16) & 0xff, isLess) << 2));
    const next2 = load<u32>(WORDS + (<usize>select(word2 >> 24, (word2 >> 16) & 0xff, isLess2) << 2));
    const shift = <i32>clz(a) - 16;
    const shift2 = <i32>clz(a2) - 16;
    store<u32>(at, select(next, word, shift));
    store<u32>(at2, select(next2, word2, shift2));
    a <<= shift;
    a2 <<= shift2;
    if (shift < ct) {
      c <<= shift;
      ct -= shift;
    } else {
      one.code = c;
      one.count = ct;
      shiftOut(one, shift);
      c = one.code;
      ct = one.count;
    }
    if (shift2 < ct2) {
      c2 <<= shift2;
      ct2 -= shift2;
    } else {
      other.code = c2;
      other.count = ct2;
      shiftOut(other, shift2);
      c2 = other.code;
      ct2 = other.count;
    }
  }
  one.interval = a;
  one.code = c;
  one.count = ct;
  other.interval = a2;
  other.code = c2;
  other.count = ct2;
  codeRest(one, from, end);
  codeRest(other, otherFrom, otherEnd);
}

/** The symbols that one of two streams has more, in the same steps. */
function codeRest(coder: Coder, from: usize, end: usize): void {
  const words = wordsOf(coder);
  for (; from < end; from++) {
    const symbol = <u32>load<u8>(from);
    const at = words + (<usize>(symbol >> 1) << 2);
    const word = load<u32>(at);
    const rare = word & 0x7fff;
    const isLess = ((word >> 15) ^ symbol) & 1;
    const rest = coder.interval - rare;
    const takesRare = isLess ^ u32(rest < rare);
    const interval = select(rare, rest, takesRare);
    coder.code += select<u32>(0, rare, takesRare);
    const next = load<u32>(WORDS + (<usize>select(word >> 24, (word >> 16) & 0xff, isLess) << 2));
    const shift = <i32>clz(interval) - 16;
    store<u32>(at, select(next, word, shift));
    coder.interval = interval << shift;
    shiftOut(coder, shift);
  }
}

/** Shifts the code, and stores bytes that are complete. */
function shiftOut(coder: Coder, shift: i32): void {
  while (shift >= coder.count) {
    shift -= coder.count;
    putByte(coder);
  }
  coder.code <<= shift;
  coder.count -= shift;
}

function putByte(coder: Coder): void {
  let c = coder.code << coder.count;
  const last = coder.last;
  if (load<u8>(last) != 0xff && (c & 0x8000000) != 0) {
    // the carry
    store<u8>(last, load<u8>(last) + 1);
    c &= 0x7ffffff;
  }
  // after a byte of ones a bit is left out, into which the next carry goes
  const bits: u32 = 19 + u32(load<u8>(last) == 0xff);
  coder.last = last + 1;
  store<u8>(last, c >> bits, 1);
  coder.code = c & ((1 << bits) - 1);
  coder.count = 27 - bits;
}

/** Ends a stream; returns where it ends. */
export function endCode(coder: Coder): usize {
  const end = coder.code + coder.interval;
  coder.code |= 0xffff;
  if (coder.code >= end) coder.code -= 0x8000;
  putByte(coder);
  putByte(coder);
  // a stream does not end with a byte of ones: what reads it puts such bytes there
  return load<u8>(coder.last) == 0xff ? coder.last : coder.last + 1;
}
