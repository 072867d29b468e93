import { BitWriter, FIRST_CODES, RUN_CODES, VALUE_CODES, ZIGZAG } from "./jpeg-job";
import { naturalIndexOf, sizeOf, withValue } from "./jpeg-tables";

/** Special symbols: no more values in this block, and sixteen zeros. */
const END_OF_BLOCK: usize = 0x00;
const SIXTEEN_ZEROS: usize = 0xf0;
const ALL_RUNS: i32 = 15;

/**
 * Which byte of two rows goes to each byte of a quarter of the file's order, -1 for one of other rows; then eight bytes
 * in reverse. In memory, because V8 rebuilds a constant of 128 bits wherever it is used.
 */
const ORDERS = memory.data<i8>([
  0, 1, 8, -1, 9, 2, 3, 10, -1, -1, -1, -1, -1, 11, 4, 5,
  -1, -1, -1, 0, -1, -1, -1, -1, 1, 8, -1, 9, 2, -1, -1, -1,
  -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0, -1, -1, -1, -1, -1,
  12, -1, -1, -1, -1, -1, -1, -1, -1, -1, 13, 6, 7, 14, -1, -1,
  -1, 3, 10, -1, -1, -1, -1, -1, 11, 4, -1, -1, -1, -1, 5, 12,
  -1, -1, -1, 1, 8, -1, 9, 2, -1, -1, -1, -1, -1, -1, -1, -1,
  -1, -1, -1, -1, -1, 0, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
  -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 15, -1, -1, -1, -1, -1,
  -1, -1, -1, -1, -1, -1, -1, -1, 13, 6, -1, 7, 14, -1, -1, -1,
  3, 10, -1, -1, -1, -1, 11, 4, -1, -1, -1, -1, -1, 5, 12, -1,
  -1, -1, 1, 8, 9, 2, -1, -1, -1, -1, -1, -1, -1, -1, -1, 3,
  10, 11, 4, -1, -1, -1, -1, -1, 5, 12, 13, 6, -1, 7, 14, 15,
  -1, -1, -1, 13, 6, -1, 7, 14, -1, -1, -1, -1, 15, -1, -1, -1,
  -1, -1, -1, -1, -1, 15, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
  7, 6, 5, 4, 3, 2, 1, 0, -1, -1, -1, -1, -1, -1, -1, -1,
], 16);

/**
 * Writes a block of coefficients, and returns its first one, from which the next of its plane is subtracted. Only
 * nonzero values are visited, by a bit set of 64. The end of a block waits for the next one.
 */
export function putBlock(work: usize, writer: BitWriter, block: usize, table: usize, before: i32): i32 {
  let rest = ~orderedZeros(work + ZIGZAG, block) & ~1;
  const runCodes = work + RUN_CODES + (table << 10);
  const valueCodes = work + VALUE_CODES + (table << 12);
  let bits = writer.bits;
  let free = writer.free;
  let to = writer.to;

  const first = <i32>load<i16>(block);
  const size = sizeOf(first - before);
  const firstCode = load<u32>(work + FIRST_CODES + (table << 6) + (<usize>size << 2));
  let code = withValue(firstCode, first - before, size);
  let value = (<u64>writer.end << (code & 31)) | (code >> 5);
  let count = writer.endSize + <i32>(code & 31);
  free -= count;
  if (free < 0) {
    to = storeWord(to, (bits << (count + free)) | (value >> -free));
    free += 64;
    bits = value;
  } else {
    bits = (bits << count) | value;
  }

  let last = 0;
  for (; rest != 0; rest &= rest - 1) {
    const n = <i32>ctz(rest);
    let run = n - last - 1;
    last = n;
    const small = <i32>load<i8>(work + ZIGZAG + <usize>n) + 32;
    if (<u32>(run | (small >> 2)) <= <u32>ALL_RUNS) {
      code = load<u32>(valueCodes + (<usize>((run << 6) | small) << 2));
    } else {
      for (; run > ALL_RUNS; run -= 16) {
        const zeros = load<u32>(runCodes + (SIXTEEN_ZEROS << 2));
        value = zeros >> 5;
        count = zeros & 31;
        free -= count;
        if (free < 0) {
          to = storeWord(to, (bits << (count + free)) | (value >> -free));
          free += 64;
          bits = value;
        } else {
          bits = (bits << count) | value;
        }
      }
      const large = <i32>load<i16>(block + (<usize>naturalIndexOf(n) << 1));
      const size = sizeOf(large);
      code = withValue(load<u32>(runCodes + (<usize>((run << 4) | size) << 2)), large, size);
    }
    value = code >> 5;
    count = code & 31;
    free -= count;
    if (free < 0) {
      to = storeWord(to, (bits << (count + free)) | (value >> -free));
      free += 64;
      // The bits that are stored already are shifted out by the time the others fill the word.
      bits = value;
    } else {
      bits = (bits << count) | value;
    }
  }

  const end = last == 63 ? 0 : load<u32>(runCodes + (END_OF_BLOCK << 2));
  writer.end = end >> 5;
  writer.endSize = end & 31;
  writer.bits = bits;
  writer.free = free;
  writer.to = to;
  return first;
}

/** Ends the last block, pads its byte with ones and stores what is left. */
export function putEnd(writer: BitWriter): void {
  const count = writer.endSize + 7;
  let bits = (<u64>writer.end << 7) | 0x7f;
  if (writer.free < count) {
    writer.to = storeWord(writer.to, (writer.bits << writer.free) | (bits >> (count - writer.free)));
    writer.free += 64;
  } else {
    bits |= writer.bits << count;
  }
  writer.free -= count;
  let to = writer.to;
  for (let left = 64 - writer.free; left >= 8; left -= 8) to = storeByte(to, <u32>(bits >> (left - 8)) & 0xff);
  writer.to = to;
}

/** Eight bytes, the highest first. */
// @ts-ignore: decorator
@inline function storeWord(to: usize, word: u64): usize {
  // Adding one to a byte of ones carries out of its highest bit; a false alarm is harmless.
  if ((word & 0x8080808080808080 & ~(word + 0x0101010101010101)) != 0) return storeBytes(to, word);
  const turned = i8x16.swizzle(i64x2.splat(word), v128.load(ORDERS, 224));
  v128.store64_lane(to, turned, 0);
  return to + 8;
}

function storeBytes(to: usize, word: u64): usize {
  for (let shift = 56; shift >= 0; shift -= 8) to = storeByte(to, <u32>(word >> shift) & 0xff);
  return to;
}

/** T.81, B.1.1.5: a zero after each byte of ones, so that it does not begin a marker; overwritten after other bytes. */
// @ts-ignore: decorator
@inline function storeByte(to: usize, byte: u32): usize {
  store<u16>(to, byte);
  return to + 1 + usize(byte == 0xff);
}

/** Stores a block in the order of the file, saturated to bytes, and returns a bit for each zero. */
// @ts-ignore: decorator
@inline function orderedZeros(to: usize, block: usize): u64 {
  const rows01 = i8x16.narrow_i16x8_s(v128.load(block), v128.load(block, 16));
  const rows23 = i8x16.narrow_i16x8_s(v128.load(block, 32), v128.load(block, 48));
  const rows45 = i8x16.narrow_i16x8_s(v128.load(block, 64), v128.load(block, 80));
  const rows67 = i8x16.narrow_i16x8_s(v128.load(block, 96), v128.load(block, 112));
  const part0 = v128.or(
    i8x16.swizzle(rows01, v128.load(ORDERS)),
    v128.or(
      i8x16.swizzle(rows23, v128.load(ORDERS, 16)),
      i8x16.swizzle(rows45, v128.load(ORDERS, 32)),
    ),
  );
  const part1 = v128.or(
    v128.or(
      i8x16.swizzle(rows01, v128.load(ORDERS, 48)),
      i8x16.swizzle(rows23, v128.load(ORDERS, 64)),
    ),
    v128.or(
      i8x16.swizzle(rows45, v128.load(ORDERS, 80)),
      i8x16.swizzle(rows67, v128.load(ORDERS, 96)),
    ),
  );
  const part2 = v128.or(
    v128.or(
      i8x16.swizzle(rows01, v128.load(ORDERS, 112)),
      i8x16.swizzle(rows23, v128.load(ORDERS, 128)),
    ),
    v128.or(
      i8x16.swizzle(rows45, v128.load(ORDERS, 144)),
      i8x16.swizzle(rows67, v128.load(ORDERS, 160)),
    ),
  );
  const part3 = v128.or(
    i8x16.swizzle(rows67, v128.load(ORDERS, 176)),
    v128.or(
      i8x16.swizzle(rows45, v128.load(ORDERS, 192)),
      i8x16.swizzle(rows23, v128.load(ORDERS, 208)),
    ),
  );
  v128.store(to, part0);
  v128.store(to, part1, 16);
  v128.store(to, part2, 32);
  v128.store(to, part3, 48);
  return zeros(part0) | (zeros(part1) << 16) | (zeros(part2) << 32) | (zeros(part3) << 48);
}

// @ts-ignore: decorator
@inline function zeros(values: v128): u64 {
  return <u64>i8x16.bitmask(i8x16.eq(values, i8x16.splat(0)));
}
