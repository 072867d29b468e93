import { putBits } from "./deflate-bits";
import { codeLengths } from "./deflate-huffman";

/** The alphabet in which code lengths are written: RFC 1951, 3.2.7. */
const SYMBOLS = 19;
const MAX_BITS = 7;
const REPEAT: u8 = 16;
const FEW_ZEROS: u8 = 17;
const MANY_ZEROS: u8 = 18;
/** Two, although only the first is used: some decoders refuse an incomplete code. */
const DISTANCES: usize = 2;
const order = memory.data<u8>([16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]);

const counts = memory.data(SYMBOLS * 4);
const lengths = memory.data(SYMBOLS);
const codes = memory.data(SYMBOLS);
/** Symbol and extra bits of each step; never more than lengths. */
const steps = memory.data(288 * 2);
let stepCount: usize = 0;
let symbolCount: usize = 0;
let orderCount: usize = 0;

/** Plans how the code lengths of a block are written; returns how many symbols have lengths, up to the last in use. */
export function planHeader(codeLengthsAt: usize, symbols: usize): usize {
  while (load<u8>(codeLengthsAt + symbols - 1) == 0) symbols--;
  symbolCount = symbols;
  const end = codeLengthsAt + symbols;
  for (let i: usize = 0; i < DISTANCES; i++) store<u8>(end + i, 1);
  memory.fill(counts, 0, SYMBOLS * 4);
  stepCount = 0;
  let from = codeLengthsAt;
  while (from < end + DISTANCES) from += addSteps(from, end + DISTANCES - from);
  codeLengths(counts, SYMBOLS, MAX_BITS, lengths);
  makeCodes();
  orderCount = SYMBOLS;
  while (load<u8>(lengths + load<u8>(order + orderCount - 1)) == 0) orderCount--;
  return symbols;
}

/** Bits of the planned header. */
export function headerBits(): u64 {
  let bits: u64 = 17 + 3 * orderCount;
  for (let i: usize = 0; i < stepCount; i++) {
    const symbol = load<u8>(steps + 2 * i);
    bits += load<u8>(lengths + symbol) + extraBits(symbol);
  }
  return bits;
}

/** Writes the planned header of a block with its own codes. */
export function putHeader(isLast: bool): void {
  putBits(u64(isLast) | 4, 3);
  putBits((symbolCount - 257) | ((DISTANCES - 1) << 5) | ((orderCount - 4) << 10), 14);
  for (let i: usize = 0; i < orderCount; i++) putBits(load<u8>(lengths + load<u8>(order + i)), 3);
  for (let i: usize = 0; i < stepCount; i++) {
    const symbol = load<u8>(steps + 2 * i);
    const length = load<u8>(lengths + symbol);
    putBits(load<u8>(codes + symbol) | (<u64>load<u8>(steps + 2 * i, 1) << length), length + extraBits(symbol));
  }
}

/** Adds the steps for the equal lengths at `from`, of at most `room`; returns how many lengths they cover. */
function addSteps(from: usize, room: usize): usize {
  const length = load<u8>(from);
  let run: usize = 1;
  while (run < room && load<u8>(from + run) == length) run++;
  if (length == 0) {
    if (run >= 11) return addStep(MANY_ZEROS, min<usize>(run, 138), 11);
    if (run >= 3) return addStep(FEW_ZEROS, run, 3);
    return addStep(0, 1, 1);
  }
  addStep(length, 1, 1);
  if (run < 4) return 1;
  return 1 + addStep(REPEAT, min<usize>(run - 1, 6), 3);
}

function addStep(symbol: u8, covered: usize, base: usize): usize {
  store<u8>(steps + 2 * stepCount, symbol);
  store<u8>(steps + 2 * stepCount, covered - base, 1);
  stepCount++;
  const count = counts + (<usize>symbol << 2);
  store<u32>(count, load<u32>(count) + 1);
  return covered;
}

// @ts-ignore: decorator
@inline function extraBits(symbol: u8): u8 {
  return symbol < REPEAT ? 0 : symbol == REPEAT ? 2 : symbol == FEW_ZEROS ? 3 : 7;
}

/** Codes of the 19 symbols in the order of RFC 1951, 3.2.2, their first bit lowest. */
function makeCodes(): void {
  let code: u32 = 0;
  for (let length: i32 = 1; length <= MAX_BITS; length++, code <<= 1) {
    for (let symbol = 0; symbol < SYMBOLS; symbol++) {
      if (load<u8>(lengths + symbol) != <u8>length) continue;
      let bits: u32 = 0;
      for (let i = 0; i < length; i++) bits |= ((code >> i) & 1) << (length - 1 - i);
      store<u8>(codes + symbol, bits);
      code++;
    }
  }
}
