import { hasValue } from "./paint-seen";

/**
 * One byte for each 16-bit value: the first entry of a palette whose bits are all 1 in it, or `hole` where there is
 * none, for anything but a whole number from 0 to 65535, and for masked pixels. `tables` has 512 words for each 32
 * entries: which of them a lower byte satisfies, for each of 256, then which of them a higher byte does. Both must.
 */
export function paintBits(
  values: usize,
  mask: usize,
  indexes: usize,
  count: i32,
  tables: usize,
  groups: i32,
  shift: f32,
  hole: i32,
): void {
  for (let i = 0; i < count; i += 4) {
    const stored = v128.load(values + (<usize>i << 2));
    const v = f32x4.add(stored, f32x4.splat(shift));
    const bits = i32x4.trunc_sat_f32x4_s(v);
    const isWhole = f32x4.eq(f32x4.convert_i32x4_s(bits), v);
    const isSmall = i32x4.eq(v128.and(bits, i32x4.splat(~0xffff)), i32x4.splat(0));
    const seen = v128.and(hasValue(stored, mask + <usize>i), v128.and(isWhole, isSmall));
    // -1 for masked pixels
    const shown = v128.or(bits, v128.not(seen));
    const rest = count - i;
    const to = indexes + <usize>i;
    store<u8>(to, <u8>first(i32x4.extract_lane(shown, 0), tables, groups, hole));
    if (rest > 1) store<u8>(to + 1, <u8>first(i32x4.extract_lane(shown, 1), tables, groups, hole));
    if (rest > 2) store<u8>(to + 2, <u8>first(i32x4.extract_lane(shown, 2), tables, groups, hole));
    if (rest > 3) store<u8>(to + 3, <u8>first(i32x4.extract_lane(shown, 3), tables, groups, hole));
  }
}

// @ts-ignore: decorator
@inline function first(bits: i32, tables: usize, groups: i32, hole: i32): i32 {
  if (bits < 0) return hole;
  const low = tables + (<usize>(bits & 0xff) << 2);
  const high = tables + 1024 + (<usize>(bits >> 8) << 2);
  for (let group = 0; group < groups; group++) {
    const at = <usize>group << 11;
    const both = load<u32>(low + at) & load<u32>(high + at);
    if (both != 0) return (group << 5) + <i32>ctz(both);
  }
  return hole;
}
