import { gapsAbove, gapsStride, joinBelow } from "./column-gaps";

/**
 * The Euclidean distance of each odd pixel of a mask to the nearest even one, at most `most`; 0 for even ones. With
 * `isEdge` the pixels around the picture count as even. Gaps from `beyond` on are too far to matter. `gaps` are a row
 * more than the mask has, `envelope` has 8 bytes for each column and for two more. Sides are at most 16,384, so that
 * squares fit.
 */
export function edgeDistance(
  mask: usize, width: u32, height: u32, to: usize, most: f32, beyond: u32, isEdge: bool, gaps: usize, envelope: usize,
): void {
  const rowBytes = gapsStride(width) << 1;
  gapsAbove(mask, 1, true, width, height, gaps, beyond, isEdge);
  let below = gaps + <usize>height * rowBytes;
  for (let at = below; at < below + rowBytes; at += 2) store<u16>(at, <u16>(isEdge ? 0 : beyond));
  for (let row = <i32>height - 1; row >= 0; row--) {
    const gap = below - rowBytes;
    const hasNear = joinBelow(gap, below, width, beyond);
    distancesAcross(gap, width, to + (<usize>row * <usize>width << 2), most, beyond, isEdge, hasNear || isEdge, envelope);
    below = gap;
  }
}

/**
 * One row of distances from its gaps (Meijster, Roerdink and Hesselink): the lower envelope of a parabola over each
 * column. Columns are counted from the one before the picture, so that none is negative.
 */
// @ts-ignore: decorator
@inline function distancesAcross(
  gaps: usize, width: u32, to: usize, most: f32, beyond: u32, isEdge: bool, hasNear: bool, envelope: usize,
): void {
  const end = <i32>width + 2;
  // Of each parabola in the envelope: its column, and from where on it is the lowest.
  let last = envelope - 8;
  if (hasNear) {
    for (let x: i32 = 0; x < end; x++) {
      const gap = gapAt(gaps, x, <i32>width, beyond, isEdge);
      if (gap >= <i32>beyond) continue;
      while (last >= envelope && squareAt(gaps, load<i32>(last, 4), load<i32>(last), <i32>width, isEdge) >
        squareOf(load<i32>(last, 4) - x) + squareOf(gap)) last -= 8;
      if (last < envelope) {
        last = envelope;
        store<i32>(last, x);
        store<i32>(last, 0, 4);
        continue;
      }
      const other = load<i32>(last);
      const otherGap = gapAt(gaps, other, <i32>width, beyond, isEdge);
      const ahead = squareOf(x) - squareOf(other) + squareOf(gap) - squareOf(otherGap);
      const from = 1 + ahead / (2 * (x - other));
      if (from >= end) continue;
      last += 8;
      store<i32>(last, x);
      store<i32>(last, from, 4);
    }
  }
  if (last < envelope) {
    for (let x: usize = 0; x < <usize>width; x++) store<f32>(to + (x << 2), most);
    return;
  }
  for (let x = end - 1; x > 0; x--) {
    if (x <= <i32>width) {
      const square = squareAt(gaps, x, load<i32>(last), <i32>width, isEdge);
      store<f32>(to + (<usize>(x - 1) << 2), min(most, <f32>sqrt(<f64>square)));
    }
    if (x == load<i32>(last, 4)) last -= 8;
  }
}

// @ts-ignore: decorator
@inline function gapAt(gaps: usize, x: i32, width: i32, beyond: u32, isEdge: bool): i32 {
  if (x == 0 || x > width) return isEdge ? 0 : <i32>beyond;
  return <i32>load<u16>(gaps + (<usize>(x - 1) << 1));
}

/** The squared distance of a column to the nearest found pixel of another one, which has a gap. */
// @ts-ignore: decorator
@inline function squareAt(gaps: usize, x: i32, column: i32, width: i32, isEdge: bool): i32 {
  return squareOf(x - column) + squareOf(gapAt(gaps, column, width, 0, isEdge));
}

// @ts-ignore: decorator
@inline function squareOf(a: i32): i32 {
  return a * a;
}
