/**
 * Sets a flag where a classification has one of some classes, a list of float32 numbers. Pixels whose mask is 0 have class
 * 0; without a mask (0) all have data. Sixteen pixels at a time: planes have room after them. Returns 1 if there is such a
 * pixel.
 */
export function flagClasses(
  values: usize, mask: usize, count: u32, classes: usize, classCount: u32, flag: u8, flags: usize,
): i32 {
  const end = classes + (<usize>classCount << 2);
  const nothing = i8x16.splat(0);
  const flagged = i8x16.splat(flag);
  const indexes = i8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  let ofEmpty = nothing;
  for (let at = classes; at < end; at += 4) if (load<f32>(at) == 0) ofEmpty = i8x16.splat(-1);
  let any = nothing;
  for (let i: usize = 0; i < <usize>count; i += 16) {
    let found = findClasses(values + (i << 2), classes, end);
    if (mask != 0) found = v128.bitselect(found, ofEmpty, i8x16.ne(v128.load(mask + i), nothing));
    const rest = <usize>count - i;
    if (rest < 16) found = v128.and(found, i8x16.lt_s(indexes, i8x16.splat(<i8>rest)));
    any = v128.or(any, found);
    v128.store(flags + i, v128.or(v128.load(flags + i), v128.and(found, flagged)));
  }
  return i32(v128.any_true(any));
}

/** All bits of the bytes of those of sixteen pixels that have one of the classes. */
// @ts-ignore: decorator
@inline function findClasses(values: usize, classes: usize, end: usize): v128 {
  const first = v128.load(values);
  const second = v128.load(values, 16);
  const third = v128.load(values, 32);
  const fourth = v128.load(values, 48);
  let found = i8x16.splat(0);
  for (let at = classes; at < end; at += 4) {
    const one = v128.load32_splat(at);
    const low = i16x8.narrow_i32x4_s(f32x4.eq(first, one), f32x4.eq(second, one));
    const high = i16x8.narrow_i32x4_s(f32x4.eq(third, one), f32x4.eq(fourth, one));
    found = v128.or(found, i8x16.narrow_i16x8_s(low, high));
  }
  return found;
}
