/** Special codes, and the number of codes in 12 bits. */
const CLEAR: u32 = 256;
const END: u32 = 257;
const FIRST_STRING: u32 = 258;
const MAX_CODES: u32 = 4096;

/**
 * LZW of TIFF 6.0, section 13, or with `old` the style before it: codes packed from the lowest bit of a byte upwards
 * and widened one code later. Returns the bytes written, at most `outBytes`, or -1 - code for an invalid code.
 *
 * String number n is what the n-th code since the last clear wrote, plus one byte: the first of the next string. So the
 * table, 4097 entries of address and length, points into the output. The 256 single bytes follow it and are strings
 * like all others: without a branch that noise would make the processor mispredict. `table` lies below `out`. Strings
 * are copied in steps of 16 bytes: the last may write 4 KiB after `out`, and up to 4 bytes after `stored` are read.
 */
export function lzw(stored: usize, storedBytes: u32, out: usize, outBytes: u32, table: usize, old: bool): i32 {
  const singles = table + ((MAX_CODES + 1) << 3);
  for (let byte: u32 = 0; byte < CLEAR; byte++) {
    store<u8>(singles + byte, byte);
    setString(table, byte, singles + byte, 1);
  }
  // two copies of the loop, each with one way to read a code
  return old
    ? decode(stored, storedBytes, out, outBytes, table, true)
    : decode(stored, storedBytes, out, outBytes, table, false);
}

// @ts-ignore: decorator
@inline function decode(stored: usize, storedBytes: u32, out: usize, outBytes: u32, table: usize, old: bool): i32 {
  const bitEnd = storedBytes << 3;
  const end = out + outBytes;
  let bit: u32 = 0;
  let to = out;
  let count = FIRST_STRING;
  let width: u32 = 9;
  let widenAt = toWidenAt(width, old);
  while (to < end && bit + width <= bitEnd) {
    // at most 7 bits before the code and 12 of its own
    const word = load<u32>(stored + (bit >> 3));
    const code = old ? (word >> (bit & 7)) & ((1 << width) - 1) : (bswap<u32>(word) << (bit & 7)) >> (32 - width);
    bit += width;
    if ((code & ~1) == CLEAR) {
      if (code == END) break;
      count = FIRST_STRING;
      width = 9;
      widenAt = toWidenAt(width, old);
      continue;
    }
    if (code >= count) return -1 - <i32>code;

    const entry = load<u64>(table + (code << 3));
    const from = <usize>(<u32>entry);
    const length = <u32>(entry >> 32);
    // once all codes are assigned, this writes to an entry that no code names
    setString(table, count, to, length + 1);
    count += u32(count < MAX_CODES);
    v128.store(to, v128.load(from));
    for (let done: u32 = 16; done < length; done += 16) v128.store(to + done, v128.load(from + done));
    // the newest string ends with the byte that this very copy began with
    if (from + length > to) store<u8>(to + length - 1, load<u8>(to));
    to += length;
    if (count >= widenAt) widenAt = toWidenAt(++width, old);
  }
  return min(to - out, outBytes);
}

// @ts-ignore: decorator
@inline function setString(table: usize, code: u32, address: usize, length: u32): void {
  store<u64>(table + (code << 3), <u64>address | (<u64>length << 32));
}

/** Codes that must exist for the next width; usually one less than needed: a bug of the first encoder, now standard. */
// @ts-ignore: decorator
@inline function toWidenAt(width: u32, old: bool): u32 {
  return width == 12 ? u32.MAX_VALUE : (<u32>1 << width) + u32(old);
}
