import { FIRST_CODES, HALVES, INVERSES, JpegJob, RUN_CODES, VALUE_CODES } from "./jpeg-job";

// The layout of src/formats/jpeg.ts, luminance first: two times 64 steps, two times the 28 bytes of codes
// for first coefficients and two times the 178 of those for the others.
const FIRSTS: usize = 128;
const RUNS: usize = 184;

/** The order of the file: the index of the n-th coefficient in its block. */
const order = memory.data<u8>([
  0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5,
  12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
  35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51,
  58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
]);

// @ts-ignore: decorator
@inline export function naturalIndexOf(n: i32): i32 {
  return <i32>load<u8>(order + <usize>n);
}

/** Builds the coder's lookup tables from the tables of the file: a few microseconds. */
export function prepareTables(job: JpegJob): void {
  const work = job.work;
  for (let table: usize = 0; table < 2; table++) {
    for (let n = 0; n < 64; n++) {
      const step = <i32>load<u8>(job.tables + table * 64 + <usize>n);
      const index = table * 64 + <usize>naturalIndexOf(n);
      store<i32>(work + INVERSES + (index << 2), ((1 << 20) + step - 1) / step);
      store<i16>(work + HALVES + (index << 1), 4 * step);
    }
    makeCodes(job.tables + FIRSTS + table * 28, work + FIRST_CODES + table * 64);
    const runCodes = work + RUN_CODES + table * 1024;
    makeCodes(job.tables + RUNS + table * 178, runCodes);
    makeValueCodes(runCodes, work + VALUE_CODES + table * 4096);
  }
}

/** T.81, C.2: sixteen counts of codes, then their symbols; codes of one size are consecutive numbers. */
function makeCodes(counts: usize, codes: usize): void {
  let symbol = counts + 16;
  let code: u32 = 0;
  for (let size: u32 = 1; size <= 16; size++, code <<= 1) {
    for (let left = load<u8>(counts + size - 1); left > 0; left--, code++, symbol++) {
      store<u32>(codes + (<usize>load<u8>(symbol) << 2), (code << 5) | size);
    }
  }
}

function makeValueCodes(runCodes: usize, to: usize): void {
  for (let run = 0; run < 16; run++) {
    for (let value = -32; value < 32; value++, to += 4) {
      const size = sizeOf(value);
      store<u32>(to, withValue(load<u32>(runCodes + (<usize>((run << 4) | size) << 2)), value, size));
    }
  }
}

/** Bits that a value takes. */
// @ts-ignore: decorator
@inline export function sizeOf(value: i32): i32 {
  return 32 - clz(abs(value));
}

/** A code followed by the lowest bits of the value, or of one less when it is negative: T.81, F.1.2.1. */
// @ts-ignore: decorator
@inline export function withValue(code: u32, value: i32, size: i32): u32 {
  const low = (value + (value >> 31)) & ((1 << size) - 1);
  return ((((code >> 5) << size) | low) << 5) | ((code & 31) + size);
}
