// Inflate (RFC 1951) of one TIFF block; the caller handles zlib's header and checksum.
import { buildFixed } from "./inflate-codes";
import { peek, readCodes } from "./inflate-header";
import { bitNow, CUT, GOES_ON, lastBit, lastTo, runCarefully, runFast, TOO_MUCH, toNow } from "./inflate-symbols";

/**
 * Results of `inflate` in addition to those of inflate-symbols.ts; src/formats/tiff/codecs/inflate.ts has the messages.
 */
const REACHED: i32 = 0;
const ENDED: i32 = 1;
const BAD_BLOCK: i32 = -3;
const BAD_CODES: i32 = -4;

/** Fields of a job, each a u32. Bits count from the first stored byte, bytes of output from the first of `OUT`. */
const STORED: usize = 0;
const STORED_BYTES: usize = 4;
const OUT: usize = 8;
/** Where to stop: 288 bytes of room follow it, for what the last symbol writes and copies in steps of 16 bytes. */
const LIMIT: usize = 12;
/** Not 0: the stream is decoded to its end, and more bytes than the limit are damage. */
const IS_WHOLE: usize = 16;
/** The state, in and out: the header of the current block, its next symbol (0: the first), the bytes written. */
const HEADER_BIT: usize = 20;
const BIT: usize = 24;
const OUT_AT: usize = 28;

/**
 * Continues from the state of the job to its limit or to the end of the stream. The state it leaves is the one before
 * the last symbol: a symbol that crosses the limit is decoded again when decoding continues. Reads up to 16 bytes after
 * the stored ones, and uses none of them.
 */
export function inflate(job: usize): i32 {
  const stored = <usize>load<u32>(job, STORED);
  const storedBytes = load<u32>(job, STORED_BYTES);
  const bitEnd = storedBytes << 3;
  const start = <usize>load<u32>(job, OUT);
  const limit = start + load<u32>(job, LIMIT);
  const isWhole = load<u32>(job, IS_WHOLE) != 0;
  let headerBit = load<u32>(job, HEADER_BIT);
  let resumeBit = load<u32>(job, BIT);
  let to = start + load<u32>(job, OUT_AT);

  while (isWhole || to < limit) {
    if (headerBit + 3 > bitEnd) return CUT;
    const header = <u32>peek(stored, headerBit);
    const kind = (header >> 1) & 3;
    if (kind == 0) {
      let from = (headerBit + 10) >> 3;
      if (from + 4 > storedBytes) return CUT;
      const end = from + 4 + load<u16>(stored + from);
      if ((load<u16>(stored + from) ^ load<u16>(stored + from, 2)) != 0xffff) return BAD_BLOCK;
      from = max(from + 4, resumeBit >> 3);
      if (isWhole && end - from > <u32>(limit - to)) return TOO_MUCH;
      const count = min(end - from, <u32>(limit - to));
      if (from + count > storedBytes) return CUT;
      memory.copy(to, stored + from, count);
      to += count;
      from += count;
      if (from < end) return stop(job, headerBit, from << 3, <u32>(to - start), REACHED);
      headerBit = end << 3;
    } else if (kind == 3) {
      return BAD_BLOCK;
    } else {
      let bit = headerBit + 3;
      if (kind == 1) buildFixed();
      else bit = readCodes(stored, bit, bitEnd);
      if (bit == 0) return BAD_CODES;
      if (bit > bitEnd) return CUT;
      let result = runFast(stored, storedBytes, max(bit, resumeBit), start, to, limit);
      if (result == GOES_ON) {
        result = runCarefully(stored, bitEnd, start, limit, isWhole);
        if (result == GOES_ON) return stop(job, headerBit, lastBit, <u32>(lastTo - start), REACHED);
      }
      if (result < 0) return result;
      to = toNow;
      headerBit = bitNow;
    }
    resumeBit = 0;
    if (header & 1) return stop(job, headerBit, 0, <u32>(to - start), ENDED);
  }
  return stop(job, headerBit, 0, <u32>(to - start), REACHED);
}

/** Leaves the state in the job. */
function stop(job: usize, headerBit: u32, bit: u32, outAt: u32, result: i32): i32 {
  store<u32>(job, headerBit, HEADER_BIT);
  store<u32>(job, bit, BIT);
  store<u32>(job, outAt, OUT_AT);
  return result;
}
