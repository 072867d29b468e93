import { gapsAbove, gapsStride, joinBelow } from "./column-gaps";

/**
 * Sets `flag` in every pixel within a disc around a pixel that has it, in place. `reaches` are u16: how many columns the
 * disc reaches to each side in a row that lies 0, 1, … `radius` rows away from its centre. `gaps` are a row more than
 * the mask has. The time does not depend on the radius: a row is the union of intervals around its columns.
 */
export function dilateMask(
  mask: usize, flag: u32, width: u32, height: u32, reaches: usize, radius: u32, gaps: usize,
): void {
  const beyond = radius + 1;
  const rowBytes = gapsStride(width) << 1;
  gapsAbove(mask, flag, false, width, height, gaps, beyond, false);
  let below = gaps + <usize>height * rowBytes;
  for (let at = below; at < below + rowBytes; at += 2) store<u16>(at, <u16>beyond);
  for (let row = <i32>height - 1; row >= 0; row--) {
    const gap = below - rowBytes;
    if (joinBelow(gap, below, width, beyond)) {
      reachAcross(mask + <usize>row * <usize>width, <u8>flag, width, gap, reaches, radius);
    }
    below = gap;
  }
}

// @ts-ignore: decorator
@inline function reachAcross(mask: usize, flag: u8, width: u32, gaps: usize, reaches: usize, radius: u32): void {
  let end: i32 = -1;
  for (let x: i32 = 0; x < <i32>width; x++) {
    const gap = <u32>load<u16>(gaps + (<usize>x << 1));
    if (gap <= radius) end = max(end, x + <i32>load<u16>(reaches + (<usize>gap << 1)));
    if (x <= end) store<u8>(mask + <usize>x, load<u8>(mask + <usize>x) | flag);
  }
  let start = <i32>width;
  for (let x = <i32>width - 1; x >= 0; x--) {
    const gap = <u32>load<u16>(gaps + (<usize>x << 1));
    if (gap <= radius) start = min(start, x - <i32>load<u16>(reaches + (<usize>gap << 1)));
    if (x >= start) store<u8>(mask + <usize>x, load<u8>(mask + <usize>x) | flag);
  }
}
