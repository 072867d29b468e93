// Which of four pixels are visible, for the kernels that paint.

/** All bits of each lane whose mask byte is odd and whose value is a number. */
// @ts-ignore: decorator
@inline export function hasValue(values: v128, mask: usize): v128 {
  const bytes = i16x8.extend_low_i8x16_u(v128.load32_zero(mask));
  const has = i32x4.ne(v128.and(i32x4.extend_low_i16x8_u(bytes), i32x4.splat(1)), i32x4.splat(0));
  return v128.and(has, f32x4.eq(values, values));
}

/** Four lanes of all or no bits as four bytes. */
// @ts-ignore: decorator
@inline export function toBytes(lanes: v128): u32 {
  const narrow = i16x8.narrow_i32x4_s(lanes, lanes);
  return <u32>i32x4.extract_lane(i8x16.narrow_i16x8_s(narrow, narrow), 0);
}
