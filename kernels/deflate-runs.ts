/** Runs of one byte, the only repetitions that are searched for, and the symbols of their lengths: RFC 1951, 3.2.5. */
const FIRST_LENGTH: u32 = 257;
export const LONGEST: u32 = 258;

/** Whether the 8 bytes at `from` repeat the byte before them. */
// @ts-ignore: decorator
@inline export function isRun(from: usize): bool {
  return load<u64>(from) == load<u64>(from - 1);
}

/** The bytes from `from`, where a run is known to be, that repeat the byte before. */
export function runBytes(from: usize, end: usize): u32 {
  let at = from + 8;
  while (at + 16 <= end && !v128.any_true(v128.xor(v128.load(at), v128.load(at - 1)))) at += 16;
  while (at < end) {
    const differing = load<u64>(at) ^ load<u64>(at - 1);
    if (differing != 0) {
      at += <usize>(ctz(differing) >> 3);
      break;
    }
    at += 8;
  }
  return <u32>(min(at, end) - from);
}

/** From 11 upwards, groups of four symbols share a number of extra bits, and 258 has its own symbol. */
export function lengthExtraBits(length: u32): u32 {
  const past = length - 3;
  return past < 8 || length == LONGEST ? 0 : 29 - clz(past);
}

export function lengthSymbol(length: u32): u32 {
  if (length == LONGEST) return 285;
  const extra = lengthExtraBits(length);
  return FIRST_LENGTH + (extra << 2) + ((length - 3) >> extra);
}
