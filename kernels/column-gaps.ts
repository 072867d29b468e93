/*
 * How far the next found pixel of the same column lies from each pixel, up or down: rows of u16, whose stride is a
 * multiple of eight. Gaps end at `beyond`, which stands for everything from there on.
 */

/** Numbers in a row of gaps. */
// @ts-ignore: decorator
@inline export function gapsStride(width: u32): usize {
  return (<usize>width + 7) & ~7;
}

/**
 * The gaps to the last found pixel above. A pixel is found if its byte of `mask` has a bit of `flag`, or with `isUnset`
 * if it has none. The row before the first counts as found if `isEdge`.
 */
export function gapsAbove(
  mask: usize, flag: u32, isUnset: bool, width: u32, height: u32, gaps: usize, beyond: u32, isEdge: bool,
): void {
  const rowBytes = gapsStride(width) << 1;
  const most = i16x8.splat(<i16>beyond);
  const one = i16x8.splat(1);
  const flags = i16x8.splat(<i16>flag);
  const flip = i16x8.splat(isUnset ? 0 : -1);
  for (let column: usize = 0; column < <usize>width; column += 8) {
    let gap = isEdge ? i16x8.splat(0) : most;
    let at = gaps + (column << 1);
    let pixel = mask + column;
    for (let row: u32 = 0; row < height; row++, at += rowBytes, pixel += <usize>width) {
      const bits = v128.and(i16x8.extend_low_i8x16_u(v128.load64_zero(pixel)), flags);
      const isFound = v128.xor(i16x8.eq(bits, i16x8.splat(0)), flip);
      gap = v128.andnot(i16x8.min_u(i16x8.add(gap, one), most), isFound);
      v128.store(at, gap);
    }
  }
}

/** Lowers a row of gaps to those of the row below plus one; returns whether one of them is less than `beyond`. */
// @ts-ignore: decorator
@inline export function joinBelow(row: usize, below: usize, width: u32, beyond: u32): bool {
  const one = i16x8.splat(1);
  const most = i16x8.splat(<i16>beyond);
  let near = i16x8.splat(0);
  let at: usize = 0;
  const end = <usize>width << 1;
  for (; at < end; at += 16) {
    const gap = i16x8.min_u(v128.load(row + at), i16x8.add(v128.load(below + at), one));
    v128.store(row + at, gap);
    near = v128.or(near, i16x8.lt_u(gap, most));
  }
  return v128.any_true(near);
}
