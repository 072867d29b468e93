import { paddedAt, paddedStride, repeatEdges } from "./padded-plane";

/**
 * Averages each pixel of a padded plane with its eight neighbours by the weights 1 2 1, 2 4 2, 1 2 1, but by no more
 * than `limitM` away from its height in `base`. Unknown neighbours count as if they were as high as the pixel.
 */
export function smoothSteps(base: usize, from: usize, to: usize, width: i32, height: i32, limitM: f32): void {
  const row = paddedStride(width) << 2;
  const limit = f32x4.splat(limitM);
  for (let y: usize = 0; y < <usize>height; y++) {
    for (let x: usize = 0; x < <usize>width; x += 4) {
      const at = paddedAt(from, width, x, y);
      const own = v128.load(at);
      const above = at - row;
      const below = at + row;
      const sides = f32x4.add(
        f32x4.add(rise(v128.load(above), own), rise(v128.load(below), own)),
        f32x4.add(rise(v128.load(at - 4), own), rise(v128.load(at + 4), own)),
      );
      const corners = f32x4.add(
        f32x4.add(rise(v128.load(above - 4), own), rise(v128.load(above + 4), own)),
        f32x4.add(rise(v128.load(below - 4), own), rise(v128.load(below + 4), own)),
      );
      const change = f32x4.mul(f32x4.add(f32x4.add(sides, sides), corners), f32x4.splat(0.0625));
      const before = v128.load(paddedAt(base, width, x, y));
      const low = f32x4.sub(before, limit);
      const high = f32x4.add(before, limit);
      v128.store(paddedAt(to, width, x, y), f32x4.pmin(f32x4.pmax(f32x4.add(own, change), low), high));
    }
  }
  repeatEdges(to, width, height);
}

/** How much higher a neighbour is; 0 if it is unknown. */
// @ts-ignore: decorator
@inline function rise(neighbour: v128, own: v128): v128 {
  const higher = f32x4.sub(neighbour, own);
  return v128.and(higher, f32x4.eq(higher, higher));
}
