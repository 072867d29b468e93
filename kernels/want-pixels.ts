/**
 * Marks with 1 the pixels of a picture that a scene may still change, and with 0 all others: those whose index, a plane of
 * u16, is greater than that of the scene, and that are not marked themselves. An address of 0 stands for a plane of which
 * all are greater, or none is marked. Sixteen pixels at a time: planes have room after them. Returns the number of pixels.
 */
export function wantPixels(indexes: usize, marks: usize, index: u32, count: u32, wanted: usize): u32 {
  const nothing = i8x16.splat(0);
  const one = i8x16.splat(1);
  const own = i16x8.splat(<i16>index);
  let number: u32 = 0;
  for (let i: usize = 0; i < <usize>count; i += 16) {
    let open = i8x16.splat(-1);
    if (indexes != 0) {
      const at = indexes + (i << 1);
      open = i8x16.narrow_i16x8_s(i16x8.gt_u(v128.load(at), own), i16x8.gt_u(v128.load(at, 16), own));
    }
    if (marks != 0) open = v128.and(open, i8x16.eq(v128.load(marks + i), nothing));
    v128.store(wanted + i, v128.and(open, one));
    const left = <usize>count - i;
    const bits = <u32>i8x16.bitmask(open);
    number += popcnt(left < 16 ? bits & ((1 << <u32>left) - 1) : bits);
  }
  return number;
}
